"""Short codes for vectors: sign codes for a first pass over all rows, byte codes for a second pass over the rest.

Both use the directions in which the store's own vectors differ most, so they fit the vectors of any model.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

BITS = 384
WORDS = BITS // 64
SHORT = 128
_STEPS = 4


@frozen
class CodedQuery:
    """A query vector in the form that each pass needs."""

    signs: NDArray[np.uint64]
    short: Floats
    full: Floats


@frozen(slots=False)
class VectorCode:
    """Turns vectors into codes: centres them, projects them on the main directions and rounds them.

    `frame` spreads those directions over the bits, so that every bit carries about the same information.
    """

    mean: Floats
    basis: Floats
    scale: Floats
    frame: Floats

    @classmethod
    def fitted(cls, sample: Floats) -> VectorCode:
        """Fits a code that preserves most of the differences between the rows of a sample."""
        mean = sample.mean(axis=0)
        basis = _directions(sample - mean, short_of(sample.shape[1]))
        reach = np.abs((sample - mean) @ basis).max(axis=0)
        return cls(mean, basis, (127 / np.maximum(reach, 1e-6)).astype(np.float32), _frame(basis.shape[1]))

    def encode(self, rows: Floats) -> tuple[NDArray[np.uint64], NDArray[np.int8]]:
        """Both codes of each row: its signs packed into words, column by column, and its short code."""
        turned = (rows - self.mean) @ self.basis
        signs = np.packbits(turned @ self.frame > 0, axis=1).view(np.uint64)
        short = np.clip(np.rint(turned * self.scale), -127, 127).astype(np.int8)
        return np.ascontiguousarray(signs.T), short

    def encode_query(self, vector: Floats) -> CodedQuery:
        """A query vector in the form of each pass."""
        basis, frame = self._transposed
        turned = multiplied(basis, vector)
        return CodedQuery(np.packbits(multiplied(frame, turned) > 0).view(np.uint64), turned / self.scale, vector)

    @cached_property
    def _transposed(self) -> tuple[Floats, Floats]:
        """Both matrices transposed in memory: multiplying is fast only over contiguous numbers."""
        return np.ascontiguousarray(self.basis.T), np.ascontiguousarray(self.frame.T)


def multiplied(rows: Floats, vector: Floats) -> Floats:
    """Multiplies each row by a vector, in this thread alone.

    `@` would start a thread per core for all but the smallest matrices and wait for the last one; on a busy machine
    that wait takes many times longer than the work.
    """
    products: Floats = np.vecdot(rows, vector)
    return products


def short_of(dimensions: int) -> int:
    """The length of the short code of a vector."""
    return min(SHORT, dimensions)


@lru_cache(maxsize=4)
def _frame(count: int) -> Floats:
    """Random orthogonal directions, the same for every code of a length; making them takes longer than the rest."""
    random = np.random.default_rng(count)
    frame: Floats = np.linalg.qr(random.standard_normal((BITS, BITS)))[0][:count].astype(np.float32)
    frame.flags.writeable = False
    return frame


def _directions(rows: Floats, count: int) -> Floats:
    """The directions in which rows differ most, approximated by power iteration from random directions."""
    drawn = np.random.default_rng(count).standard_normal((rows.shape[1], count)).astype(np.float32)
    for _ in range(_STEPS):
        drawn = np.linalg.qr(rows.T @ (rows @ drawn))[0]
    return drawn
