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
        self._said: NDArray[np.bool_] = np.empty(0, np.bool_)
        self._row_of: dict[int, int] = {}
        self._number_of: dict[str, int] = {}
        self._lock = threading.Lock()

    def search(
        self, vector: NDArray[np.float32], project: str, allowed: Sequence[int] | None, limit: int
    ) -> tuple[tuple[int, float], ...]:
        """The nearest passages of a project by cosine. `allowed` restricts to these; None leaves out raw episodes."""
        with self._lock:
            self._catch_up()
            rows = self._rows_of(project, allowed)
            scores = self._matrix[rows] @ vector if rows.size < self._rows else self._matrix[: self._rows] @ vector
            best = _top(scores, limit)
            return tuple((int(self._passages[rows[i]]), float(scores[i])) for i in best)

    def _rows_of(self, project: str, allowed: Sequence[int] | None) -> NDArray[np.int64]:
        number = self._number_of.get(project, -1)
        if allowed is None:
            return np.flatnonzero((self._projects[: self._rows] == number) & ~self._said[: self._rows])
        found = [self._row_of[passage] for passage in allowed if passage in self._row_of]
        # Why sorted: all rows in order are searched as one matrix, and the n-th score is the n-th row's.
        return np.array(sorted(row for row in found if self._projects[row] == number), np.int64)

    def _catch_up(self) -> None:
        sql = statements("reading")
        newest = self._database.read(sql["newest_vector"])[0][0]
        if newest <= self._seq:
            return
        rows = self._database.read(sql["vectors_after"], {"embedder": self._embedder, "seq": self._seq})
        self._reserve(self._rows + len(rows))
        for row in rows:
            at = self._row_of.setdefault(row["passage_id"], self._rows)
            if at == self._rows:
                self._rows += 1
            self._matrix[at] = np.frombuffer(row["vector"], np.float16)
            self._passages[at] = row["passage_id"]
            self._projects[at] = self._number_of.setdefault(row["project_id"], len(self._number_of))
            self._said[at] = row["kind"] == "episode"
            self._seq = row["seq"]
        self._seq = max(self._seq, newest)

    def _reserve(self, rows: int) -> None:
        if rows <= len(self._passages):
            return
        room = max(rows, 2 * len(self._passages), 256)
        more = room - len(self._passages)
        self._matrix = np.pad(self._matrix, ((0, more), (0, 0)))
        self._passages = np.pad(self._passages, (0, more))
        self._projects = np.pad(self._projects, (0, more))
        self._said = np.pad(self._said, (0, more))


def _top(scores: NDArray[np.float32], limit: int) -> NDArray[np.int64]:
    if scores.size > limit:
        kept = np.argpartition(-scores, limit - 1)[:limit]
        return kept[np.argsort(-scores[kept], kind="stable")]
    return np.argsort(-scores, kind="stable")
