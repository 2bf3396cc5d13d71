"""Finds the nearest rows in three passes: by sign codes, by short codes, then by full vectors."""

from __future__ import annotations

import copy
import functools
import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from holdfast.store.vectors.checksums import DamagedVectors, row_checksums
from holdfast.store.vectors.codes import WORDS, multiplied

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.store.vectors.codes import CodedQuery, Floats
    from holdfast.store.vectors.partition import Partition
    from holdfast.store.vectors.vector_file import RowBlock, VectorFile, VectorRows

    Numbers = NDArray[np.int64]
    Take = Callable[[RowBlock, Numbers], NDArray[Any]]
    Widen = Callable[[NDArray[Any], NDArray[np.int32]], Floats]

# Candidates kept after pass 1 and pass 2: a fraction of all rows, an absolute minimum and a multiple of `limit`.
_FIRST_PART, _FIRST_LEAST, _FIRST_TIMES = 0.03, 7_000, 75
_SECOND_PART, _SECOND_LEAST, _SECOND_TIMES = 1 / 400, 1_000, 12
# Up to this many rows pass 1 does not pay; up to the second number if rows are picked one by one.
_FEW, _FEW_PICKED = 16_384, 131_072
# A filter that keeps less than this share of the rows is applied row by row, any other by a mask.
_PICKED = 1 / 3
_SAMPLE = 4_096
_CHUNK, _LARGE_CHUNK = 512, 4_096
_CACHED_PARTITIONS = 8
# See `_from_halves`: scales the vector by most of the missing factor, and the result by the rest.
_LIFT, _LEFT = np.float32(2.0**96), np.float32(2.0**16)
_SIGN_AND_VALUE = np.int32(-0x7000_2000)


class NearestRows(NamedTuple):
    """Rows by seq, with their passages and their cosines."""

    seqs: Numbers
    passages: Numbers
    scores: Floats


class RowMask:
    """A selection of rows."""

    def __init__(self, fits: NDArray[np.bool_]) -> None:
        self.fits = fits
        self.count = int(np.count_nonzero(fits))

    @functools.cached_property
    def rows(self) -> Numbers:
        return np.flatnonzero(self.fits)

    @functools.cached_property
    def out_of_reach(self) -> NDArray[np.uint16]:
        """A distance greater than any for each row that is not selected, else 0."""
        return np.where(self.fits, 0, np.iinfo(np.uint16).max).astype(np.uint16)


class RowColumns(Protocol):
    """The columns of rows besides their vectors."""

    @property
    def seqs(self) -> Numbers: ...
    @property
    def passages(self) -> Numbers: ...
    @property
    def projects(self) -> Numbers: ...
    @property
    def kinds(self) -> Numbers: ...


class RowIndex:
    """Finds rows in blocks of one size, the last of which may be partly filled. `gone` are deleted seqs."""

    def __init__(self, blocks: Sequence[RowColumns], size: int, rows: int, gone: Numbers) -> None:
        self.rows = rows
        self._size = size
        self._blocks = blocks
        self._gone = gone
        self._known: dict[Partition, RowMask] = {}

    def all_rows(self) -> Numbers:
        return np.arange(self.rows)

    def scope(self, partition: Partition) -> RowMask:
        """The rows of a partition; cached, because the same partitions are searched again and again."""
        known = self._known.get(partition)
        if known is None:
            while len(self._known) >= _CACHED_PARTITIONS:
                self._known.pop(next(iter(self._known)))
            known = self._known[partition] = RowMask(self._fitting(partition))
        return known

    def rows_of(self, passages: Numbers) -> Numbers:
        """The row of each passage, the newest where it has several; -1 where it has none."""
        rows: Numbers = self._row_by_passage.take(passages, mode="clip").astype(np.int64)
        return rows

    def found(self, rows: Numbers, scores: Floats) -> NearestRows:
        """Rows in ascending order with their seqs, passages and scores."""
        found = NearestRows(np.empty(len(rows), np.int64), np.empty(len(rows), np.int64), scores)
        for block, own, place in self.split(rows):
            found.seqs[place] = self._blocks[block].seqs[own]
            found.passages[place] = self._blocks[block].passages[own]
        return found

    def split(self, rows: Numbers) -> list[tuple[int, Numbers, slice]]:
        """Splits rows in ascending order by block: the block, the rows in it, and their positions in `rows`."""
        ends = np.searchsorted(rows, np.arange(1, len(self._blocks) + 1) * self._size)
        begins = [0, *ends.tolist()]
        return [
            (block, rows[begin:end] - block * self._size, slice(begin, end))
            for block, (begin, end) in enumerate(zip(begins, ends.tolist(), strict=False))
            if begin < end
        ]

    def _fitting(self, partition: Partition) -> NDArray[np.bool_]:
        fits = np.empty(self.rows, np.bool_)
        for at, block in enumerate(self._blocks):
            own = slice(at * self._size, min(self.rows, (at + 1) * self._size))
            kinds = block.kinds[: own.stop - own.start]
            numbers = [number_of(project) for project in partition.projects]
            fits[own] = np.isin(block.projects[: own.stop - own.start], numbers)
            fits[own] &= _fits(partition, kinds)
            if self._gone.size:
                fits[own][np.isin(block.seqs[: own.stop - own.start], self._gone)] = False
        return fits

    @functools.cached_property
    def _row_by_passage(self) -> NDArray[np.int32]:
        """The row of each passage, the newest if it has several; -1 if it has none. The last entry is -1."""
        passages = np.concatenate([np.empty(0, np.int64), *(block.passages for block in self._blocks)])[: self.rows]
        rows = np.full(int(passages.max(initial=0)) + 2, -1, np.int32)
        rows[passages] = np.arange(self.rows)
        return rows


class PlainRows:
    """Few rows, all of which are compared."""

    def __init__(self, rows: VectorRows, matrix: Floats, gone: Numbers) -> None:
        self.index = RowIndex((rows,), max(1, len(matrix)), len(matrix), gone)
        self._matrix = matrix

    def nearest(self, vector: Floats, partition: Partition, allowed: Numbers | None, limit: int) -> NearestRows:
        rows = _chosen(self.index, partition, allowed)
        # Multiply all and then pick, unless few are wanted: picking copies rows, which costs more than multiplying.
        few = rows.size < self.index.rows // 8
        scores = self.cosines(vector, rows) if few else multiplied(self._matrix, vector)[rows]
        return _best(self.index, rows, scores, limit)

    def cosines(self, vector: Floats, rows: Numbers) -> Floats:
        return multiplied(self._matrix[rows], vector)


class CodedRows:
    """The rows of a vector file at one moment."""

    def __init__(self, file: VectorFile, gone: Numbers) -> None:
        head = file.head
        self._blocks: tuple[RowBlock, ...] = tuple(file.blocks)
        self._size, self._code, self._depth = head.block_rows, file.code, head.depth
        self.index = RowIndex(self._blocks, head.block_rows, head.rows, gone)

    def nearest(self, vector: Floats, partition: Partition, allowed: Numbers | None, limit: int) -> NearestRows:
        """The nearest rows of a partition, exact among the candidates of pass 2; `depth` sets how many those are."""
        if allowed is None:
            return self._among(vector, self.index.scope(partition), limit)
        return self._of(vector, _chosen(self.index, partition, allowed), limit)

    def anywhere(self, vector: Floats, limit: int) -> NearestRows:
        """The nearest of all rows, in any partition."""
        return self._among(vector, RowMask(np.ones(self.index.rows, np.bool_)), limit)

    def exactly(self, vectors: Floats, limit: int) -> list[list[int]]:
        """The seqs truly nearest to each vector; slow, because every row is compared."""
        parts = [_compared(block.vectors[: self._length(at)], vectors) for at, block in enumerate(self._blocks)]
        scores = np.ascontiguousarray(np.concatenate(parts).T)
        return [_best(self.index, self.index.all_rows(), row, limit).seqs.tolist() for row in scores]

    def cosines(self, vector: Floats, rows: Numbers) -> Floats:
        """Raises DamagedVectors if the file has changed since the vectors were written."""
        return self._multiplied(_checked_vectors, vector * _LIFT, rows, _from_halves) * _LEFT

    def with_depth(self, depth: int) -> CodedRows:
        """The same rows with another search depth; 0 compares them all."""
        other = copy.copy(self)
        other._depth = depth
        return other

    def _among(self, vector: Floats, scope: RowMask, limit: int) -> NearestRows:
        """Searches a selection: masked if it holds most rows, because picking those is slower than scanning all."""
        if scope.count < _PICKED * self.index.rows or not self._is_many(scope.count, limit, _FEW):
            return self._of(vector, scope.rows, limit)
        query = self._code.encode_query(vector)
        far = self._far(query, None)
        if scope.count < far.size:
            np.bitwise_or(far, scope.out_of_reach, out=far)
        return self._second_pass(query, _nearest_of(None, far, self._first_keep(scope.count, limit)), limit)

    def _of(self, vector: Floats, rows: Numbers, limit: int) -> NearestRows:
        query = self._code.encode_query(vector)
        if self._is_many(rows.size, limit, _FEW_PICKED):
            rows = _nearest_of(rows, self._far(query, rows), self._first_keep(rows.size, limit))
        return self._second_pass(query, rows, limit)

    def _second_pass(self, query: CodedQuery, rows: Numbers, limit: int) -> NearestRows:
        rest = max(_SECOND_LEAST, _SECOND_TIMES * limit, int(_SECOND_PART * self.index.rows))
        keep = self._depth * rest
        if keep and rows.size > 2 * keep:
            rows = _top(rows, self._near(query, rows), keep)
        return _best(self.index, rows, self.cosines(query.full, rows), limit)

    def _is_many(self, rows: int, limit: int, few: int) -> bool:
        """Whether there are enough rows for pass 1 to pay."""
        return self._depth > 0 and rows > max(few, 2 * self._first_keep(rows, limit))

    def _first_keep(self, rows: int, limit: int) -> int:
        return self._depth * max(_FIRST_LEAST, _FIRST_TIMES * limit, int(_FIRST_PART * rows))

    def _length(self, block: int) -> int:
        return min(self._size, self.index.rows - block * self._size)

    def _far(self, query: CodedQuery, rows: Numbers | None) -> NDArray[np.uint16]:
        """The number of signs in which each row differs from the query; for all rows if `rows` is None."""
        far = np.empty(self.index.rows if rows is None else rows.size, np.uint16)
        if rows is None:
            for at, block in enumerate(self._blocks):
                own = far[at * self._size : (at + 1) * self._size]
                _count_different(block.signs[:, : own.size], query.signs, own)
        else:
            for number, picked, place in self.index.split(rows):
                _count_different(self._blocks[number].signs.take(picked, axis=1), query.signs, far[place])
        return far

    def _near(self, query: CodedQuery, rows: Numbers) -> Floats:
        return self._multiplied(_short_codes, query.short, rows, _from_codes)

    def _multiplied(self, take: Take, by: Floats, rows: Numbers, widen: Widen) -> Floats:
        """Multiplies picked rows of a column by a vector, in chunks that fit into the processor's cache."""
        result = np.empty(rows.size, np.float32)
        buffer = np.empty((_CHUNK, by.size), np.int32)
        for number, own, place in self.index.split(rows):
            for at in range(0, own.size, _CHUNK):
                some = own[at : at + _CHUNK]
                wide = widen(take(self._blocks[number], some), buffer[: some.size])
                result[place.start + at : place.start + at + some.size] = multiplied(wide, by)
        return result


def best_of(found: Sequence[NearestRows], limit: int) -> NearestRows:
    """The nearest rows of several results."""
    joined = NearestRows(*map(np.concatenate, zip(*found, strict=True))) if len(found) > 1 else found[0]
    best = np.argsort(-joined.scores, kind="stable")[:limit]
    return NearestRows(joined.seqs[best], joined.passages[best], joined.scores[best])


@functools.lru_cache(maxsize=4096)
def number_of(name: str) -> int:
    """A name as a 64-bit hash, so that no table of names is needed."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little", signed=True)


def _fits(partition: Partition, kinds: Numbers) -> NDArray[np.bool_]:
    """Which of the rows with these kinds belong to a partition."""
    names = partition.included or partition.left_out
    return np.isin(kinds, [number_of(kind) for kind in names], invert=not partition.kinds)


def _short_codes(block: RowBlock, rows: Numbers) -> NDArray[Any]:
    return block.short.take(rows, axis=0, mode="clip")


def _checked_vectors(block: RowBlock, rows: Numbers) -> NDArray[Any]:
    """The vectors of rows, as integers; raises DamagedVectors if they have changed since they were written."""
    vectors = block.vectors.take(rows, axis=0, mode="clip")
    if (row_checksums(vectors) != block.vector_checks.take(rows, mode="clip")).any():
        raise DamagedVectors
    return vectors.view(np.int16)


def _from_codes(taken: NDArray[Any], buffer: NDArray[np.int32]) -> Floats:
    wide = buffer.view(np.float32)
    wide[:] = taken
    return wide


def _from_halves(taken: NDArray[Any], buffer: NDArray[np.int32]) -> Floats:
    """Converts half-precision numbers, read as integers, to floats that are 2**112 times too small.

    Shifting bits is three times faster than numpy's own conversion, which would be most of the cost of a search.
    """
    buffer[:] = taken
    np.left_shift(buffer, 13, out=buffer)
    np.bitwise_and(buffer, _SIGN_AND_VALUE, out=buffer)
    return buffer.view(np.float32)


def _compared(column: NDArray[np.float16], vectors: Floats) -> Floats:
    chunks = range(0, len(column), _LARGE_CHUNK)
    return np.concatenate([column[at : at + _LARGE_CHUNK].astype(np.float32) @ vectors.T for at in chunks])


def _chosen(index: RowIndex, partition: Partition, allowed: Numbers | None) -> Numbers:
    if allowed is None:
        return index.scope(partition).rows
    rows = index.rows_of(allowed)
    rows = np.unique(rows[rows >= 0])
    kept: Numbers = rows[index.scope(partition).fits[rows]]
    return kept


def _count_different(signs: NDArray[np.uint64], query: NDArray[np.uint64], into: NDArray[np.uint16]) -> None:
    differing = np.empty(into.size, np.uint64)
    counted = np.empty(into.size, np.uint8)
    halves = np.zeros((2, into.size), np.uint8)
    for number in range(WORDS):
        np.bitwise_xor(signs[number], query[number], out=differing)
        np.bitwise_count(differing, out=counted)
        # In two halves: three words differ in at most 192 bits, which fit into a byte, and bytes add fastest.
        half = halves[number % 2]
        np.add(half, counted, out=half)
    np.add(halves[0], halves[1], out=into, dtype=np.uint16)


def _nearest_of(rows: Numbers | None, far: NDArray[np.uint16], keep: int) -> Numbers:
    """About `keep` rows that differ least; the threshold is estimated from a sample, which is much faster."""
    step = max(1, far.size // _SAMPLE)
    sample = far[::step]
    at = min(sample.size - 1, keep // step)
    near = np.flatnonzero(far <= np.partition(sample, at)[at])
    return near if rows is None else rows[near]


def _top(rows: Numbers, scores: Floats, keep: int) -> Numbers:
    """The best rows, in ascending order."""
    kept: Numbers = rows[np.sort(np.argpartition(scores, -keep)[-keep:])]
    return kept


def _best(index: RowIndex, rows: Numbers, scores: Floats, limit: int) -> NearestRows:
    if scores.size > limit:
        kept = np.argpartition(scores, -limit)[-limit:]
        # Rows must ascend to be split by block.
        kept.sort()
        rows, scores = rows[kept], scores[kept]
    return best_of([index.found(rows, scores)], limit)
