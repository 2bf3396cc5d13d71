"""Writes memories on SQLite: row, passage, full text and vector in one transaction."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.clock import stamp
from holdfast.store.rows.memories import event_of, memory_of, row_of
from holdfast.store.rows.passages import message_row, message_terms, passage_of, session_rows
from holdfast.store.sqlite.statements import statements
from holdfast.store.sqlite.traits import put_bag, put_missing_bags, put_views

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.core.conversation import ConsolidatedPage
    from holdfast.core.entity import Mention, MentionsByMemory
    from holdfast.core.memory import Memory
    from holdfast.core.memory_description import MemoryEvent
    from holdfast.store.sqlite.database import Database
    from holdfast.store.writing.memories import Embedding

    Link = Callable[[sqlite3.Connection, str, MentionsByMemory, datetime], int]

# The number of segments from which the full-text index is merged, and the pages written per transaction.
_MANY_SEGMENTS, _PAGES_AT_ONCE = 4, 256
_COUNTED_AT_ONCE = 500


class SqliteMemories:
    """`MemoryWriting` and `EpisodeWriting` on SQLite."""

    def __init__(self, database: Database, link: Link) -> None:
        self._database = database
        self._link = link

    @contextlib.contextmanager
    def change(self, *, durable: bool) -> Iterator[SqliteChange]:
        with self._database.write(durable=durable) as connection:
            change = SqliteChange(connection, self._link)
            yield change
            change.finish()

    def add_episodes(self, episodes: Sequence[Memory], kind: str, named: MentionsByMemory = ()) -> None:
        sql = statements("writing")
        # Without word bags, which are made with the vectors: storing messages must stay fast.
        with self._database.write(durable=False) as connection:
            connection.executemany(sql["insert_episode"], map(message_row, episodes))
            # In one statement, because the full-text index flushes its pending words after each.
            connection.execute(sql["insert_said"], {"rows": json.dumps(list(map(message_terms, episodes)))})
            connection.executemany(sql["upsert_session"], session_rows(episodes, kind))
            if named:
                self._link(connection, episodes[0].project, named, episodes[0].created_at)

    def put_vectors(self, embeddings: Mapping[int, Embedding]) -> None:
        with self._database.write(durable=False) as connection:
            for passage, embedding in embeddings.items():
                put_vector(connection, passage, embedding)

    def drop_vectors_except(self, embedder: str) -> int:
        with self._database.write(durable=False) as connection:
            row = connection.execute(statements("reading")["embedder"], {"name": embedder}).fetchone()
            if row is None:
                return 0
            parameters = {"embedder": row["id"]}
            return connection.execute(statements("writing")["drop_other_vectors"], parameters).rowcount

    def join_words(self, may_go_on: Callable[[], bool]) -> int:
        parts = int(self._database.read(statements("reading")["parts_of_words"])[0][0])
        if parts < _MANY_SEGMENTS:
            return 0
        # A negative number of pages first: it starts one merge of all segments, which the further steps continue.
        changed = self._join(-_PAGES_AT_ONCE)
        # At least 2, because a step without work counts as one change.
        while changed >= 2 and may_go_on():
            changed = self._join(_PAGES_AT_ONCE)
        return parts

    def count_words(self, may_go_on: Callable[[], bool]) -> int:
        counted = some = 0
        while may_go_on():
            with self._database.write(durable=False) as connection:
                some = put_missing_bags(connection, _COUNTED_AT_ONCE)
            counted += some
            if some < _COUNTED_AT_ONCE:
                break
        return counted

    def _join(self, pages: int) -> int:
        with self._database.write(durable=False) as connection:
            before = connection.total_changes
            connection.execute(statements("writing")["join_words"], {"pages": pages})
            return connection.total_changes - before


class SqliteChange:
    """One open transaction on memories. Passages are added at its end, all at once, which is faster."""

    def __init__(self, connection: sqlite3.Connection, link: Link) -> None:
        self._connection = connection
        self._link = link
        self._sql = statements("writing")
        self._new: dict[str, tuple[Memory, Embedding | None]] = {}
        self._named: list[tuple[Memory, Sequence[Mention]]] = []

    def finish(self) -> None:
        """Adds the passages and entity links of new memories."""
        if self._new:
            numbers = add_passages(self._connection, [memory for memory, _ in self._new.values()])
            for number, (_, embedding) in zip(numbers, self._new.values(), strict=True):
                if embedding is not None:
                    put_vector(self._connection, number, embedding)
        if self._named:
            first, pairs = self._named[0][0], [(memory.id, mentions) for memory, mentions in self._named]
            self._link(self._connection, first.project, pairs, first.created_at)
        self._new, self._named = {}, []

    def get(self, id: str) -> Memory | None:
        row = self._connection.execute(statements("reading")["memory"], {"id": id}).fetchone()
        return memory_of(row) if row else None

    def twins(self, project: str, hash: str) -> tuple[Memory, ...]:
        parameters = {"project": project, "hash": hash}
        return tuple(map(memory_of, self._connection.execute(statements("reading")["twins"], parameters)))

    def successors(self, memory: Memory) -> tuple[Memory, ...]:
        parameters = {"project": memory.project, "id": memory.id}
        return tuple(map(memory_of, self._connection.execute(statements("reading")["successors"], parameters)))

    def events(self, id: str) -> tuple[MemoryEvent, ...]:
        return tuple(map(event_of, self._connection.execute(statements("reading")["events"], {"id": id})))

    def pointing_at(self, project: str, ids: Sequence[str]) -> tuple[Memory, ...]:
        parameters = {"project": project, "ids": json.dumps(list(ids))}
        return tuple(map(memory_of, self._connection.execute(statements("reading")["pointing_at"], parameters)))

    def add(self, memory: Memory, embedding: Embedding | None = None) -> None:
        self._connection.execute(self._sql["insert_memory"], row_of(memory))
        self._new[memory.id] = (memory, embedding)

    def name(self, memory: Memory, mentions: Sequence[Mention]) -> None:
        if mentions:
            self._named.append((memory, mentions))

    def put(self, memory: Memory) -> None:
        if memory.id in self._new:
            self.finish()
        self._connection.execute(self._sql["update_memory"], row_of(memory))
        passage = passage_of(memory)
        old = self._connection.execute(self._sql["passage_of"], passage).fetchone()
        if old is None:
            add_passage(self._connection, memory)
        elif any(old[name] != passage[name] for name in ("body", "tags", "files")):
            self._connection.execute(self._sql["update_passage"], passage).fetchall()
            put_bag(self._connection, old["id"], passage)
            self._connection.execute(self._sql["clear_passage_files"], {"passage": old["id"]})
            _add_files(self._connection, old["id"], memory)

    def close_page(self, project: str, page: ConsolidatedPage) -> None:
        from holdfast.store.sqlite.sessions import close_page

        close_page(self._connection, project, page)

    def note(self, id: str, at: datetime, verb: str, reason: str = "", detail: Mapping[str, Any] | None = None) -> None:
        parameters = {"memory": id, "at": stamp(at), "verb": verb, "reason": reason, "detail": json.dumps(detail or {})}
        self._connection.execute(self._sql["insert_event"], parameters)


def add_passage(connection: sqlite3.Connection, memory: Memory) -> int:
    """Adds the passage of a memory, with its word bag and files; returns its number."""
    parameters = passage_of(memory)
    passage = connection.execute(statements("writing")["insert_passage"], parameters).lastrowid
    assert passage is not None
    put_bag(connection, passage, parameters)
    _add_files(connection, passage, memory)
    return passage


def add_passages(connection: sqlite3.Connection, memories: Sequence[Memory]) -> list[int]:
    """Adds the passages of memories; returns their numbers."""
    if len(memories) == 1:
        return [add_passage(connection, memories[0])]
    sql = statements("writing")
    last = connection.execute(statements("documents")["last_passage"]).fetchone()[0]
    numbers = list(range(last + 1, last + 1 + len(memories)))
    rows = [{**passage_of(memory), "passage": number} for number, memory in zip(numbers, memories, strict=True)]
    # In one statement, because the full-text index flushes its pending words after each. Without word bags, which are
    # made with the vectors.
    connection.execute(sql["insert_passages"], {"rows": json.dumps(rows)})
    for number, memory in zip(numbers, memories, strict=True):
        _add_files(connection, number, memory)
    return numbers


def put_vector(connection: sqlite3.Connection, passage: int, embedding: Embedding) -> None:
    """Replaces the vector of a passage, if its text is still the one that was embedded."""
    sql = statements("writing")
    still = connection.execute(sql["says_still"], {"passage": passage, "said": embedding.said}).fetchone()
    if still is None:
        return
    if still["uncounted"]:
        put_bag(connection, passage, still)
    row = connection.execute(statements("reading")["embedder"], {"name": embedding.embedder}).fetchone()
    if row is None:
        parameters = {"name": embedding.embedder, "dimensions": embedding.dimensions}
        connection.execute(sql["insert_embedder"], parameters)
        row = connection.execute(statements("reading")["embedder"], {"name": embedding.embedder}).fetchone()
    place = {"passage": passage, "embedder": row["id"]}
    connection.execute(sql["delete_vector"], place)
    connection.execute(sql["insert_vector"], {**place, "vector": embedding.data})
    put_views(connection, place, embedding.views)
    connection.execute(sql["mark_embedded"], place)


def _add_files(connection: sqlite3.Connection, passage: int, memory: Memory) -> None:
    for path in memory.files:
        parameters = {"project": memory.project, "path": path, "passage": passage}
        connection.execute(statements("writing")["insert_passage_file"], parameters)
