"""Vectors held ready for search: read once, then only what is new."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np

from holdfast.store.sqlite.statements import statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from holdfast.store.sqlite.database import Database


# Below this part of all rows, those asked for are picked out before the multiplication.
_FEW = 8
# How many times the number asked for survives the comparison of signs, and how well that must work to be used.
_CANDIDATES = 20
_GOOD_ENOUGH = 0.99
_WORTHWHILE = 4096


class VectorIndex:
    """All vectors of one embedder, as one matrix. Kept in step with the rows by their growing `seq`.

    A row that is gone from the store may still be found here; whoever hydrates it meets the truth.
    """

    def __init__(self, database: Database, embedder: int, dimensions: int) -> None:
        self._database = database
        self._embedder = embedder
        self._seq = 0
        self._rows = 0
        self._matrix: NDArray[np.float32] = np.empty((0, dimensions), np.float32)
        self._passages: NDArray[np.int64] = np.empty(0, np.int64)
        self._projects: NDArray[np.int32] = np.empty(0, np.int32)
        self._kinds: NDArray[np.int16] = np.empty(0, np.int16)
        # One bit a number, 64 to a word, word by word over all rows: a scan touches a thirtieth of the matrix.
        self._codes: NDArray[np.uint64] = np.empty((-(-dimensions // 64), 0), np.uint64)
        self._mean: NDArray[np.float32] = np.zeros(dimensions, np.float32)
        self._centred_at = 0
        self._trusted = False
        self._row_of: dict[int, int] = {}
        self._number_of: dict[str, int] = {}
        self._kind_of: dict[str, int] = {}
        self._lock = threading.Lock()

    def search(
        self,
        vector: NDArray[np.float32],
        project: str,
        kinds: Sequence[str],
        allowed: Sequence[int] | None,
        limit: int,
    ) -> tuple[tuple[int, float], ...]:
        """The nearest passages of a project by cosine: of these kinds, or all but raw episodes; `allowed` narrows."""
        with self._lock:
            self._catch_up()
            rows = self._likely(vector, self._rows_of(project, kinds, allowed), _CANDIDATES * limit)
            # Why all, then some: picking rows copies them, which costs more than multiplying the others.
            few = rows.size < self._rows // _FEW
            scores = self._matrix[rows] @ vector if few else (self._matrix[: self._rows] @ vector)[rows]
            best = _top(scores, limit)
            return tuple((int(self._passages[rows[i]]), float(scores[i])) for i in best)

    def _likely(self, vector: NDArray[np.float32], rows: NDArray[np.int64], keep: int) -> NDArray[np.int64]:
        """The rows whose signs agree best with the question's; the few that are left are then compared exactly."""
        if not self._trusted or rows.size <= 2 * keep:
            return rows
        return rows[_nearest_by_sign(self._codes[:, : self._rows], _signs(vector[None] - self._mean)[:, 0], rows, keep)]

    def lacking(self, passages: Sequence[int]) -> frozenset[int]:
        """Those of the passages that have no vector here yet."""
        return frozenset(passage for passage in passages if passage not in self._row_of)

    def _rows_of(self, project: str, kinds: Sequence[str], allowed: Sequence[int] | None) -> NDArray[np.int64]:
        fits = self._projects[: self._rows] == self._number_of.get(project, -1)
        of_kind = self._kinds[: self._rows]
        if kinds:
            fits &= np.isin(of_kind, [self._kind_of.get(kind, -1) for kind in kinds])
        else:
            fits &= of_kind != self._kind_of.get("episode", -1)
        if allowed is None:
            return np.flatnonzero(fits)
        rows = np.array([self._row_of[passage] for passage in allowed if passage in self._row_of], np.int64)
        kept: NDArray[np.int64] = rows[fits[rows]]
        return kept

    def _catch_up(self) -> None:
        sql = statements("reading")
        newest = self._database.read(sql["newest_vector"])[0][0]
        if newest <= self._seq:
            return
        rows = self._database.read(sql["vectors_after"], {"embedder": self._embedder, "seq": self._seq})
        self._reserve(self._rows + len(rows))
        changed = self._rows
        for row in rows:
            at = self._row_of.setdefault(row["passage_id"], self._rows)
            if at == self._rows:
                self._rows += 1
            changed = min(changed, at)
            self._matrix[at] = np.frombuffer(row["vector"], np.float16)
            self._passages[at] = row["passage_id"]
            self._projects[at] = self._number_of.setdefault(row["project_id"], len(self._number_of))
            self._kinds[at] = self._kind_of.setdefault(row["kind"], len(self._kind_of))
            self._seq = row["seq"]
        self._seq = max(self._seq, newest)
        self._encode(changed)

    def _encode(self, since: int) -> None:
        """Takes the signs of the rows from `since` on; of all, about a new mean, when there are twice as many."""
        if self._rows < _WORTHWHILE:
            return
        if self._rows >= 2 * self._centred_at:
            self._mean = self._matrix[: self._rows].mean(axis=0)
            self._codes[:, : self._rows] = _signs(self._matrix[: self._rows] - self._mean)
            self._centred_at = self._rows
            self._trusted = self._sign_recall() >= _GOOD_ENOUGH
        else:
            self._codes[:, since : self._rows] = _signs(self._matrix[since : self._rows] - self._mean)

    def _sign_recall(self, asked: int = 24, limit: int = 10) -> float:
        """How many of the truly nearest survive the comparison of signs, tried on some of the rows themselves.

        Why tried: signs serve the vectors of a language model well and sparse ones badly.
        """
        every = np.arange(self._rows)
        codes = self._codes[:, : self._rows]
        kept = 0
        for row in every[:: max(1, self._rows // asked)][:asked]:
            truly = _top(self._matrix[: self._rows] @ self._matrix[row], limit)
            kept += np.isin(truly, _nearest_by_sign(codes, codes[:, row], every, _CANDIDATES * limit)).sum()
        return float(kept) / (asked * limit)

    def _reserve(self, rows: int) -> None:
        if rows <= len(self._passages):
            return
        room = max(rows, 2 * len(self._passages), 256)
        more = room - len(self._passages)
        self._matrix = np.pad(self._matrix, ((0, more), (0, 0)))
        self._passages = np.pad(self._passages, (0, more))
        self._projects = np.pad(self._projects, (0, more))
        self._kinds = np.pad(self._kinds, (0, more))
        self._codes = np.pad(self._codes, ((0, 0), (0, more)))


def _signs(vectors: NDArray[np.float32]) -> NDArray[np.uint64]:
    """One bit a number: is it above the mean? Words first, rows second."""
    bits = np.packbits(vectors > 0, axis=1)
    padded = np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8)))
    return np.ascontiguousarray(padded.view(np.uint64).T)


def _nearest_by_sign(
    codes: NDArray[np.uint64], asked: NDArray[np.uint64], rows: NDArray[np.int64], keep: int
) -> NDArray[np.int64]:
    """Places in `rows` of those that differ in the fewest signs."""
    apart = np.zeros(codes.shape[1], np.uint16)
    for column, bits in zip(codes, asked, strict=True):
        apart += np.bitwise_count(column ^ bits)
    return np.argpartition(apart[rows], keep - 1)[:keep]


def _top(scores: NDArray[np.float32], limit: int) -> NDArray[np.int64]:
    if scores.size > limit:
        kept = np.argpartition(-scores, limit - 1)[:limit]
        return kept[np.argsort(-scores[kept], kind="stable")]
    return np.argsort(-scores, kind="stable")
