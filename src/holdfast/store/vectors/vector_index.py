"""The vector index of one embedder: most rows in a mapped file, the newest in memory."""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from holdfast.store.vectors.checksums import DamagedVectors
from holdfast.store.vectors.codes import VectorCode
from holdfast.store.vectors.recent_rows import RecentRows
from holdfast.store.vectors.vector_file import FileByteStore, MemoryByteStore, VectorFile, VectorRows, locked
from holdfast.store.vectors.vector_search import CodedRows, NearestRows, PlainRows, best_of, number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from typing import TypeVar

    from numpy.typing import NDArray

    from holdfast.store.vectors.codes import Floats
    from holdfast.store.vectors.partition import Partition
    from holdfast.store.vectors.source import VectorSource
    from holdfast.store.vectors.vector_file import ByteStore
    from holdfast.store.vectors.vector_search import Numbers

    T = TypeVar("T")

# Up to this many numbers and rows, vectors are compared in memory without codes; beyond that, a vector file is written.
_SMALL, _SMALL_ROWS = 6_291_456, 16_384
# New rows held in memory before they are appended to the file, and rows read from the store at a time.
_TAIL, _BATCH = 4_096, 8_192
# The file is rebuilt when it has grown by this factor since its code was fitted, or when less than this share of its
# rows still exists.
_OUTGROWN, _WORN = 8, 0.8
_SAMPLE = 8_192
# Fitting: test queries, results per query, the share of true results the codes must keep, the search depths tried.
_TRIED, _TRIED_LIMIT, _GOOD_ENOUGH, _DEPTHS = 32, 30, 0.98, (1, 2, 4)
# Opening a file compares this many of its last rows, and as many spread over all rows, with the store.
_COMPARED = 16
# Searches repeated because a result was deleted from the store, before every row is checked.
_PATIENCE = 3
# Best results compared with the store at every search.
_CHECKED = 3
# Largest difference between two scores of the same vector; it comes from rounding.
_SAME = 0.01
# Seconds to wait while another process builds the file. Without it, this process would hold all vectors in memory.
_WAIT_SECONDS = 60.0


class VectorIndex:
    """All vectors of one embedder, kept in step with the store by the growing `seq` of its rows.

    Every result is checked against the store: a replaced or deleted vector is never returned, and a file that
    disagrees with the store is deleted. Any number of threads may search at once.

    `path` is where the vector file belongs.
    """

    def __init__(self, source: VectorSource, path: str, dimensions: int) -> None:
        self._source = source
        self._path = path
        self._dimensions = dimensions
        self._file: VectorFile | None = None
        self._tail = RecentRows(dimensions)
        self._coded: tuple[object, CodedRows] | None = None
        self._seq = -1
        self._gone: Numbers = np.empty(0, np.int64)
        self._parts: tuple[CodedRows | PlainRows, ...] = ()
        self._lock = threading.Lock()

    def search(
        self, query: Sequence[float] | Floats, partition: Partition, allowed: Sequence[int] | None, limit: int
    ) -> tuple[tuple[int, float], ...]:
        """Returns the nearest passages of a partition with their cosines, best first; `allowed` narrows them."""
        vector = np.asarray(query, np.float32)
        among = None if allowed is None else np.fromiter(allowed, np.int64)
        for attempt in range(_PATIENCE + 2):
            result = self._undamaged(lambda: self._verified(vector, self._nearest(vector, partition, among, limit)))
            if result.is_false:
                self._discard_file()
            elif result.gone:
                self._leave_out(result.gone, thoroughly=attempt == _PATIENCE)
            else:
                break
        return result.ranked

    def similar(self, query: Sequence[float] | Floats, passages: Sequence[int]) -> dict[int, float]:
        """The cosine of each of the passages that has a vector."""
        return self._undamaged(lambda: self._similar(query, passages))

    def _similar(self, query: Sequence[float] | Floats, passages: Sequence[int]) -> dict[int, float]:
        vector = np.asarray(query, np.float32)
        wanted = np.fromiter(passages, np.int64, len(passages))
        wanted.sort()
        scores: dict[int, float] = {}
        # The tail comes last: its vectors are newer than those of the same passages in the file.
        for part in self._current():
            if part.index.rows:
                rows = part.index.rows_of(wanted)
                has = rows.argsort()[np.count_nonzero(rows < 0) :]
                scores |= zip(wanted[has].tolist(), part.cosines(vector, rows[has]).tolist(), strict=True)
        return scores

    def lacking(self, passages: Sequence[int]) -> frozenset[int]:
        """Those of the passages that had no vector at the last search."""
        wanted = np.fromiter(passages, np.int64)
        lacks = np.ones(wanted.size, np.bool_)
        for part in self._parts:
            lacks &= part.index.rows_of(wanted) < 0
        return frozenset(wanted[lacks].tolist())

    def placed(self, partition: Partition, passages: Sequence[int]) -> list[int] | None:
        """Those of the passages that belong to a partition. None when one of them has no vector."""
        wanted = np.fromiter(passages, np.int64, len(passages))
        known, fits = np.zeros((2, wanted.size), np.bool_)
        # The tail comes last: its vectors are newer than those of the same passages in the file.
        for part in self._current():
            rows = part.index.rows_of(wanted)
            here = rows >= 0
            known |= here
            fits[here] = part.index.scope(partition).fits[rows[here]]
        return wanted[fits].tolist() if known.all() else None

    def _undamaged(self, act: Callable[[], T]) -> T:
        """Acts on the file; if that is damaged, deletes it and acts again on another, made from the store."""
        try:
            return act()
        except DamagedVectors:
            self._discard_file()
            return act()

    def _nearest(self, vector: Floats, partition: Partition, allowed: Numbers | None, limit: int) -> NearestRows:
        return best_of([part.nearest(vector, partition, allowed, limit) for part in self._current()], limit)

    def _verified(self, vector: Floats, found: NearestRows) -> _SearchResult:
        """Checks results against the store: all of them for existence, the best also for their scores."""
        seqs = found.seqs.tolist()
        gone = self._source.missing(seqs)
        ranked = zip(seqs, found.passages.tolist(), found.scores.tolist(), strict=True)
        present = tuple((passage, score) for seq, passage, score in ranked if seq not in gone)
        return _SearchResult(present, gone, self._is_false(vector, found))

    def _is_false(self, vector: Floats, found: NearestRows) -> bool:
        """Whether the index scores a result differently than the store. Checks only the best: reading all is slow."""
        now = self._stored(found.seqs[:_CHECKED])
        scores = zip(found.seqs.tolist(), found.scores.tolist(), strict=True)
        return any(abs(float(now[seq].vector @ vector) - score) > _SAME for seq, score in scores if seq in now)

    def _stored(self, seqs: Numbers) -> dict[int, _PassageVector]:
        """The rows with these seqs as the store has them now."""
        rows = self._source.stored(seqs.tolist())
        return {row.seq: _PassageVector(row.passage, np.frombuffer(row.data, np.float16)) for row in rows}

    def _leave_out(self, seqs: Collection[int], *, thoroughly: bool) -> None:
        """Excludes rows that were deleted from the store. `thoroughly` finds all of them by reading every seq."""
        with self._lock:
            self._gone = np.union1d(self._gone, list(seqs))
            if thoroughly:
                self._gone = np.union1d(self._gone, np.setdiff1d(self._held_seqs(), self._all_seqs()))
            self._arrange()

    def _discard_file(self) -> None:
        """Deletes a file that disagrees with the store; the next search builds another."""
        with self._lock:
            if self._file is not None:
                with contextlib.suppress(OSError):
                    os.remove(self._path)
            self._reset()

    def _reset(self) -> None:
        self._file, self._coded, self._tail, self._seq = None, None, RecentRows(self._dimensions), -1

    def _current(self) -> tuple[CodedRows | PlainRows, ...]:
        """All rows up to the newest in the store."""
        with self._lock:
            newest = self._source.newest()
            if self._file is not None and not self._file.is_whole():
                self._reset()
            if newest > self._seq:
                self._catch_up()
                self._seq = max(self._seq, newest)
                self._arrange()
            return self._parts

    def _arrange(self) -> None:
        """Sets the parts to search. Copies nothing, and keeps the caches of a file that did not change."""
        plain = PlainRows(self._tail.rows(), self._tail.floats(), self._gone)
        if self._file is None:
            self._parts = (plain,)
            return
        seen = (self._file, self._file.head, len(self._gone))
        if self._coded is None or self._coded[0] != seen:
            self._coded = (seen, CodedRows(self._file, self._gone))
        self._parts = (self._coded[1], plain)

    def _catch_up(self) -> None:
        self._adopt()
        most = _TAIL if self._file else max(1, min(_SMALL_ROWS, _SMALL // self._dimensions))
        if self._tail.count + self._source.count_after(self._seq, most + 1) > most:
            self._move_to_file()
        for rows in self._after(self._seq):
            self._tail.add(rows)
            self._seq = int(rows.seqs[-1])

    def _adopt(self) -> None:
        """Opens the file if there is one, and takes in rows that other processes appended."""
        if self._file is not None and not self._file.refresh():
            self._reset()
        if self._file is None:
            self._file = VectorFile.open(self._path, self._owner(), self._dimensions)
            if self._file is not None and not self._agrees(self._file):
                self._file = None
        if self._file is not None:
            self._shorten_tail(self._file.head.seq)

    def _shorten_tail(self, seq: int) -> None:
        """Drops rows from the tail that the file holds."""
        if self._tail.count and self._tail.rows().seqs[0] <= seq:
            self._tail = self._tail.after(seq)
        self._seq = max(self._seq, seq)

    def _agrees(self, file: VectorFile) -> bool:
        """Whether the file holds what the store holds: compares its last rows, where a restored backup differs, and
        some spread over all rows.
        """
        if not file.rows or file.head.seq > self._source.counter():
            return False
        last = np.arange(max(0, file.rows - _COMPARED), file.rows)
        held = file.picked(np.concatenate((last, np.linspace(0, file.rows - 1, _COMPARED).astype(np.int64))))
        now = self._stored(held.seqs)
        return all(
            seq not in now or (now[seq].passage, now[seq].vector.tobytes()) == (passage, vector.tobytes())
            for seq, passage, vector in zip(held.seqs.tolist(), held.passages.tolist(), held.vectors, strict=True)
        )

    def _move_to_file(self) -> None:
        """Moves new rows into the file. Does nothing while another process writes it, or when it cannot be written."""
        path = self._path
        try:
            with locked(path, 0 if self._file else _WAIT_SECONDS) as acquired:
                if acquired:
                    self._adopt()
                    self._extend(lambda: FileByteStore.new(path))
        except OSError:
            # A full disk or a folder without write permission must not stop searches.
            if self._file is None:
                self._extend(MemoryByteStore)
            else:
                self._shorten_tail(self._file.head.seq)

    def _extend(self, new_bytes: Callable[[], ByteStore]) -> None:
        file, total = self._file, self._source.count()
        if file is None or file.rows > total / _WORN or total > _OUTGROWN * file.head.fitted_at:
            file = self._build(new_bytes(), total)
        else:
            for rows in self._after(file.head.seq):
                file.append(rows)
        self._file = file
        self._shorten_tail(file.head.seq)

    def _build(self, target: ByteStore, total: int) -> VectorFile:
        file = VectorFile.create(target, self._owner(), VectorCode.fitted(self._sample()), total)
        for rows in self._after(-1):
            file.append(rows)
        file.settle(_fitting_depth(file))
        return file

    def _sample(self) -> Floats:
        """A random sample of all vectors."""
        seqs = self._all_seqs()
        random = np.random.default_rng(seqs.size)
        drawn = random.choice(seqs, min(_SAMPLE, seqs.size), replace=False)
        return np.array([row.vector for row in self._stored(drawn).values()], np.float32)

    def _after(self, seq: int) -> Iterator[VectorRows]:
        """The rows with a higher seq, in batches."""
        while True:
            read = self._source.after(seq, _BATCH)
            if not read:
                return
            seqs, passages, vectors, projects, kinds = zip(*read, strict=True)
            seq = seqs[-1]
            columns = (seqs, passages, map(number_of, projects), map(number_of, kinds))
            numbers = (np.fromiter(column, np.int64, len(read)) for column in columns)
            yield VectorRows.of(numbers, np.frombuffer(b"".join(vectors), np.float16).reshape(len(read), -1))

    def _held_seqs(self) -> Numbers:
        held = () if self._file is None else (self._file.seqs(),)
        return np.concatenate((*held, self._tail.rows().seqs))

    def _all_seqs(self) -> Numbers:
        return np.array(list(self._source.seqs()), np.int64)

    def _owner(self) -> bytes:
        """Identifies a file as belonging to this store and this embedder."""
        return hashlib.sha256(self._source.owner().encode()).digest()


class _PassageVector(NamedTuple):
    """A vector as the store has it now, and its passage."""

    passage: int
    vector: NDArray[np.float16]


class _SearchResult(NamedTuple):
    """Passages with their scores, best first; deleted seqs; whether the index disagrees with the store."""

    ranked: tuple[tuple[int, float], ...]
    gone: frozenset[int]
    is_false: bool


def _fitting_depth(file: VectorFile) -> int:
    """The smallest search depth at which the codes find what a full comparison finds; 0 when none of the depths does.

    Tested with made-up queries instead of rows: a real query is farther from any passage than passages are from each
    other.
    """
    rows = CodedRows(file, np.empty(0, np.int64))
    queries = _made_up_queries(file)
    expected = [set(seqs) for seqs in rows.exactly(queries, _TRIED_LIMIT)]
    for depth in _DEPTHS:
        found = [rows.with_depth(depth).anywhere(vector, _TRIED_LIMIT).seqs.tolist() for vector in queries]
        kept = sum(len(true & set(seqs)) for true, seqs in zip(expected, found, strict=True))
        if kept >= _GOOD_ENOUGH * sum(map(len, expected)):
            return depth
    return 0


def _made_up_queries(file: VectorFile) -> Floats:
    """Mixes of two rows, three parts to one: measured to be as hard to answer as real queries."""
    random = np.random.default_rng(file.rows)
    first, second = (file.picked(random.integers(0, file.rows, _TRIED)).vectors for _ in range(2))
    mixed = 3 * first.astype(np.float32) + second
    length: Floats = np.maximum(np.linalg.norm(mixed, axis=1, keepdims=True), 1e-6)
    return mixed / length
