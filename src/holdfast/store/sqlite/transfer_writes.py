"""Exports and imports whole projects on SQLite."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from holdfast.core.archive import ProjectArchive
from holdfast.core.clock import stamp
from holdfast.core.conversation import HistoryEntry, SessionState
from holdfast.core.entity import Entity, EntityMentions, EntityMerge, key_of
from holdfast.store.rows.entity_rows import entity_of, merge_of
from holdfast.store.rows.memory_rows import memory_of
from holdfast.store.rows.row import stored_json
from holdfast.store.rows.session_rows import entry_of, entry_row, state_of
from holdfast.store.sqlite.entity_writes import add_entity, link_present, put_merge
from holdfast.store.sqlite.memory_writes import SqliteChange
from holdfast.store.sqlite.sqlite_statements import statements

if TYPE_CHECKING:
    from holdfast.store.sqlite.database import Database
    from holdfast.store.sqlite.memory_writes import Link
    from holdfast.store.writing.memories import EmbedNow

_KEPT = ("id", "kind", "title", "consolidated_to", "trimmed_to", "recap")
_MOMENTS = ("created_at", "last_at", "consolidated_at", "archived_at")


T = TypeVar("T")


@dataclass(frozen=True)
class _Rows(Generic[T]):
    """The rows of a query as values, read while they are iterated, each time again."""

    connection: sqlite3.Connection
    sql: str
    parameters: Mapping[str, Any]
    make: Callable[[sqlite3.Row], T]

    def __iter__(self) -> Iterator[T]:
        return map(self.make, self.connection.execute(self.sql, self.parameters))


class SqliteTransfer:
    """`ProjectTransfer` on SQLite."""

    def __init__(self, database: Database, link: Link, embed: EmbedNow) -> None:
        self._database = database
        self._link = link
        self._embed = embed

    @contextlib.contextmanager
    def start_export(self, project: str) -> Iterator[ProjectArchive]:
        transfer, sessions, entities = (statements(name) for name in ("transfer", "sessions", "entities"))
        with self._database.snapshot() as connection:

            def rows(make: Callable[[sqlite3.Row], T], sql: str, **parameters: Any) -> _Rows[T]:
                return _Rows(connection, sql, {"project": project, **parameters}, make)

            yield ProjectArchive(
                memories=rows(memory_of, transfer["memories"]),
                events=rows(_event, transfer["events"]),
                sessions=rows(state_of, sessions["all"], limit=-1),
                history=rows(entry_of, sessions["history"], session=None, limit=-1, offset=0),
                entities=rows(_named, transfer["entities"]),
                merges=rows(merge_of, entities["merges"]),
            )

    @contextlib.contextmanager
    def start_import(self) -> Iterator[SqliteImport]:
        with self._database.write(durable=True) as connection:
            arrival = SqliteImport(connection, self._link, self._embed)
            yield arrival
            arrival.finish()


class SqliteImport(SqliteChange):
    """One transaction that imports a project."""

    def owner(self, id: str) -> str | None:
        row = self._one("owner", id=id)
        return row["project_id"] if row else None

    def add_session(self, project: str, state: SessionState) -> bool:
        is_new = self._one("has_session", project=project, id=state.id) is None
        moments = {name: getattr(state, name) for name in _MOMENTS}
        parameters = {"project": project, **{name: getattr(state, name) for name in _KEPT}}
        parameters |= {name: stamp(at) if at else None for name, at in moments.items()}
        self._connection.execute(statements("transfer")["put_session"], parameters)
        return is_new

    def add_history(self, project: str, entry: HistoryEntry) -> bool:
        if self.owner(entry.id) is not None:
            return False
        self._connection.execute(statements("sessions")["insert_history"], entry_row(project, entry))
        return True

    def find_entity(self, entity: Entity) -> Entity | None:
        namesake = {"key": key_of(entity.name), "type": entity.type}
        row = self._one("present", project=entity.project, id=entity.id)
        row = row or self._one("namesake", project=entity.project, **namesake)
        return entity_of(row) if row else None

    def add_entity(self, entity: Entity, memories: Iterable[str]) -> None:
        add_entity(self._connection, entity, memories)

    def link(self, entity: Entity, memories: Iterable[str]) -> None:
        link_present(self._connection, entity, memories)

    def add_merge(self, merge: EntityMerge) -> None:
        put_merge(self._connection, merge)

    def _one(self, name: str, /, **parameters: Any) -> sqlite3.Row | None:
        row: sqlite3.Row | None = self._connection.execute(statements("transfer")[name], parameters).fetchone()
        return row


def _event(row: sqlite3.Row) -> Mapping[str, Any]:
    return {**dict(row), "detail": stored_json(row["detail"], {})}


def _named(row: sqlite3.Row) -> EntityMentions:
    return EntityMentions(entity_of(row), stored_json(row["memories"], ()))
