"""Looking for the nearest of many rows: by their signs, by their short codes, then in full."""

from __future__ import annotations

import copy
import functools
import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from holdfast.core.memory import EPISODE
from holdfast.store.vectors.codes import WORDS, multiplied

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.store.vectors.codes import CodedQuery, Floats
    from holdfast.store.vectors.vector_file import RowBlock, VectorFile, VectorRows

    Numbers = NDArray[np.int64]
    Widen = Callable[[NDArray[Any], NDArray[np.int32]], Floats]

# What survives the first look, and what the second: this part of the rows, and never less than so many, nor less than
# so many times the number asked for.
_FIRST_PART, _FIRST_LEAST, _FIRST_TIMES = 0.03, 7_000, 75
_SECOND_PART, _SECOND_LEAST, _SECOND_TIMES = 1 / 400, 1_000, 12
# Up to so many rows the short codes are as quick as the signs; up to more of them, when they are picked one by one.
_FEW, _FEW_PICKED = 16_384, 131_072
# A filter that keeps less than this part of the rows is followed row by row, any other by a mask.
_PICKED = 1 / 3
_SAMPLE = 4_096
_CHUNK, _LARGE_CHUNK = 512, 4_096
_KNOWN_PLACES = 8
# See `_as_floats`: the vector is lifted by most of what the rows lack, the result by what is left.
_LIFT, _LEFT = np.float32(2.0**96), np.float32(2.0**16)
_SIGN_AND_VALUE = np.int32(-0x7000_2000)


class Partition(NamedTuple):
    """Where to look: a project, and in it some kinds, or all but raw episodes.

    `past`: also among what is no longer believed, whatever its kind was.
    """

    project: str
    kinds: tuple[str, ...]
    past: bool = False

    def fits(self, kinds: Numbers) -> NDArray[np.bool_]:
        """Which rows it takes in, of rows of these kinds."""
        if self.kinds:
            wanted = (*self.kinds, "past", "past episode") if self.past else self.kinds
            return np.isin(kinds, [number_of(kind) for kind in wanted])
        left_out = (EPISODE, "past episode") if self.past else (EPISODE, "past episode", "past")
        return np.isin(kinds, [number_of(kind) for kind in left_out], invert=True)


class NearestRows(NamedTuple):
    """Rows by number, the passage of each, and how near it is."""

    seqs: Numbers
    passages: Numbers
    scores: Floats


class RowMask:
    """Rows chosen by a mask."""

    def __init__(self, fits: NDArray[np.bool_]) -> None:
        self.fits = fits
        self.count = int(np.count_nonzero(fits))

    @functools.cached_property
    def rows(self) -> Numbers:
        return np.flatnonzero(self.fits)

    @functools.cached_property
    def out_of_reach(self) -> NDArray[np.uint16]:
        """For each row not chosen, a distance greater than any."""
        return np.where(self.fits, 0, np.iinfo(np.uint16).max).astype(np.uint16)


class RowColumns(Protocol):
    """What is known of rows beside their vectors."""

    @property
    def seqs(self) -> Numbers: ...
    @property
    def passages(self) -> Numbers: ...
    @property
    def projects(self) -> Numbers: ...
    @property
    def kinds(self) -> Numbers: ...


class RowIndex:
    """Which row stands where: for rows in blocks of one size, the last not full. `gone` are seqs no longer there."""

    def __init__(self, blocks: Sequence[RowColumns], size: int, rows: int, gone: Numbers) -> None:
        self.rows = rows
        self._size = size
        self._blocks = blocks
        self._gone = gone
        self._known: dict[Partition, RowMask] = {}

    def all_rows(self) -> Numbers:
        return np.arange(self.rows)

    def scope(self, place: Partition) -> RowMask:
        """Which rows belong to a place. Remembered, as the same places are asked for again and again."""
        known = self._known.get(place)
        if known is None:
            while len(self._known) >= _KNOWN_PLACES:
                self._known.pop(next(iter(self._known)))
            known = self._known[place] = RowMask(self._fitting(place))
        return known

    def rows_of(self, passages: Numbers) -> Numbers:
        """The row of each passage, the newest where it has several; -1 where it has none."""
        rows: Numbers = self._row_by_passage.take(passages, mode="clip").astype(np.int64)
        return rows

    def told(self, rows: Numbers, scores: Floats) -> NearestRows:
        """Rows in growing order, with what is known of them."""
        found = NearestRows(np.empty(len(rows), np.int64), np.empty(len(rows), np.int64), scores)
        for block, own, place in self.split(rows):
            found.seqs[place] = self._blocks[block].seqs[own]
            found.passages[place] = self._blocks[block].passages[own]
        return found

    def split(self, rows: Numbers) -> list[tuple[int, Numbers, slice]]:
        """Rows in growing order by block: the block, the rows counted from its begin, their places among the given."""
        ends = np.searchsorted(rows, np.arange(1, len(self._blocks) + 1) * self._size)
        begins = [0, *ends.tolist()]
        return [
            (block, rows[begin:end] - block * self._size, slice(begin, end))
            for block, (begin, end) in enumerate(zip(begins, ends.tolist(), strict=False))
            if begin < end
        ]

    def _fitting(self, place: Partition) -> NDArray[np.bool_]:
        fits = np.empty(self.rows, np.bool_)
        for at, block in enumerate(self._blocks):
            own = slice(at * self._size, min(self.rows, (at + 1) * self._size))
            kinds = block.kinds[: own.stop - own.start]
            fits[own] = block.projects[: own.stop - own.start] == number_of(place.project)
            fits[own] &= place.fits(kinds)
            if self._gone.size:
                fits[own][np.isin(block.seqs[: own.stop - own.start], self._gone)] = False
        return fits

    @functools.cached_property
    def _row_by_passage(self) -> NDArray[np.int32]:
        """For each passage its row, the newest where it has several; -1 where it has none, and so at the end."""
        passages = np.concatenate([np.empty(0, np.int64), *(block.passages for block in self._blocks)])[: self.rows]
        rows = np.full(int(passages.max(initial=0)) + 2, -1, np.int32)
        rows[passages] = np.arange(self.rows)
        return rows


class PlainRows:
    """Few rows, compared one and all."""

    def __init__(self, rows: VectorRows, matrix: Floats, gone: Numbers) -> None:
        self.register = RowIndex((rows,), max(1, len(matrix)), len(matrix), gone)
        self._matrix = matrix

    def nearest(self, vector: Floats, place: Partition, allowed: Numbers | None, limit: int) -> NearestRows:
        rows = _chosen(self.register, place, allowed)
        # Why all, then some: picking rows copies them, which costs more than multiplying the others.
        few = rows.size < self.register.rows // 8
        scores = self.cosines(vector, rows) if few else multiplied(self._matrix, vector)[rows]
        return _best(self.register, rows, scores, limit)

    def cosines(self, vector: Floats, rows: Numbers) -> Floats:
        return multiplied(self._matrix[rows], vector)


class CodedRows:
    """The rows of an archive as they were at one moment."""

    def __init__(self, archive: VectorFile, gone: Numbers) -> None:
        head = archive.head
        self._blocks: tuple[RowBlock, ...] = tuple(archive.blocks)
        self._size, self._code, self._depth = head.block_rows, archive.code, head.depth
        self.register = RowIndex(self._blocks, head.block_rows, head.rows, gone)

    def nearest(self, vector: Floats, place: Partition, allowed: Numbers | None, limit: int) -> NearestRows:
        """The nearest rows of a place. Exact among those that survive the looks before; `depth` says how many do."""
        if allowed is None:
            return self._among(vector, self.register.scope(place), limit)
        return self._of(vector, _chosen(self.register, place, allowed), limit)

    def anywhere(self, vector: Floats, limit: int) -> NearestRows:
        """The nearest of all rows, of whatever place."""
        return self._among(vector, RowMask(np.ones(self.register.rows, np.bool_)), limit)

    def exactly(self, vectors: Floats, limit: int) -> list[list[int]]:
        """The seqs that are truly nearest to each of some vectors; slow, as every row is compared."""
        parts = [_compared(block.vectors[: self._length(at)], vectors) for at, block in enumerate(self._blocks)]
        scores = np.ascontiguousarray(np.concatenate(parts).T)
        return [_best(self.register, self.register.all_rows(), row, limit).seqs.tolist() for row in scores]

    def cosines(self, vector: Floats, rows: Numbers) -> Floats:
        columns = [block.vectors.view(np.int16) for block in self._blocks]
        return self._multiplied(columns, vector * _LIFT, rows, _as_floats) * _LEFT

    def with_depth(self, depth: int) -> CodedRows:
        """The same rows, looked at more deeply; 0 compares them all."""
        other = copy.copy(self)
        other._depth = depth
        return other

    def _among(self, vector: Floats, scope: RowMask, limit: int) -> NearestRows:
        """Why not always row by row: to pick most of the rows is slower than to look at all."""
        if scope.count < _PICKED * self.register.rows or not self._is_many(scope.count, limit, _FEW):
            return self._of(vector, scope.rows, limit)
        asked = self._code.asked(vector)
        far = self._far(asked, None)
        if scope.count < far.size:
            np.bitwise_or(far, scope.out_of_reach, out=far)
        return self._second_look(asked, _nearest_of(None, far, self._first_keep(scope.count, limit)), limit)

    def _of(self, vector: Floats, rows: Numbers, limit: int) -> NearestRows:
        asked = self._code.asked(vector)
        if self._is_many(rows.size, limit, _FEW_PICKED):
            rows = _nearest_of(rows, self._far(asked, rows), self._first_keep(rows.size, limit))
        return self._second_look(asked, rows, limit)

    def _second_look(self, asked: CodedQuery, rows: Numbers, limit: int) -> NearestRows:
        rest = max(_SECOND_LEAST, _SECOND_TIMES * limit, int(_SECOND_PART * self.register.rows))
        keep = self._depth * rest
        if keep and rows.size > 2 * keep:
            rows = _top(rows, self._near(asked, rows), keep)
        return _best(self.register, rows, self.cosines(asked.full, rows), limit)

    def _is_many(self, rows: int, limit: int, few: int) -> bool:
        """Are there so many rows that a first look by signs pays?"""
        return self._depth > 0 and rows > max(few, 2 * self._first_keep(rows, limit))

    def _first_keep(self, rows: int, limit: int) -> int:
        return self._depth * max(_FIRST_LEAST, _FIRST_TIMES * limit, int(_FIRST_PART * rows))

    def _length(self, block: int) -> int:
        return min(self._size, self.register.rows - block * self._size)

    def _far(self, asked: CodedQuery, rows: Numbers | None) -> NDArray[np.uint16]:
        """In how many signs each row differs from what is asked for; of all rows when none are named."""
        far = np.empty(self.register.rows if rows is None else rows.size, np.uint16)
        if rows is None:
            for at, block in enumerate(self._blocks):
                own = far[at * self._size : (at + 1) * self._size]
                _count_different(block.signs[:, : own.size], asked.signs, own)
        else:
            for number, picked, place in self.register.split(rows):
                _count_different(self._blocks[number].signs.take(picked, axis=1), asked.signs, far[place])
        return far

    def _near(self, asked: CodedQuery, rows: Numbers) -> Floats:
        return self._multiplied([block.short for block in self._blocks], asked.short, rows, _as_they_are)

    def _multiplied(self, columns: Sequence[NDArray[Any]], by: Floats, rows: Numbers, widen: Widen) -> Floats:
        """Picked rows of a column times a vector, a few at a time: what fits into the processor's cache is quick."""
        result = np.empty(rows.size, np.float32)
        room = np.empty((_CHUNK, by.size), np.int32)
        for number, own, place in self.register.split(rows):
            for at in range(0, own.size, _CHUNK):
                some = own[at : at + _CHUNK]
                wide = widen(columns[number].take(some, axis=0, mode="clip"), room[: some.size])
                result[place.start + at : place.start + at + some.size] = multiplied(wide, by)
        return result


def best_of(found: Sequence[NearestRows], limit: int) -> NearestRows:
    """The nearest of what was found in several places."""
    joined = NearestRows(*map(np.concatenate, zip(*found, strict=True))) if len(found) > 1 else found[0]
    best = np.argsort(-joined.scores, kind="stable")[:limit]
    return NearestRows(joined.seqs[best], joined.passages[best], joined.scores[best])


@functools.lru_cache(maxsize=4096)
def number_of(name: str) -> int:
    """A name as a number: 64 bits of a hash, so that no list of names need be kept."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little", signed=True)


def _as_they_are(taken: NDArray[Any], room: NDArray[np.int32]) -> Floats:
    wide = room.view(np.float32)
    wide[:] = taken
    return wide


def _as_floats(taken: NDArray[Any], room: NDArray[np.int32]) -> Floats:
    """Half-precision numbers, given as integers, as floats 2**112 times too small.

    Why: shifting bits is three times quicker than numpy's own conversion, which is most of what a search costs.
    """
    room[:] = taken
    np.left_shift(room, 13, out=room)
    np.bitwise_and(room, _SIGN_AND_VALUE, out=room)
    return room.view(np.float32)


def _compared(column: NDArray[np.float16], vectors: Floats) -> Floats:
    chunks = range(0, len(column), _LARGE_CHUNK)
    return np.concatenate([column[at : at + _LARGE_CHUNK].astype(np.float32) @ vectors.T for at in chunks])


def _chosen(register: RowIndex, place: Partition, allowed: Numbers | None) -> Numbers:
    if allowed is None:
        return register.scope(place).rows
    rows = register.rows_of(allowed)
    rows = np.unique(rows[rows >= 0])
    kept: Numbers = rows[register.scope(place).fits[rows]]
    return kept


def _count_different(signs: NDArray[np.uint64], asked: NDArray[np.uint64], into: NDArray[np.uint16]) -> None:
    differing = np.empty(into.size, np.uint64)
    counted = np.empty(into.size, np.uint8)
    halves = np.zeros((2, into.size), np.uint8)
    for number in range(WORDS):
        np.bitwise_xor(signs[number], asked[number], out=differing)
        np.bitwise_count(differing, out=counted)
        # Why in halves: three words differ in at most 192 bits, and bytes are added quicker than anything wider.
        half = halves[number % 2]
        np.add(half, counted, out=half)
    np.add(halves[0], halves[1], out=into, dtype=np.uint16)


def _nearest_of(rows: Numbers | None, far: NDArray[np.uint16], keep: int) -> Numbers:
    """The rows that differ least, about `keep` of them: the limit is guessed from a sample, which is much quicker."""
    step = max(1, far.size // _SAMPLE)
    sample = far[::step]
    at = min(sample.size - 1, keep // step)
    near = np.flatnonzero(far <= np.partition(sample, at)[at])
    return near if rows is None else rows[near]


def _top(rows: Numbers, scores: Floats, keep: int) -> Numbers:
    """The best rows, in growing order."""
    kept: Numbers = rows[np.sort(np.argpartition(scores, -keep)[-keep:])]
    return kept


def _best(register: RowIndex, rows: Numbers, scores: Floats, limit: int) -> NearestRows:
    if scores.size > limit:
        kept = np.argpartition(scores, -limit)[-limit:]
        # Why: rows must grow to be picked by block.
        kept.sort()
        rows, scores = rows[kept], scores[kept]
    return best_of([register.told(rows, scores)], limit)
