"""Erases the text of memories on SQLite: rows, full text, vectors, and the unused pages of the file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.memory import Memory, empty_mapping
from holdfast.store.rows.memories import memory_of
from holdfast.store.sqlite.memories import SqliteChange
from holdfast.store.sqlite.statements import statements
from holdfast.store.sqlite.vocabulary import quoted

if TYPE_CHECKING:
    from holdfast.store.sqlite.database import Database
    from holdfast.store.sqlite.memories import Link
    from holdfast.store.writing.erasure import TextRemoval
    from holdfast.store.writing.memories import EmbedNow

ERASED = "[erased]"
# Statements that clean one column after another, then those that drop what nothing uses any more.
_CLEANING = ("events", "history", "sessions", "pages", "operations", "entities", "merges", "observed", "observations")
_DROPPING = ("mentions", "unmentioned", "cache", "vectors")


class SqliteErasure:
    """`ErasureWriting` on SQLite."""

    def __init__(self, database: Database, link: Link, embed: EmbedNow) -> None:
        self._database = database
        self._link = link
        self._embed = embed

    def projects(self, project: str, ids: Collection[str]) -> tuple[str, ...]:
        parameters = {"project": project, "ids": json.dumps(list(ids))}
        return tuple(row["id"] for row in self._database.read(statements("erasure")["projects"], parameters))

    def connected(self, projects: Collection[str], ids: Collection[str]) -> tuple[Memory, ...]:
        parameters = {"projects": json.dumps(list(projects)), "ids": json.dumps(list(ids))}
        return tuple(map(memory_of, self._database.read(statements("erasure")["connected"], parameters)))

    def erase(
        self, projects: Collection[str], ids: Collection[str], removal: TextRemoval, at: datetime
    ) -> tuple[Memory, ...]:
        connected, within = self.connected(projects, ids), {"projects": json.dumps(list(projects))}
        with self._database.write(durable=True) as connection:
            _provide(connection, removal)
            change = SqliteChange(connection, self._link, self._embed)
            repeating = connection.execute(statements("erasure")["repeating"], within)
            found = {memory.id: memory for memory in (*connected, *map(memory_of, repeating))}
            changed = [clean for memory in found.values() if (clean := _cleaned(memory, ids, removal)) != memory]
            for memory in changed:
                change.put(memory)
                change.note(memory.id, at, "erase")
            _run(connection, within, [memory.id for memory in changed], removal)
        return tuple(changed)

    def compact(self) -> bool:
        from holdfast.store.vectors.vector_file import remove_files

        with self._database.write(durable=True) as connection:
            connection.execute(statements("writing")["rebuild_fts"])
        remove_files(self._database.path)
        return self._database.compact()


def _provide(connection: sqlite3.Connection, removal: TextRemoval) -> None:
    """Makes the removal available to SQL; a null stays a null."""
    functions = {"repeats": removal.repeats, "clean": removal.clean, "clean_json": removal.clean_json}
    for name, function in functions.items():
        connection.create_function(name, 1, lambda text, function=function: None if text is None else function(text))


def _cleaned(memory: Memory, ids: Collection[str], removal: TextRemoval) -> Memory:
    """An erased memory without any text of its own; another one without the sentences that repeat the text."""
    if memory.id in ids:
        return replace(
            memory, content=ERASED, citation=None, tags=(), files=(), modules=(), anchors=(), impacted_nodes=(),
            target_node=None, fields=empty_mapping(), attributes=empty_mapping(), work_unit=None, chunk=None,
            forgotten_at=memory.forgotten_at or memory.created_at,
        )  # fmt: skip
    return replace(
        memory,
        content=removal.clean(memory.content) or ERASED,
        citation=removal.clean(memory.citation) or None if memory.citation else None,
        tags=tuple(tag for tag in map(removal.clean, memory.tags) if tag),
        fields=json.loads(removal.clean_json(json.dumps(dict(memory.fields)))),
        attributes=json.loads(removal.clean_json(json.dumps(dict(memory.attributes)))),
    )


def _run(connection: sqlite3.Connection, within: Mapping[str, str], ids: Collection[str], removal: TextRemoval) -> None:
    sql, parameters = statements("erasure"), {**within, "ids": json.dumps(list(ids))}
    for name in (*_CLEANING, *_DROPPING):
        connection.execute(sql[name], parameters)
    for word in removal.words:
        connection.execute(sql["word"], {"word": word, "match": quoted(word)})
