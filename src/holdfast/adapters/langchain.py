"""LangChain agents: a middleware that gives the model memories, keeps the conversation, and offers tools."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.adapters.agent_memory import AgentMemory, MemoryTool, memory_tools, not_installed

try:
    from langchain.agents.middleware import AgentMiddleware
    from langchain_core.messages import SystemMessage
    from langchain_core.tools import StructuredTool
except ImportError as error:
    raise not_installed("LangChain", "langchain", error) from None

if TYPE_CHECKING:
    from holdfast.workspace import Workspace


class HoldfastMiddleware(AgentMiddleware):
    """Adds the memories for the user's latest message to the system message of every call of the model.

    After a run it keeps the new messages of the person and the agent. `offer_tools` also gives the agent tools.
    """

    def __init__(
        self, ws: Workspace, session: str | None = None, *, budget: int | None = None, offer_tools: bool = True
    ) -> None:
        super().__init__()
        self._memory = AgentMemory(ws, session, budget=budget)
        self._kept: set[str] = set()
        self.tools = tools(ws) if offer_tools else []

    def wrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """Calls the model with the context added."""
        return handler(self._with_context(request))

    async def awrap_model_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """Calls the model with the context added."""
        return await handler(await asyncio.to_thread(self._with_context, request))

    def after_agent(self, state: Any, runtime: Any) -> None:
        """Keeps what was said since the last run."""
        self._keep(state["messages"])

    async def aafter_agent(self, state: Any, runtime: Any) -> None:
        """Keeps what was said since the last run."""
        await asyncio.to_thread(self._keep, state["messages"])

    def _with_context(self, request: Any) -> Any:
        context = self._memory.context(next((m.text for m in reversed(request.messages) if m.type == "human"), ""))
        if not context:
            return request
        given = request.system_message.text if request.system_message else ""
        return request.override(system_message=SystemMessage("\n\n".join(filter(None, (given, context)))))

    def _keep(self, messages: Sequence[Any]) -> None:
        new = [message for message in messages if message.id not in self._kept]
        self._memory.keep((message.type, message.text) for message in new)
        self._kept.update(message.id for message in new if message.id)


def tools(ws: Workspace) -> list[StructuredTool]:
    """Tools that search and change memories."""
    return [_structured_tool(tool) for tool in memory_tools(ws)]


def _structured_tool(tool: MemoryTool) -> StructuredTool:
    def call(**arguments: Any) -> str:
        return tool.call(arguments)

    return StructuredTool(name=tool.name, description=tool.description, args_schema=dict(tool.schema), func=call)
