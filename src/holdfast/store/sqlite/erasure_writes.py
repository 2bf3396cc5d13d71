"""Erases the text of memories on SQLite: rows, full text, vectors, and the unused pages of the file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.store.rows.erased import emptied, without_sentences
from holdfast.store.rows.memory_rows import memory_of
from holdfast.store.sqlite.memory_writes import SqliteChange
from holdfast.store.sqlite.sqlite_statements import statements
from holdfast.store.sqlite.vocabulary import quoted

if TYPE_CHECKING:
    from typing import Any

    from holdfast.core.memory import Memory
    from holdfast.store.sqlite.database import Database
    from holdfast.store.sqlite.memory_writes import Link
    from holdfast.store.writing.erasure import RecordedErasure
    from holdfast.store.writing.memories import EmbedNow
    from holdfast.text.removal import SentenceRemoval

# Statements about the erased memories themselves, those that clean one column after another, and those that drop what
# nothing uses any more.
_OWN = ("own_events", "own_operations", "own_changes")
_CLEANING = (
    "events", "history", "sessions", "pages", "items", "operations", "entities", "merges", "observed", "observations",
    "observed_texts", "promotions", "added_titles", "added_passages", "added_vectors", "added_chunks",
)  # fmt: skip
_DROPPING = ("mentions", "unmentioned", "unmerged", "cache", "vectors")


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

    def record(self, project: str, ids: Collection[str], texts: Collection[str]) -> None:
        memories, kept = json.dumps(list(ids)), json.dumps(list(texts), ensure_ascii=False)
        self._write("record", project=project, memories=memories, texts=kept)

    def recorded(self) -> tuple[RecordedErasure, ...]:
        from holdfast.store.writing.erasure import RecordedErasure

        return tuple(
            RecordedErasure(
                row["id"],
                row["project_id"],
                tuple(json.loads(row["memories"])),
                None if row["texts"] is None else tuple(json.loads(row["texts"])),
                bool(row["compacted"]),
            )
            for row in self._database.read(statements("erasure")["recorded"])
        )

    def forget_texts(self, erasure: int) -> None:
        self._write("forget_texts", id=erasure)

    def finish(self, erasure: int) -> None:
        self._write("finish", id=erasure)

    def _write(self, name: str, /, **parameters: Any) -> None:
        with self._database.write(durable=True) as connection:
            connection.execute(statements("erasure")[name], parameters)

    def erase(
        self, projects: Collection[str], ids: Collection[str], removal: SentenceRemoval, at: datetime
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
            for name in _OWN:
                connection.execute(statements("erasure")[name], {**within, "ids": json.dumps(list(ids))})
            _run(connection, within, [memory.id for memory in changed], removal)
        return tuple(changed)

    def compact(self) -> None:
        from holdfast.store.vectors.vector_file import remove_files

        with self._database.write(durable=True) as connection:
            connection.execute(statements("writing")["rebuild_fts"])
            connection.execute(statements("documents")["rebuild_titles"])
        remove_files(self._database.path)
        self._database.compact()

    def mark_compacted(self, erasure: int) -> None:
        self._write("compacted", id=erasure)

    def delete_copies(self) -> tuple[str, ...]:
        from holdfast.store.sqlite.backups import delete_copies

        return delete_copies(self._database.path)

    def empty_log(self) -> bool:
        return self._database.empty_log()


def _provide(connection: sqlite3.Connection, removal: SentenceRemoval) -> None:
    """Makes the removal available to SQL; a null stays a null."""
    for name in ("repeats", "clean", "clean_json", "clean_page"):
        function = getattr(removal, name)
        connection.create_function(name, 1, lambda text, function=function: None if text is None else function(text))


def _cleaned(memory: Memory, ids: Collection[str], removal: SentenceRemoval) -> Memory:
    return emptied(memory) if memory.id in ids else without_sentences(memory, removal)


def _run(
    connection: sqlite3.Connection, within: Mapping[str, str], ids: Collection[str], removal: SentenceRemoval
) -> None:
    sql, parameters = statements("erasure"), {**within, "ids": json.dumps(list(ids))}
    for name in (*_CLEANING, *_DROPPING):
        connection.execute(sql[name], parameters)
    for word in removal.words:
        connection.execute(sql["word"], {"word": word, "match": quoted(word)})
