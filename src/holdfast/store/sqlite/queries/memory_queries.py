"""Reads memories and sessions from SQLite."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.core.answer import Filters
from holdfast.core.arguments import check_text
from holdfast.core.clock import stamp, stored_time
from holdfast.core.errors import NotFound
from holdfast.core.memory import EPISODE, ERASED
from holdfast.store.reading.memory_reading import SessionSpan
from holdfast.store.rows.memory_rows import event_of, memory_of, operation_of
from holdfast.store.sqlite.queries.query_parts import SqliteReader

if TYPE_CHECKING:
    from holdfast.core.health import TypeCount
    from holdfast.core.memory import Memory
    from holdfast.core.memory_description import LoggedOperation, MemoryEvent

# The memories that are read at a time.
_PAGE = 1_000
# Up to this number of types, the memories of each are looked up.
_FEW_TYPES = 8


class SqliteMemoryReading(SqliteReader):
    """`MemoryReading` on SQLite."""

    def memory(self, id: str) -> Memory | None:
        rows = self._rows("memory", {"id": id})
        return memory_of(rows[0]) if rows else None

    def resolve(self, project: str, id: str) -> str:
        check_text(id, "the id")
        wanted = id.strip().removeprefix("#").lower()
        known = self.memory(wanted)
        if known is not None and known.project in self._seen(project):
            return wanted
        if len(wanted) < 4:
            raise NotFound(f"memory {id!r}", hint="Give at least four characters of its id.")
        parameters = {"ending": wanted, "project": project}
        # The end first, which lists show. One that lists show as a whole is indexed, except that of a message.
        queries = ("ids_ending", "ids_like", "ids_with") if len(wanted) == 8 else ("ids_like", "ids_with")
        found = next((rows for query in queries if (rows := self._rows(query, parameters))), [])
        if not found:
            raise NotFound(f"memory {id!r} in this project")
        if len(found) > 1:
            some = ", ".join(row["id"] for row in found)
            raise NotFound(f"several memories have {id!r} in their id ({some})", hint="Give more characters of the id.")
        return str(found[0]["id"])

    def erased_anchors(self, anchors: Collection[str]) -> frozenset[str]:
        rows = self._rows("erased_anchors", {"anchors": json.dumps(list(anchors)), "erased": ERASED})
        return frozenset(row["anchor"] for row in rows)

    def memories(
        self, project: str, filters: Filters, *, order: str = "newest", limit: int = 100, offset: int = 0
    ) -> tuple[Memory, ...]:
        messages = not filters.types or EPISODE in filters.types
        bounds = {"limit": limit, "offset": offset, "most": limit if limit < 0 else limit + offset}
        parameters = {**self._filter(project, filters), **bounds, "order": order, "messages": messages}
        statement = _list_statement(filters, order, messages)
        if statement == f"list_{order}" and order in ("newest", "oldest") and 0 < len(filters.types) <= _FEW_TYPES:
            # All memories would be read to find those of a rare type: its own index has them.
            statement, parameters["rows"] = f"rows_{order}", self._of_types(project, filters, order, parameters)
        return tuple(map(memory_of, self._rows(statement, parameters)))

    def _of_types(self, project: str, filters: Filters, order: str, parameters: Mapping[str, Any]) -> str:
        """The rows of the first memories of each type, as a JSON list."""
        places = [(of, type) for of in self._seen(project) for type in dict.fromkeys(filters.types)]
        found = (self._plain(f"{order}_of_type", {**parameters, "of": of, "type": type}) for of, type in places)
        return json.dumps([row for rows in found for (row,) in rows])

    def each(self, project: str, filters: Filters) -> Iterator[Memory]:
        parameters = {**self._filter(project, filters), "limit": _PAGE}
        for seen in self._seen(project):
            last = {"at": "", "id": ""}
            while rows := self._rows("page", {**parameters, **last, "of": seen}):
                yield from map(memory_of, rows)
                last = {"at": rows[-1]["created_at"], "id": rows[-1]["id"]}

    def forgotten_texts(self, project: str) -> tuple[str, ...]:
        return tuple(str(row[0]) for row in self._plain("forgotten_texts", {"project": project, "erased": ERASED}))

    def forgotten_messages(self, project: str) -> tuple[str, ...]:
        return tuple(str(row[0]) for row in self._plain("forgotten_messages", {"project": project}))

    def imported(self, project: str, keys: Iterable[str]) -> frozenset[str]:
        rows = self._plain("imported", {"project": project, "keys": json.dumps(list(keys))})
        return frozenset(str(row[0]) for row in rows)

    def memory_files(self, project: str) -> tuple[tuple[str, str], ...]:
        rows = self._plain("memory_files", self._filter(project, Filters()))
        return tuple((str(path), str(id)) for path, id in rows)

    def count(self, project: str, filters: Filters, most: int = -1) -> int:
        name = "count_to_review" if filters.needs_review else "count"
        return int(self._rows(name, {**self._filter(project, filters), "most": most})[0][0])

    def count_by_type(self, project: str) -> tuple[TypeCount, ...]:
        from holdfast.core.health import TypeCount  # Imported here: only `stats` needs it.

        rows = self._rows("count_by_type", {"project": project})
        return tuple(
            TypeCount(
                r["type"], r["total"], r["believed"], r["forgotten"], r["superseded"], r["to_review"],
                stored_time(r["newest"]),
            )
            for r in rows
        )  # fmt: skip

    def latest(self, project: str, type: str, limit: int) -> tuple[Memory, ...]:
        return tuple(map(memory_of, self._rows("latest", {"project": project, "type": type, "limit": limit})))

    def standing_memories(
        self, project: str, types: Sequence[str], *, not_session: str | None = None, limit: int = 100
    ) -> tuple[Memory, ...]:
        wanted = {"project": project, "types": json.dumps(list(types)), "not_session": not_session, "limit": limit}
        return tuple(map(memory_of, self._rows("standing_memories", {**wanted, "now": stamp(self._now())})))

    def twins(self, project: str, hash: str) -> tuple[Memory, ...]:
        return tuple(map(memory_of, self._rows("twins", {"project": project, "hash": hash})))

    def successors(self, memory: Memory) -> tuple[Memory, ...]:
        return tuple(map(memory_of, self._rows("successors", {"project": memory.project, "id": memory.id})))

    def replacements(self, project: str, messages: Sequence[Memory]) -> Mapping[str, tuple[Memory, ...]]:
        sessions = dict.fromkeys(message.session for message in messages if message.session)
        ids = json.dumps([message.id for message in messages])
        rows = self._rows("replacements", {"project": project, "sessions": json.dumps([*sessions]), "ids": ids})
        found: dict[str, dict[str, Memory]] = {}
        for row in rows:
            for memory in self._current(memory_of(row)):
                if row["message"] not in memory.source_ids:
                    found.setdefault(row["message"], {})[memory.id] = memory
        return {id: tuple(memories.values()) for id, memories in found.items()}

    def _current(self, memory: Memory, before: frozenset[str] = frozenset()) -> list[Memory]:
        """The memory, or those that replaced it since."""
        if memory.is_current or memory.id in before:
            return [memory] if memory.is_current else []
        return [last for later in self.successors(memory) for last in self._current(later, before | {memory.id})]

    def events(self, id: str) -> tuple[MemoryEvent, ...]:
        return tuple(map(event_of, self._rows("events", {"id": id})))

    def operations(self, project: str, limit: int) -> tuple[LoggedOperation, ...]:
        return tuple(map(operation_of, self._rows("operations", {"project": project, "limit": limit})))

    def episodes(self, project: str, session: str, limit: int = 1000, offset: int = 0) -> tuple[Memory, ...]:
        parameters = {"project": project, "session": session, "limit": limit, "offset": offset}
        return tuple(map(memory_of, self._rows("session_episodes", parameters)))

    def sessions(self, project: str, limit: int = -1) -> tuple[SessionSpan, ...]:
        rows = self._rows("sessions", {"project": project, "limit": limit})
        return tuple(SessionSpan(row["id"], stored_time(row["began"]), stored_time(row["ended"])) for row in rows)


def _list_statement(filters: Filters, order: str, messages: bool) -> str:
    """The statement that reads the fewest rows. Few memories name a file or wait for a person: these are all sorted."""
    if filters.needs_review:
        return "list_to_review"
    if filters.files or (messages and order in ("confidence", "used")):
        return "list"
    return f"list_{order}"
