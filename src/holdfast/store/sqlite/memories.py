"""Changing memories on SQLite: row, passage, full text and vector in one transaction."""

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
from holdfast.store.sqlite.traits import put_bag, put_codes, put_missing_bags

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.core.conversation import ConsolidatedPage
    from holdfast.core.entity import Mention, Pairs
    from holdfast.core.memory import Memory
    from holdfast.core.memory_description import MemoryEvent
    from holdfast.store.sqlite.database import Database
    from holdfast.store.writing.memories import Embedding

    Link = Callable[[sqlite3.Connection, str, Pairs, datetime], int]

# From so many parts on the index of words is joined; so many of its pages are written in one transaction.
_MANY_PARTS, _PAGES_AT_ONCE = 4, 256
_COUNTED_AT_ONCE = 500


class SqliteMemories:
    """The writing face for memories and episodes."""

    def __init__(self, database: Database, link: Link) -> None:
        self._database = database
        self._link = link

    @contextlib.contextmanager
    def change(self, *, durable: bool) -> Iterator[SqliteChange]:
        with self._database.write(durable=durable) as connection:
            change = SqliteChange(connection, self._link)
            yield change
            change.finish()

    def add_episodes(self, episodes: Sequence[Memory], kind: str, named: Pairs = ()) -> None:
        sql = statements("writing")
        # Why without their bags: words are counted when the vector is made, and saying stays quick.
        with self._database.write(durable=False) as connection:
            connection.executemany(sql["insert_episode"], map(message_row, episodes))
            # Why in one statement: the full-text index writes out what it has gathered after each.
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
            given = {"embedder": row["id"]}
            return connection.execute(statements("writing")["drop_other_vectors"], given).rowcount

    def join_words(self, may_go_on: Callable[[], bool]) -> int:
        parts = int(self._database.read(statements("reading")["parts_of_words"])[0][0])
        if parts < _MANY_PARTS:
            return 0
        # Why below 0 at first: it makes all parts one task, on which every further step goes on.
        changed = self._join(-_PAGES_AT_ONCE)
        # Why 2: a step that finds nothing to do counts as one change.
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
    """One open transaction on memories. What is added becomes findable at its end, all at once: that is quicker."""

    def __init__(self, connection: sqlite3.Connection, link: Link) -> None:
        self._connection = connection
        self._link = link
        self._sql = statements("writing")
        self._new: dict[str, tuple[Memory, Embedding | None]] = {}
        self._named: list[tuple[Memory, Sequence[Mention]]] = []

    def finish(self) -> None:
        """Makes findable what was added, by its words and by what it names."""
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
        given = {"project": project, "hash": hash}
        return tuple(memory_of(row) for row in self._connection.execute(statements("reading")["twins"], given))

    def successors(self, memory: Memory) -> tuple[Memory, ...]:
        given = {"project": memory.project, "id": memory.id}
        return tuple(memory_of(row) for row in self._connection.execute(statements("reading")["successors"], given))

    def events(self, id: str) -> tuple[MemoryEvent, ...]:
        return tuple(map(event_of, self._connection.execute(statements("reading")["events"], {"id": id})))

    def pointing_at(self, project: str, ids: Sequence[str]) -> tuple[Memory, ...]:
        given = {"project": project, "ids": json.dumps(list(ids))}
        return tuple(memory_of(row) for row in self._connection.execute(statements("reading")["pointing_at"], given))

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
        given = {"memory": id, "at": stamp(at), "verb": verb, "reason": reason, "detail": json.dumps(detail or {})}
        self._connection.execute(self._sql["insert_event"], given)


def add_passage(connection: sqlite3.Connection, memory: Memory) -> int:
    """Makes a memory findable by words and files; returns the passage's number."""
    given = passage_of(memory)
    passage = connection.execute(statements("writing")["insert_passage"], given).lastrowid
    assert passage is not None
    put_bag(connection, passage, given)
    _add_files(connection, passage, memory)
    return passage


def add_passages(connection: sqlite3.Connection, memories: Sequence[Memory]) -> list[int]:
    """Makes many memories findable; returns the numbers of their passages."""
    if len(memories) == 1:
        return [add_passage(connection, memories[0])]
    sql = statements("writing")
    last = connection.execute(statements("documents")["last_passage"]).fetchone()[0]
    numbers = list(range(last + 1, last + 1 + len(memories)))
    rows = [{**passage_of(memory), "passage": number} for number, memory in zip(numbers, memories, strict=True)]
    # Why in one statement: the full-text index writes out what it has gathered after each. Why without their bags: the
    # words of many are counted with their vectors, which follow at once.
    connection.execute(sql["insert_passages"], {"rows": json.dumps(rows)})
    for number, memory in zip(numbers, memories, strict=True):
        _add_files(connection, number, memory)
    return numbers


def put_vector(connection: sqlite3.Connection, passage: int, embedding: Embedding) -> None:
    """Puts a passage's vector in the place of an older one of the same model, if it still says what was embedded."""
    sql = statements("writing")
    still = connection.execute(sql["says_still"], {"passage": passage, "said": embedding.said}).fetchone()
    if still is None:
        return
    if still["uncounted"]:
        put_bag(connection, passage, still)
    row = connection.execute(statements("reading")["embedder"], {"name": embedding.embedder}).fetchone()
    if row is None:
        given = {"name": embedding.embedder, "dimensions": embedding.dimensions}
        connection.execute(sql["insert_embedder"], given)
        row = connection.execute(statements("reading")["embedder"], {"name": embedding.embedder}).fetchone()
    place = {"passage": passage, "embedder": row["id"]}
    connection.execute(sql["delete_vector"], place)
    connection.execute(sql["insert_vector"], {**place, "vector": embedding.data})
    put_codes(connection, place, embedding.views, embedding.tokens)
    connection.execute(sql["mark_embedded"], place)


def _add_files(connection: sqlite3.Connection, passage: int, memory: Memory) -> None:
    for path in memory.files:
        given = {"project": memory.project, "path": path, "passage": passage}
        connection.execute(statements("writing")["insert_passage_file"], given)
