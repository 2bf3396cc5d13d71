"""AutoGen: a `Memory` for its agents."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from holdfast.adapters.agent_memory import AgentMemory, not_installed
from holdfast.core.citation import unframed

try:
    from autogen_core.memory import Memory, MemoryContent, MemoryMimeType, MemoryQueryResult, UpdateContextResult
    from autogen_core.models import SystemMessage, UserMessage
except ImportError as error:
    raise not_installed("AutoGen", "autogen", error) from None

if TYPE_CHECKING:
    from holdfast.workspace import Workspace


class HoldfastMemory(Memory):
    """Adds the memories for the user's latest message to the context of the model; `add` stores a memory."""

    component_type = "memory"

    def __init__(self, ws: Workspace, session: str | None = None, *, limit: int = 8, budget: int | None = None) -> None:
        self._ws, self._limit = ws, limit
        self._memory = AgentMemory(ws, session, budget=budget)

    async def update_context(self, model_context: Any) -> UpdateContextResult:
        """Adds the memories as a system message, and returns them."""
        messages = await model_context.get_messages()
        asked = next((m.content for m in reversed(messages) if isinstance(m, UserMessage)), "")
        context = await asyncio.to_thread(self._memory.context, asked if isinstance(asked, str) else "")
        if context:
            await model_context.add_message(SystemMessage(content=context))
        results = [MemoryContent(content=context, mime_type=MemoryMimeType.MARKDOWN)] if context else []
        return UpdateContextResult(memories=MemoryQueryResult(results=results))

    async def query(self, query: str | MemoryContent, cancellation_token: Any = None, **_: Any) -> MemoryQueryResult:
        """Finds what answers a query; nothing if nothing is good enough."""
        text = query if isinstance(query, str) else str(query.content)
        found = await asyncio.to_thread(self._ws.recall, text, self._limit)
        return MemoryQueryResult(results=[_content(hit) for hit in found.hits])

    async def add(self, content: MemoryContent, cancellation_token: Any = None) -> None:
        """Stores a text as an agent's statement. `metadata` may name its `type`, `files` and `tags`."""
        given = content.metadata or {}
        fields = {name: given[name] for name in ("type", "files", "tags") if name in given}
        await asyncio.to_thread(self._ws.remember, str(content.content), source="agent_explicit", **fields)

    async def clear(self) -> None:
        """Has what the agent stored forgotten; people's memories stay, and a person can restore the rest."""
        await asyncio.to_thread(self._clear)

    async def close(self) -> None:
        """Does nothing: whoever opened the workspace closes it."""

    def _clear(self) -> None:
        while own := [m for m in self._ws.list(sources=["agent_explicit"], limit=500) if not m.is_persons]:
            for memory in own:
                self._ws.forget(memory.id, "cleared", source="agent_explicit")


def _content(hit: Any) -> MemoryContent:
    about = {"id": hit.id, "type": hit.type, "certainty": str(hit.certainty), "date": hit.when.date().isoformat()}
    return MemoryContent(content=unframed(hit.text), mime_type=MemoryMimeType.TEXT, metadata=about)
