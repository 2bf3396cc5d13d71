"""Pydantic AI: a capability with instructions from memory, tools, and the conversation kept."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from holdfast.adapters.agent_memory import AgentMemory, MemoryTool, memory_tools, not_installed

try:
    from pydantic_ai import RunContext, Tool
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.toolsets import FunctionToolset
except ImportError as error:
    raise not_installed("Pydantic AI", "pydantic-ai", error) from None

if TYPE_CHECKING:
    from holdfast.workspace import Workspace


class HoldfastCapability(AbstractCapability[Any]):
    """Gives an agent memories for each prompt and tools, and keeps what was said."""

    def __init__(
        self, ws: Workspace, session: str = "pydantic-ai", *, budget: int | None = None, offer_tools: bool = True
    ) -> None:
        self._ws = ws
        self._memory = AgentMemory(ws, session, budget=budget)
        self._offer_tools = offer_tools

    def get_instructions(self) -> Any:
        """A function that returns the memories for the prompt of a run."""

        async def instructions(context: RunContext[Any]) -> str:
            return await asyncio.to_thread(self._memory.context, _text(context.prompt))

        return instructions

    def get_toolset(self) -> Any:
        """The tools that search and change memories."""
        return FunctionToolset(tools(self._ws), id="holdfast") if self._offer_tools else None

    async def after_run(self, ctx: RunContext[Any], *, result: Any) -> Any:
        """Keeps the prompt and the answer."""
        said = [("user", _text(ctx.prompt)), ("assistant", str(result.output))]
        await asyncio.to_thread(self._memory.keep, said)
        return result


def tools(ws: Workspace) -> list[Tool[Any]]:
    """Tools that search and change memories."""
    return [_tool(tool) for tool in memory_tools(ws)]


def _tool(tool: MemoryTool) -> Tool[Any]:
    def call(**arguments: Any) -> str:
        return tool.call(arguments)

    return Tool.from_schema(call, tool.name, tool.description, dict(tool.schema))


def _text(prompt: Any) -> str:
    if isinstance(prompt, str) or prompt is None:
        return prompt or ""
    return "\n".join(part for part in prompt if isinstance(part, str))
