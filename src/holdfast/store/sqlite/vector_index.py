"""Vectors held ready for search: most of them in a mapped file, the newest in memory."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import threading
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from holdfast.store.sqlite.codes import VectorCode
from holdfast.store.sqlite.recent_rows import RecentRows
from holdfast.store.sqlite.statements import statements
from holdfast.store.sqlite.vector_file import FileByteStore, MemoryByteStore, VectorFile, VectorRows, locked, path_of
from holdfast.store.sqlite.vector_search import CodedRows, NearestRows, Partition, PlainRows, best_of, number_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from holdfast.store.sqlite.codes import Floats
    from holdfast.store.sqlite.database import Database
    from holdfast.store.sqlite.vector_file import ByteStore
    from holdfast.store.sqlite.vector_search import Numbers

# So many numbers are compared as they are, in memory; with more, an archive is made.
_SMALL, _SMALL_ROWS = 6_291_456, 16_384
# How many new rows are held in memory before they join the archive, and how many are read from the store at a time.
_TAIL, _BATCH = 4_096, 8_192
# The archive is made anew when it has grown so many times since its code was fitted, or when this part of it is left.
_OUTGROWN, _WORN = 8, 0.7
_SAMPLE = 8_192
# On how many questions of how many answers the codes are tried, what they must keep, and how deep they may look.
_TRIED, _TRIED_LIMIT, _GOOD_ENOUGH, _DEPTHS = 32, 30, 0.98, (1, 2, 4)
# How many of an archive's last rows, and of all of them, are compared with the store when it is opened.
_COMPARED = 16
# How often what is found may turn out to be gone before all rows are looked through.
_PATIENCE = 3
# How many of the best are compared with the store at every search.
_CHECKED = 3
# By how much a score may differ from the true one: rounding, not another vector.
_SAME = 0.01
# How long another process may take to make an archive without which this one would hold everything in memory.
_WAIT_SECONDS = 60.0


class VectorIndex:
    """All vectors of one embedder. Kept in step with the store by the growing `seq` of its rows.

    What is found is read once more from the store: a vector that was replaced or removed is never answered with, and
    a file that tells something else than the store is thrown away. Any number of threads may search at once.
    """

    def __init__(self, database: Database, embedder: int, dimensions: int) -> None:
        self._database = database
        self._embedder = embedder
        self._dimensions = dimensions
        self._path = None if database.path == ":memory:" else path_of(os.path.abspath(database.path), embedder)
        self._archive: VectorFile | None = None
        self._tail = RecentRows(dimensions)
        self._coded: tuple[object, CodedRows] | None = None
        self._seq = -1
        self._gone: Numbers = np.empty(0, np.int64)
        self._parts: tuple[CodedRows | PlainRows, ...] = ()
        self._lock = threading.Lock()

    def search(
        self, vector: Floats, place: Partition, allowed: Sequence[int] | None, limit: int
    ) -> tuple[tuple[int, float], ...]:
        """The nearest passages of a place by cosine; `allowed` narrows."""
        among = None if allowed is None else np.fromiter(allowed, np.int64)
        for tried in range(_PATIENCE + 2):
            told = self._told(vector, self._nearest(vector, place, among, limit))
            if told.is_false:
                self._throw_away()
            elif told.gone:
                self._bury(told.gone, thoroughly=tried == _PATIENCE)
            else:
                break
        return told.ranked

    def similar(self, vector: Floats, passages: Sequence[int]) -> dict[int, float]:
        """The cosine of each of the passages that has a vector."""
        wanted = np.fromiter(passages, np.int64, len(passages))
        wanted.sort()
        scores: dict[int, float] = {}
        # Why in this order: a vector in the tail is newer than one of the same passage in the archive.
        for part in self._current():
            if part.register.rows:
                rows = part.register.rows_of(wanted)
                has = rows.argsort()[np.count_nonzero(rows < 0) :]
                scores |= zip(wanted[has].tolist(), part.cosines(vector, rows[has]).tolist(), strict=True)
        return scores

    def lacking(self, passages: Sequence[int]) -> frozenset[int]:
        """Those of the passages that had no vector at the last search."""
        wanted = np.fromiter(passages, np.int64)
        lacks = np.ones(wanted.size, np.bool_)
        for part in self._parts:
            lacks &= part.register.rows_of(wanted) < 0
        return frozenset(wanted[lacks].tolist())

    def placed(self, place: Partition, passages: Sequence[int]) -> list[int] | None:
        """Those of the passages that are in a place. None when one of them has no vector, so that nothing is known."""
        wanted = np.fromiter(passages, np.int64, len(passages))
        known, fits = np.zeros((2, wanted.size), np.bool_)
        # Why in this order: a vector in the tail is newer than one of the same passage in the archive.
        for part in self._current():
            rows = part.register.rows_of(wanted)
            here = rows >= 0
            known |= here
            fits[here] = part.register.scope(place).fits[rows[here]]
        return wanted[fits].tolist() if known.all() else None

    def _nearest(self, vector: Floats, place: Partition, allowed: Numbers | None, limit: int) -> NearestRows:
        return best_of([part.nearest(vector, place, allowed, limit) for part in self._current()], limit)

    def _told(self, vector: Floats, found: NearestRows) -> _SearchResult:
        """What was found as the store tells it now: whether it is still there, and of the best whether it is true."""
        seqs = found.seqs.tolist()
        gone = self._gone_of(seqs)
        ranked = zip(seqs, found.passages.tolist(), found.scores.tolist(), strict=True)
        there = tuple((passage, score) for seq, passage, score in ranked if seq not in gone)
        return _SearchResult(there, gone, self._is_false(vector, found))

    def _gone_of(self, seqs: Sequence[int]) -> frozenset[int]:
        """Why counted first: that none is gone is the rule, and told in a third of the time."""
        given = {"embedder": self._embedder, "seqs": json.dumps(seqs)}
        if self._read("count_vectors_there", given)[0][0] == len(seqs):
            return frozenset()
        return frozenset(seqs).difference(row[0] for row in self._read("vectors_there", given))

    def _is_false(self, vector: Floats, found: NearestRows) -> bool:
        """Does the archive tell another score than the store? Asked of the best alone: reading all takes longer."""
        now = self._now(found.seqs[:_CHECKED])
        scores = zip(found.seqs.tolist(), found.scores.tolist(), strict=True)
        return any(abs(float(now[seq].vector @ vector) - score) > _SAME for seq, score in scores if seq in now)

    def _now(self, seqs: Numbers) -> dict[int, _StoredVector]:
        given = {"embedder": self._embedder, "seqs": json.dumps(seqs.tolist())}
        rows = self._read("vectors_now", given)
        return {row["seq"]: _StoredVector(row["passage_id"], np.frombuffer(row["vector"], np.float16)) for row in rows}

    def _bury(self, seqs: Collection[int], *, thoroughly: bool) -> None:
        """Leaves out rows that are no longer in the store; thoroughly: all of them, which reads every seq."""
        with self._lock:
            self._gone = np.union1d(self._gone, list(seqs))
            if thoroughly:
                self._gone = np.union1d(self._gone, np.setdiff1d(self._held_seqs(), self._seqs_in_store()))
            self._arrange()

    def _throw_away(self) -> None:
        """Forgets an archive that tells something else than the store; the next search makes another."""
        with self._lock:
            if self._archive is not None and self._path is not None:
                with contextlib.suppress(OSError):
                    os.remove(self._path)
            self._begin_anew()

    def _begin_anew(self) -> None:
        self._archive, self._coded, self._tail, self._seq = None, None, RecentRows(self._dimensions), -1

    def _current(self) -> tuple[CodedRows | PlainRows, ...]:
        """All rows up to the newest in the store."""
        with self._lock:
            newest = self._read("newest_vector")[0][0]
            if newest > self._seq:
                self._catch_up()
                self._seq = max(self._seq, newest)
                self._arrange()
            return self._parts

    def _arrange(self) -> None:
        """What is searched from now on. Nothing is copied, and what is known of the archive stays known."""
        plain = PlainRows(self._tail.rows(), self._tail.floats(), self._gone)
        if self._archive is None:
            self._parts = (plain,)
            return
        seen = (self._archive, self._archive.head, len(self._gone))
        if self._coded is None or self._coded[0] != seen:
            self._coded = (seen, CodedRows(self._archive, self._gone))
        self._parts = (self._coded[1], plain)

    def _catch_up(self) -> None:
        self._adopt()
        most = _TAIL if self._archive else max(1, min(_SMALL_ROWS, _SMALL // self._dimensions))
        given = {"embedder": self._embedder, "seq": self._seq, "limit": most + 1}
        if self._tail.count + self._read("count_vectors_after", given)[0][0] > most:
            self._put_away()
        for rows in self._after(self._seq):
            self._tail.add(rows)
            self._seq = int(rows.seqs[-1])

    def _adopt(self) -> None:
        """Takes the archive that is there, and what others added to it."""
        if self._archive is not None and not self._archive.refresh():
            self._begin_anew()
        if self._archive is None and self._path is not None:
            self._archive = VectorFile.open(self._path, self._owner(), self._dimensions)
            if self._archive is not None and not self._agrees(self._archive):
                self._archive = None
        if self._archive is not None:
            self._shorten_tail(self._archive.head.seq)

    def _shorten_tail(self, seq: int) -> None:
        """The tail begins where the archive ends."""
        if self._tail.count and self._tail.rows().seqs[0] <= seq:
            self._tail = self._tail.after(seq)
        self._seq = max(self._seq, seq)

    def _agrees(self, archive: VectorFile) -> bool:
        """Does the archive tell what the store tells? Asked of its last rows, where a restored backup differs, and of
        some all over."""
        if not archive.rows or archive.head.seq > self._read("vector_counter")[0][0]:
            return False
        last = np.arange(max(0, archive.rows - _COMPARED), archive.rows)
        held = archive.picked(np.concatenate((last, np.linspace(0, archive.rows - 1, _COMPARED).astype(np.int64))))
        now = self._now(held.seqs)
        return all(
            seq not in now or (now[seq].passage, now[seq].vector.tobytes()) == (passage, vector.tobytes())
            for seq, passage, vector in zip(held.seqs.tolist(), held.passages.tolist(), held.vectors, strict=True)
        )

    def _put_away(self) -> None:
        """Moves what is new into the archive. When another process is at it, or nothing can be written, not now."""
        if self._path is None:
            self._extend(MemoryByteStore)
            return
        path = self._path
        try:
            with locked(path, 0 if self._archive else _WAIT_SECONDS) as our_turn:
                if our_turn:
                    self._adopt()
                    self._extend(lambda: FileByteStore.new(path))
        except OSError:
            # Why: a full disk or a folder that cannot be written is no reason not to answer.
            if self._archive is None:
                self._extend(MemoryByteStore)
            else:
                self._shorten_tail(self._archive.head.seq)

    def _extend(self, ground: Callable[[], ByteStore]) -> None:
        archive, total = self._archive, self._read("count_vectors", {"embedder": self._embedder})[0][0]
        if archive is None or archive.rows > total / _WORN or total > _OUTGROWN * archive.head.fitted_at:
            archive = self._build(ground(), total)
        else:
            for rows in self._after(archive.head.seq):
                archive.append(rows)
        self._archive = archive
        self._shorten_tail(archive.head.seq)

    def _build(self, ground: ByteStore, total: int) -> VectorFile:
        archive = VectorFile.create(ground, self._owner(), VectorCode.fitted(self._sample()), total)
        for rows in self._after(-1):
            archive.append(rows)
        archive.settle(_fitting_depth(archive))
        return archive

    def _sample(self) -> Floats:
        """Some of the vectors, from all over the store."""
        seqs = self._seqs_in_store()
        chance = np.random.default_rng(seqs.size)
        drawn = chance.choice(seqs, min(_SAMPLE, seqs.size), replace=False)
        return np.array([row.vector for row in self._now(drawn).values()], np.float32)

    def _after(self, seq: int) -> Iterator[VectorRows]:
        """The rows of a higher seq, some at a time."""
        while True:
            given = {"embedder": self._embedder, "seq": seq, "limit": _BATCH}
            read = self._read("vectors_after", given)
            if not read:
                return
            seqs, passages, vectors, projects, kinds = zip(*read, strict=True)
            seq = seqs[-1]
            columns = (seqs, passages, map(number_of, projects), map(number_of, kinds))
            made = (np.fromiter(column, np.int64, len(read)) for column in columns)
            yield VectorRows.of(made, np.frombuffer(b"".join(vectors), np.float16).reshape(len(read), -1))

    def _held_seqs(self) -> Numbers:
        held = () if self._archive is None else (self._archive.seqs(),)
        return np.concatenate((*held, self._tail.rows().seqs))

    def _seqs_in_store(self) -> Numbers:
        return np.array([row[0] for row in self._read("vector_seqs", {"embedder": self._embedder})], np.int64)

    def _owner(self) -> bytes:
        """By what an archive is known as this store's and this embedder's."""
        store, embedder = self._read("archive_owner", {"embedder": self._embedder})[0]
        return hashlib.sha256(f"{store}\n{embedder}".encode()).digest()

    def _read(self, name: str, parameters: Mapping[str, object] | tuple[()] = ()) -> list[sqlite3.Row]:
        return self._database.read(statements("reading")[name], parameters)


class _StoredVector(NamedTuple):
    """A vector as the store has it now."""

    passage: int
    vector: NDArray[np.float16]


class _SearchResult(NamedTuple):
    """Passages with their scores, best first; which seqs are gone; and whether the archive told something else."""

    ranked: tuple[tuple[int, float], ...]
    gone: frozenset[int]
    is_false: bool


def _fitting_depth(archive: VectorFile) -> int:
    """How deep the codes must look to find what a full comparison finds; 0 when that is too deep to be worth it.

    Why not asked with the rows themselves: a question is less near to any passage than passages are to each other.
    """
    rows = CodedRows(archive, np.empty(0, np.int64))
    asked = _made_up_questions(archive)
    truly = [set(seqs) for seqs in rows.exactly(asked, _TRIED_LIMIT)]
    for depth in _DEPTHS:
        found = [rows.with_depth(depth).anywhere(vector, _TRIED_LIMIT).seqs.tolist() for vector in asked]
        kept = sum(len(true & set(one)) for true, one in zip(truly, found, strict=True))
        if kept >= _GOOD_ENOUGH * sum(map(len, truly)):
            return depth
    return 0


def _made_up_questions(archive: VectorFile) -> Floats:
    """Three parts of one row and one part of another: measured as hard to answer as real questions are."""
    chance = np.random.default_rng(archive.rows)
    one, other = (archive.picked(chance.integers(0, archive.rows, _TRIED)).vectors for _ in range(2))
    mixed = 3 * one.astype(np.float32) + other
    length: Floats = np.maximum(np.linalg.norm(mixed, axis=1, keepdims=True), 1e-6)
    return mixed / length
