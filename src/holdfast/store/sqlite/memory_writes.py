"""Writes memories on SQLite: row, passage, full text and vector in one transaction."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.clock import stamp
from holdfast.store.rows.memory_rows import event_of, memory_of, row_of
from holdfast.store.rows.passage_rows import message_row, message_terms, passage_of, session_rows
from holdfast.store.sqlite.operation_writes import (
    JoinedOperation,
    OperationRecorder,
    insert_operation,
    latest_operation,
    mark_redone,
    mark_undone,
    undone_operation,
)
from holdfast.store.sqlite.passage_vectors import (
    add_vectors,
    add_vectors_by_owner,
    drop_vectors_except,
    mark_of_all,
    marks_of,
    put_sentences,
    put_vector,
)
from holdfast.store.sqlite.sqlite_statements import statements
from holdfast.store.sqlite.traits import put_bag, put_missing_bags

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.core.conversation import ConsolidatedPage
    from holdfast.core.cosine_scale import MeasuredCosines
    from holdfast.core.embedding import Embedding
    from holdfast.core.entity import Mention, MentionsByMemory
    from holdfast.core.memory import Memory
    from holdfast.core.memory_description import MemoryEvent, Operation
    from holdfast.store.sqlite.database import Database
    from holdfast.store.writing.memories import EmbedNow

    Link = Callable[[sqlite3.Connection, str, MentionsByMemory, datetime], int]
    _NewMemory = tuple[Memory, Embedding | None]

# The number of segments from which the full-text index is merged, and the pages written per transaction.
_MANY_SEGMENTS, _PAGES_AT_ONCE = 4, 256
_COUNTED_AT_ONCE = 50


class SqliteMemories:
    """`MemoryWriting` and `EpisodeWriting` on SQLite."""

    def __init__(self, database: Database, link: Link, embed: EmbedNow, now: Callable[[], datetime]) -> None:
        self._database = database
        self._link = link
        self._embed = embed
        self._now = now
        self._together = threading.local()

    @contextlib.contextmanager
    def change(self, *, durable: bool, undoable: str = "") -> Iterator[SqliteChange]:
        with self._database.write(durable=durable) as connection:
            joined: JoinedOperation | None = getattr(self._together, "operation", None)
            recorder = OperationRecorder(connection, undoable, self._now, joined) if undoable else None
            change = SqliteChange(connection, self._link, self._embed, recorder)
            yield change
            change.finish()
        if recorder is not None:
            recorder.committed()

    @contextlib.contextmanager
    def together(self, verb: str) -> Iterator[None]:
        outer: JoinedOperation | None = getattr(self._together, "operation", None)
        self._together.operation = JoinedOperation(verb)
        try:
            yield
        finally:
            self._together.operation = outer

    def add_operation(self, project: str, verb: str) -> None:
        with self._database.write(durable=False) as connection:
            insert_operation(connection, project, verb, self._now())

    def add_episodes(self, episodes: Sequence[Memory], kind: str, named: MentionsByMemory = ()) -> None:
        sql = statements("writing")
        embeddings = self._embed(episodes)
        # Without word bags, which the background makes: storing messages must stay fast.
        with self._database.write(durable=False) as connection:
            connection.executemany(sql["insert_episode"], map(message_row, episodes))
            # In one statement, because the full-text index flushes its pending words after each.
            mark = mark_of_all(connection, embeddings)
            connection.execute(sql["insert_said"], {"rows": json.dumps(list(map(message_terms, episodes))), **mark})
            add_vectors_by_owner(connection, [episode.id for episode in episodes], embeddings, mark)
            connection.executemany(sql["upsert_session"], session_rows(episodes, kind))
            if named:
                self._link(connection, episodes[0].project, named, episodes[0].created_at)

    def put_vectors(self, embeddings: Mapping[int, Embedding]) -> None:
        with self._database.write(durable=False) as connection:
            for passage, embedding in embeddings.items():
                put_vector(connection, passage, embedding)

    def put_sentences(self, embeddings: Mapping[int, Embedding]) -> None:
        with self._database.write(durable=False) as connection:
            for passage, embedding in embeddings.items():
                put_sentences(connection, passage, embedding)

    def put_cosines(self, embedder: str, measured: MeasuredCosines) -> None:
        from holdfast.core.cosine_scale import as_fields

        value = json.dumps({**as_fields(measured.scales), "passages_count": measured.passages})
        with self._database.write(durable=False) as connection:
            connection.execute(statements("writing")["put_cosines"], {"name": embedder, "value": value})

    def drop_vectors_except(self, embedder: str) -> int:
        if not self._database.read(statements("writing")["other_embedders"], {"name": embedder}):
            return 0
        from holdfast.store.vectors.vector_file import path_of

        with self._database.write(durable=False) as connection:
            dropped, embedders = drop_vectors_except(connection, embedder)
        for number in embedders:
            with contextlib.suppress(OSError):
                os.remove(path_of(self._database.path, number))
        return dropped

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
        counted = last = 0
        while may_go_on():
            with self._database.write(durable=False) as connection:
                some = put_missing_bags(connection, _COUNTED_AT_ONCE, last)
            counted += len(some)
            if len(some) < _COUNTED_AT_ONCE:
                break
            last = some[-1]
        return counted

    def drop_unused_code(self, project: str) -> int:
        with self._database.write(durable=False) as connection:
            return connection.execute(statements("anchors")["drop_unused_texts"], {"project": project}).rowcount

    def _join(self, pages: int) -> int:
        with self._database.write(durable=False) as connection:
            before = connection.total_changes
            connection.execute(statements("writing")["join_words"], {"pages": pages})
            return connection.total_changes - before


class SqliteChange:
    """One open transaction on memories. Passages are added at its end, all at once, which is faster."""

    def __init__(
        self, connection: sqlite3.Connection, link: Link, embed: EmbedNow, recorder: OperationRecorder | None = None
    ) -> None:
        self._connection = connection
        self._link = link
        self._embed = embed
        self._recorder = recorder
        self._sql = statements("writing")
        self._new: dict[str, _NewMemory] = {}
        self._named: list[tuple[Memory, Sequence[Mention]]] = []
        self._named_in = ""

    def finish(self) -> None:
        """Adds the passages and entity links of new memories."""
        if self._new:
            add_passages(self._connection, self._embedded(list(self._new.values())))
        if self._named:
            first, pairs = self._named[0][0], [(memory.id, mentions) for memory, mentions in self._named]
            self._link(self._connection, self._named_in, pairs, first.created_at)
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
        if self._recorder is not None:
            self._recorder.added(memory)
        self._new[memory.id] = (memory, embedding)

    def name(self, memory: Memory, mentions: Sequence[Mention], project: str) -> None:
        if mentions:
            self._named.append((memory, mentions))
            self._named_in = project

    def put(self, memory: Memory) -> None:
        if memory.id in self._new:
            self.finish()
        if self._recorder is not None:
            self._recorder.changes(memory)
        passage = passage_of(memory)
        old = self._connection.execute(self._sql["passage_of"], passage).fetchone()
        self._connection.execute(self._sql["update_memory"], row_of(memory))
        if old is None:
            add_passages(self._connection, self._embedded([(memory, None)]))
        elif any(old[name] != passage[name] for name in ("body", "tags", "files", "questions")):
            self._connection.execute(self._sql["update_passage"], passage).fetchall()
            put_bag(self._connection, old["id"], passage)
            self._connection.execute(self._sql["clear_passage_files"], {"passage": old["id"]})
            _add_files(self._connection, old["id"], memory)
            for embedding in self._embed([memory]):
                put_vector(self._connection, old["id"], embedding)

    def put_code_text(self, project: str, hash: str, text: str) -> None:
        import zlib

        row = {"project": project, "hash": hash, "text": zlib.compress(text.encode(), 6)}
        self._connection.execute(statements("anchors")["put_text"], row)

    def close_page(self, project: str, page: ConsolidatedPage) -> None:
        from holdfast.store.sqlite.session_writes import close_page

        close_page(self._connection, project, page)

    def note(self, id: str, at: datetime, verb: str, reason: str = "", detail: Mapping[str, Any] | None = None) -> None:
        parameters = {"memory": id, "at": stamp(at), "verb": verb, "reason": reason, "detail": json.dumps(detail or {})}
        self._connection.execute(self._sql["insert_event"], parameters)

    def latest_operation(self, project: str) -> Operation | None:
        return latest_operation(self._connection, project)

    def undone_operation(self, project: str) -> Operation | None:
        return undone_operation(self._connection, project)

    def mark_undone(self, operation: Operation, restored: Mapping[str, Memory]) -> None:
        mark_undone(self._connection, operation, restored)

    def mark_redone(self, operation: Operation, restored: Mapping[str, Memory]) -> None:
        mark_redone(self._connection, operation, restored)

    def _embedded(self, new: Sequence[_NewMemory]) -> list[_NewMemory]:
        """The same memories, each with an embedding if there is one."""
        made = iter(self._embed([memory for memory, embedding in new if embedding is None]))
        return [(memory, embedding or next(made, None)) for memory, embedding in new]


def add_passages(connection: sqlite3.Connection, new: Sequence[_NewMemory]) -> None:
    """Adds the passages of memories with their files and vectors. A single one gets its word bag, too."""
    embeddings = [embedding for _, embedding in new]
    rows = [
        {**passage_of(memory), **mark} for (memory, _), mark in zip(new, marks_of(connection, embeddings), strict=True)
    ]
    numbers = [_add_one(connection, rows[0])] if len(rows) == 1 else _add_all(connection, rows)
    for number, (memory, _) in zip(numbers, new, strict=True):
        _add_files(connection, number, memory)
    add_vectors(connection, numbers, embeddings)


def _add_one(connection: sqlite3.Connection, row: Mapping[str, Any]) -> int:
    passage = connection.execute(statements("writing")["insert_passage"], row).lastrowid
    assert passage is not None
    put_bag(connection, passage, row)
    return passage


def _add_all(connection: sqlite3.Connection, rows: Sequence[Mapping[str, Any]]) -> list[int]:
    last = connection.execute(statements("documents")["last_passage"]).fetchone()[0]
    numbers = list(range(last + 1, last + 1 + len(rows)))
    numbered = [{**row, "passage": number} for number, row in zip(numbers, rows, strict=True)]
    # In one statement, because the full-text index flushes its pending words after each. Without word bags, which the
    # background makes.
    connection.execute(statements("writing")["insert_passages"], {"rows": json.dumps(numbered)})
    return numbers


def _add_files(connection: sqlite3.Connection, passage: int, memory: Memory) -> None:
    for path in memory.files:
        parameters = {"project": memory.project, "path": path, "passage": passage}
        connection.execute(statements("writing")["insert_passage_file"], parameters)
