"""Checks a store and repairs its derived data."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import stat
from itertools import zip_longest
from typing import TYPE_CHECKING

from holdfast.core.errors import StoreBusy, StoreError, StoreFull, StoreReadOnly
from holdfast.core.health import HealthFinding, HealthLevel
from holdfast.core.reason import Reason
from holdfast.store.rows.memory_rows import memory_of
from holdfast.store.sqlite.chunks import add_missing_passages
from holdfast.store.sqlite.entity_writes import put_missing_name_words
from holdfast.store.sqlite.memory_writes import add_passages
from holdfast.store.sqlite.sqlite_statements import statements
from holdfast.store.sqlite.traits import put_all_missing_bags
from holdfast.store.store_reasons import StoreCode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.store.sqlite.database import Database
    from holdfast.store.writing.memories import EmbedNow

_ENOUGH_SPACE = 200 * 1024 * 1024
_LARGE_WAL = 256 * 1024 * 1024


class SqliteHealthCheck:
    """Checks a store and repairs its derived data. Memories and documents are never changed."""

    def __init__(self, database: Database, embed: EmbedNow) -> None:
        self._database = database
        self._embed = embed

    def examine(self) -> tuple[HealthFinding, ...]:
        """Runs every check and returns all findings, good ones included."""
        found = [self._integrity(), self._foreign_keys(), self._full_text()]
        found += [self._unfindable(), self._orphans(), self._unvectored()]
        found += [self._disk(), self._permissions(), self._wal(), *self._vector_files()]
        return tuple(found)

    def repair(self) -> tuple[Reason, ...]:
        """Rebuilds derived data that does not match memories and documents; returns what it did. Safe at any time."""
        from holdfast.store.vectors.vector_file import remove_files

        sql = statements("writing")
        with self._database.write(durable=True) as connection:
            # Rebuild the index first: removing a passage that is not in the index fails.
            connection.execute(sql["rebuild_fts"])
            for name in ("rebuild_titles", "add_missing_titles"):
                connection.execute(statements("documents")[name])
            orphans = connection.execute(sql["orphaned_passages"]).rowcount
            strays = sum(connection.execute(sql[name]).rowcount for name in _STRAYS)
            missing, chunks = self._add_missing(connection), add_missing_passages(connection, self._embed)
            bags = put_all_missing_bags(connection)
            put_missing_name_words(connection)
            waiting = sum(connection.execute(sql[name]).rowcount for name in ("requeue_unmarked", "requeue_sentences"))
        counts = (
            (StoreCode.ORPHANS_REMOVED, orphans),
            (StoreCode.STRAYS_REMOVED, strays),
            (StoreCode.MEMORIES_INDEXED, missing),
            (StoreCode.CHUNKS_INDEXED, chunks),
            (StoreCode.WORDS_COUNTED, bags),
            (StoreCode.EMBEDDINGS_QUEUED, waiting),
        )
        done = [Reason.of(code, count=count) for code, count in counts if count > 0]
        if remove_files(self._database.path):
            done.append(Reason.of(StoreCode.VECTOR_CODES_REMOVED))
        return (*done, Reason.of(StoreCode.INDEX_REBUILT))

    def _add_missing(self, connection: sqlite3.Connection) -> int:
        rows = connection.execute(statements("writing")["memories_without_passage"]).fetchall()
        find = statements("reading")["memory"]
        memories = [memory_of(connection.execute(find, {"id": row["id"]}).fetchone()) for row in rows]
        # One by one, so that each gets its word bag.
        for memory, embedding in zip_longest(memories, self._embed(memories)):
            add_passages(connection, [(memory, embedding)])
        return len(memories)

    def _integrity(self) -> HealthFinding:
        rows = self._database.read("pragma integrity_check(5)")
        problem = "; ".join(str(row[0]) for row in rows)
        if problem == "ok":
            return _good("integrity", StoreCode.INTACT)
        return _bad("integrity", Reason.of(StoreCode.DAMAGED, problem=problem[:200]))

    def _foreign_keys(self) -> HealthFinding:
        rows = self._database.read("pragma foreign_key_check")
        if not rows:
            return _good("references", StoreCode.REFERENCES_VALID)
        return _bad("references", Reason.of(StoreCode.REFERENCES_BROKEN, count=len(rows)))

    def _full_text(self) -> HealthFinding:
        try:
            with self._database.write(durable=False) as connection:
                connection.execute(statements("writing")["check_fts"])
                connection.execute(statements("documents")["check_titles"])
        except (StoreBusy, StoreFull, StoreReadOnly) as error:
            reason = Reason.of(StoreCode.INDEX_NOT_CHECKED, error=str(error)[:150])
            return HealthFinding("full text", HealthLevel.WARNING, reason)
        except StoreError as error:
            return _bad("full text", Reason.of(StoreCode.INDEX_OUTDATED, error=str(error)[:150]))
        return _good("full text", StoreCode.INDEX_COMPLETE)

    def _unfindable(self) -> HealthFinding:
        memories = len(self._database.read(statements("writing")["memories_without_passage"]))
        chunks = len(self._database.read(statements("documents")["without_passage"]))
        if not memories and not chunks:
            return _good("findable", StoreCode.SEARCHABLE)
        return _bad("findable", Reason.of(StoreCode.NOT_SEARCHABLE, memories=memories, chunks=chunks))

    def _orphans(self) -> HealthFinding:
        count = self._database.read(statements("writing")["count_orphaned_passages"])[0][0]
        if not count:
            return _good("orphans", StoreCode.NO_ORPHANS)
        return _bad("orphans", Reason.of(StoreCode.ORPHANS, count=count))

    def _unvectored(self) -> HealthFinding:
        names = ("count_unmarked", "count_unqueued_sentences")
        count = sum(self._database.read(statements("writing")[name])[0][0] for name in names)
        if not count:
            return _good("vectors", StoreCode.VECTORS_COMPLETE)
        return _bad("vectors", Reason.of(StoreCode.VECTORS_MISSING, count=count))

    def _disk(self) -> HealthFinding:
        free = shutil.disk_usage(os.path.dirname(os.path.abspath(self._database.path))).free
        space = Reason.of(StoreCode.DISK_SPACE, gigabytes=round(free / 1e9, 1))
        if free >= _ENOUGH_SPACE:
            return HealthFinding("disk space", HealthLevel.GOOD, space)
        return HealthFinding("disk space", HealthLevel.WARNING, space, Reason.of(StoreCode.FREE_SPACE))

    def _permissions(self) -> HealthFinding:
        path = self._database.path
        if not os.access(path, os.W_OK):
            return _bad("permissions", Reason.of(StoreCode.NOT_WRITABLE, path=path), StoreCode.CHECK_OWNER)
        mode = stat.S_IMODE(os.stat(path).st_mode)
        if os.name == "posix" and mode & 0o077:
            readable = Reason.of(StoreCode.READABLE_BY_OTHERS, path=path, mode=f"{mode:o}")
            hint = Reason.of(StoreCode.CHANGE_MODE, path=path)
            return HealthFinding("permissions", HealthLevel.WARNING, readable, hint)
        return _good("permissions", StoreCode.PRIVATE)

    def _wal(self) -> HealthFinding:
        bytes = 0
        with contextlib.suppress(FileNotFoundError):
            bytes = os.stat(self._database.path + "-wal").st_size
        size = Reason.of(StoreCode.LOG_SIZE, megabytes=round(bytes / 1e6, 1))
        if bytes < _LARGE_WAL:
            return HealthFinding("log", HealthLevel.GOOD, size)
        return HealthFinding("log", HealthLevel.WARNING, size, Reason.of(StoreCode.CLOSE_READER))

    def _vector_files(self) -> Iterator[HealthFinding]:
        """Yields the state of the vector files, if there are any."""
        from holdfast.store.vectors.vector_file import files_of, is_sound

        files = files_of(self._database.path)
        if files and all(map(is_sound, files)):
            yield _good("vector file", StoreCode.VECTOR_FILE_SOUND)
        elif files:
            damaged = Reason.of(StoreCode.VECTOR_FILE_DAMAGED)
            yield HealthFinding("vector file", HealthLevel.WARNING, damaged, Reason.of(StoreCode.RUN_REPAIR))


def _good(check: str, code: StoreCode) -> HealthFinding:
    return HealthFinding(check, HealthLevel.GOOD, Reason.of(code))


def _bad(check: str, problem: Reason, hint: StoreCode = StoreCode.RUN_REPAIR) -> HealthFinding:
    return HealthFinding(check, HealthLevel.BAD, problem, Reason.of(hint))


_STRAYS = ("stray_vectors", "stray_files", "stray_bags", "stray_sentences")
