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
# How many times the number asked for survives the first look, how well that must work, and from how many rows on.
_CANDIDATES = 20
_GOOD_ENOUGH = 0.99
_WORTHWHILE = 4096
_SHORT = 256
_TRIED, _TRIED_DEPTH = 24, 10


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
        self._tried_at = 0
        self._short_is_enough = False
        self._row_of: dict[int, int] = {}
        self._number_of: dict[str, int] = {}
        self._kind_of: dict[str, int] = {}
        self._known_rows: dict[tuple[str, tuple[str, ...]], NDArray[np.int64]] = {}
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
        """The rows that the first numbers find nearest; the few that are left are then compared in full (R-B5)."""
        if not self._short_is_enough or rows.size <= 2 * keep:
            return rows
        kept: NDArray[np.int64] = rows[np.argpartition(self._far(vector)[rows], keep - 1)[:keep]]
        return kept

    def lacking(self, passages: Sequence[int]) -> frozenset[int]:
        """Those of the passages that have no vector here yet."""
        return frozenset(passage for passage in passages if passage not in self._row_of)

    def _rows_of(self, project: str, kinds: Sequence[str], allowed: Sequence[int] | None) -> NDArray[np.int64]:
        if allowed is None:
            asked = (project, tuple(kinds))
            if asked not in self._known_rows:
                self._known_rows[asked] = np.flatnonzero(self._fitting(project, kinds))
            return self._known_rows[asked]
        rows = np.array([self._row_of[passage] for passage in allowed if passage in self._row_of], np.int64)
        kept: NDArray[np.int64] = rows[self._fitting(project, kinds)[rows]]
        return kept

    def _fitting(self, project: str, kinds: Sequence[str]) -> NDArray[np.bool_]:
        fits: NDArray[np.bool_] = self._projects[: self._rows] == self._number_of.get(project, -1)
        of_kind = self._kinds[: self._rows]
        if kinds:
            fits &= np.isin(of_kind, [self._kind_of.get(kind, -1) for kind in kinds])
        else:
            fits &= of_kind != self._kind_of.get("episode", -1)
        return fits

    def _catch_up(self) -> None:
        sql = statements("reading")
        newest = self._database.read(sql["newest_vector"])[0][0]
        if newest <= self._seq:
            return
        rows = self._database.read(sql["vectors_after"], {"embedder": self._embedder, "seq": self._seq})
        self._reserve(self._rows + len(rows))
        self._known_rows.clear()
        for row in rows:
            at = self._row_of.setdefault(row["passage_id"], self._rows)
            if at == self._rows:
                self._rows += 1
            self._matrix[at] = np.frombuffer(row["vector"], np.float16)
            self._passages[at] = row["passage_id"]
            self._projects[at] = self._number_of.setdefault(row["project_id"], len(self._number_of))
            self._kinds[at] = self._kind_of.setdefault(row["kind"], len(self._kind_of))
            self._seq = row["seq"]
        self._seq = max(self._seq, newest)
        self._try_short()

    def _try_short(self) -> None:
        """Do the first 256 numbers find what all of them find? Tried on some rows whenever there are twice as many.

        Why tried: a Matryoshka model puts the most into its first numbers, others do not.
        """
        wide, many = self._matrix.shape[1] >= 2 * _SHORT, self._rows >= max(_WORTHWHILE, 2 * self._tried_at)
        if wide and many:
            self._tried_at = self._rows
            self._short_is_enough = self._recall_of_short() >= _GOOD_ENOUGH

    def _recall_of_short(self) -> float:
        """How many of the truly nearest survive the first look."""
        asked = range(0, self._rows, max(1, self._rows // _TRIED))
        keep, kept = _CANDIDATES * _TRIED_DEPTH, 0
        for row in asked:
            truly = _top(self._matrix[: self._rows] @ self._matrix[row], _TRIED_DEPTH)
            kept += int(np.isin(truly, np.argpartition(self._far(self._matrix[row]), keep)[:keep]).sum())
        return kept / (len(asked) * _TRIED_DEPTH)

    def _far(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """How far each row is by its first numbers."""
        far: NDArray[np.float32] = -(self._matrix[: self._rows, :_SHORT] @ vector[:_SHORT])
        return far

    def _reserve(self, rows: int) -> None:
        if rows <= len(self._passages):
            return
        room = max(rows, 2 * len(self._passages), 256)
        more = room - len(self._passages)
        self._matrix = np.pad(self._matrix, ((0, more), (0, 0)))
        self._passages = np.pad(self._passages, (0, more))
        self._projects = np.pad(self._projects, (0, more))
        self._kinds = np.pad(self._kinds, (0, more))


def _top(scores: NDArray[np.float32], limit: int) -> NDArray[np.int64]:
    if scores.size > limit:
        kept = np.argpartition(scores, -limit)[-limit:]
        return kept[np.argsort(-scores[kept], kind="stable")]
    return np.argsort(-scores, kind="stable")
