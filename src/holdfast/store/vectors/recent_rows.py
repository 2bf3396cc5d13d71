"""The newest rows, held in memory until they are appended to the vector file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from holdfast.store.vectors.vector_file import VectorRows

if TYPE_CHECKING:
    from holdfast.store.vectors.codes import Floats


class RecentRows:
    """Rows in the order of their seqs. Rows are only appended, so that arrays handed out before stay valid."""

    def __init__(self, dimensions: int) -> None:
        self.count = 0
        self._rows = VectorRows.of((np.empty(0, np.int64) for _ in range(4)), np.empty((0, dimensions), np.float16))
        self._floats: Floats = np.empty((0, dimensions), np.float32)

    def rows(self) -> VectorRows:
        return self._rows.part(slice(0, self.count))

    def floats(self) -> Floats:
        """The vectors as 32-bit floats."""
        return self._floats[: self.count]

    def add(self, rows: VectorRows) -> None:
        end = self.count + len(rows.seqs)
        if end > len(self._floats):
            self._grow(max(end, 2 * len(self._floats), 256))
        for column, more in zip(self._rows[:4], rows[:4], strict=True):
            column[self.count : end] = more
        self._rows.vectors[self.count : end] = self._floats[self.count : end] = rows.vectors
        self.count = end

    def after(self, seq: int) -> RecentRows:
        """Only the rows of a higher seq."""
        kept = RecentRows(self._floats.shape[1])
        kept.add(self.rows().part(slice(int(np.searchsorted(self.rows().seqs, seq, side="right")), None)))
        return kept

    def _grow(self, size: int) -> None:
        """Copies into new arrays, because another thread may be searching the old ones."""
        more = size - len(self._floats)
        numbers = (np.pad(column, (0, more)) for column in self._rows[:4])
        self._rows = VectorRows.of(numbers, np.pad(self._rows.vectors, ((0, more), (0, 0))))
        self._floats = np.pad(self._floats, ((0, more), (0, 0)))
