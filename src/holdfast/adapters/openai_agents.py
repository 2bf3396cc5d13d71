"""OpenAI Agents SDK: a session that lasts, memory in the instructions, and tools."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from holdfast.adapters.agent_memory import AgentMemory, MemoryTool, memory_tools, not_installed
from holdfast.core.item import ItemChange

try:
    from agents import FunctionTool
    from agents.run_config import CallModelData, ModelInputData
except ImportError as error:
    raise not_installed("the OpenAI Agents SDK", "openai-agents", error) from None

if TYPE_CHECKING:
    from holdfast.workspace import Workspace

_SPACE = "openai-agents"


class HoldfastSession:
    """A `Session` of the SDK: the items of a conversation, kept as they are; its messages become memories later.

    Any number of processes may use one session. Secrets in items are replaced by placeholders.
    """

    session_settings = None

    def __init__(self, ws: Workspace, session_id: str) -> None:
        self.session_id = session_id
        self._items = ws.items
        self._memory = AgentMemory(ws, session_id)
        self._space = (_SPACE, session_id)

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """The items in order, or the last `limit` of them."""
        found = await asyncio.to_thread(self._items.under, self._space)
        values = [item.value for item in found]
        return values if limit is None else values[-limit:] if limit > 0 else []

    async def add_items(self, items: list[Any]) -> None:
        """Adds items at the end."""
        await asyncio.to_thread(self._add, list(items))

    async def pop_item(self) -> Any | None:
        """Removes the last item and returns it."""
        return await asyncio.to_thread(self._pop)

    async def clear_session(self) -> None:
        """Removes all items. What was learned from them stays."""
        await asyncio.to_thread(self._items.clear, self._space)

    def _add(self, items: list[Any]) -> None:
        known = self._items.under(self._space)
        start = int(known[-1].key) + 1 if known else 0
        self._items.change(ItemChange(self._space, f"{start + n:010}", item) for n, item in enumerate(items))
        self._memory.keep(_said(items))

    def _pop(self) -> Any | None:
        known = self._items.under(self._space)
        if not known:
            return None
        self._items.change([ItemChange(self._space, known[-1].key)])
        return known[-1].value


def memory_filter(ws: Workspace, session_id: str | None = None) -> Callable[[CallModelData[Any]], Any]:
    """A `call_model_input_filter` that adds the memories for the user's latest message to the instructions."""
    memory = AgentMemory(ws, session_id)

    async def add(data: CallModelData[Any]) -> ModelInputData:
        given = data.model_data
        asked = next((text for role, text in reversed(list(_said(given.input))) if role == "user"), "")
        context = await asyncio.to_thread(memory.context, asked)
        instructions = "\n\n".join(filter(None, (given.instructions, context)))
        return ModelInputData(input=given.input, instructions=instructions or None)

    return add


def tools(ws: Workspace) -> list[FunctionTool]:
    """Tools that search and change memories."""
    return [_function_tool(tool) for tool in memory_tools(ws)]


def _function_tool(tool: MemoryTool) -> FunctionTool:
    async def invoke(context: Any, arguments: str) -> str:
        return await asyncio.to_thread(tool.call, json.loads(arguments or "{}"))

    return FunctionTool(tool.name, tool.description, dict(tool.schema), invoke, strict_json_schema=False)


def _said(items: Iterable[Any]) -> Iterable[tuple[str, str]]:
    """The role and text of the messages among items."""
    for item in items:
        if isinstance(item, dict) and item.get("role"):
            yield str(item["role"]), _text(item.get("content"))


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(part["text"]) for part in parts if isinstance(part, dict) and part.get("text"))
