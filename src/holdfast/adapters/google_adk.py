"""Google ADK: a memory service, in which an application is a project and its users are kept apart."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from threading import Lock
from typing import TYPE_CHECKING, Any

from holdfast.adapters.agent_memory import AgentMemory, not_installed
from holdfast.core.citation import unframed
from holdfast.core.item import ItemChange

try:
    from google.adk.memory import BaseMemoryService
    from google.adk.memory.base_memory_service import SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.genai.types import Content, Part
except ImportError as error:
    raise not_installed("Google ADK", "google-adk", error) from None

if TYPE_CHECKING:
    from holdfast.workspace import Workspace

_SEEN = "google-adk"


class HoldfastMemoryService(BaseMemoryService):
    """Memory of any number of applications and users. `settings` are those of `holdfast.open`; close it at the end."""

    def __init__(self, db: str | None = None, *, limit: int = 8, **settings: Any) -> None:
        self._db, self._settings, self._limit = db, settings, limit
        self._open: dict[tuple[str, str], Workspace] = {}
        self._lock = Lock()

    async def add_session_to_memory(self, session: Any) -> None:
        """Keeps the messages of a session; those that were added before are left out."""
        await asyncio.to_thread(self._keep, session.app_name, session.user_id, session.id, session.events)

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Any],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Keeps some events of a session."""
        await asyncio.to_thread(self._keep, app_name, user_id, session_id or "events", events)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[Any],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Stores memories as an agent's statements."""
        for memory in memories:
            ws = self._workspace(app_name, user_id)
            await asyncio.to_thread(ws.remember, _text(memory.content), source="agent_explicit")

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> Any:
        """Finds what answers the query; nothing if nothing is good enough."""
        ws = self._workspace(app_name, user_id)
        found = await asyncio.to_thread(ws.recall, query, self._limit)
        return SearchMemoryResponse(memories=[_entry(hit) for hit in found.hits])

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Has a memory forgotten; a person can restore it."""
        if memory_id is not None:
            ws = self._workspace(app_name, user_id)
            await asyncio.to_thread(ws.forget, memory_id, source="agent_explicit")

    def close(self) -> None:
        """Closes all databases."""
        with self._lock:
            while self._open:
                self._open.popitem()[1].close()

    def _workspace(self, app: str, user: str) -> Workspace:
        from holdfast import workspace

        with self._lock:
            if (app, user) not in self._open:
                self._open[app, user] = workspace.open(self._db, app, user, **self._settings)
            return self._open[app, user]

    def _keep(self, app: str, user: str, session: str, events: Sequence[Any]) -> None:
        ws = self._workspace(app, user)
        seen = ws.items.get((_SEEN,), session)
        known = set(seen.value) if seen else set()
        new = [event for event in events if event.id not in known]
        said = [("user" if event.author == "user" else "assistant", _text(event.content)) for event in new]
        AgentMemory(ws, session).keep(said)
        ws.items.change([ItemChange((_SEEN,), session, [*known, *(event.id for event in new)])])


def _entry(hit: Any) -> MemoryEntry:
    text, role = unframed(hit.text), hit.memory.source_role if hit.memory else None
    about = {"type": hit.type, "certainty": str(hit.certainty) if hit.certainty else None}
    when = hit.when.astimezone(UTC) if isinstance(hit.when, datetime) else None
    return MemoryEntry(
        content=Content(parts=[Part(text=text)]),
        author=role or "memory",
        id=hit.id,
        timestamp=when.isoformat() if when else None,
        custom_metadata=about,
    )


def _text(content: Any) -> str:
    return "\n".join(part.text for part in (content.parts if content else None) or () if part.text)
