"""Short codes for vectors: one for a first look at all of them, one for a second look at what is left.

Both are taken in the directions in which the store's own vectors differ most, so any model's vectors fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

BITS = 384
WORDS = BITS // 64
SHORT = 128
_STEPS = 4


@dataclass(frozen=True, slots=True)
class CodedQuery:
    """A question as each look needs it."""

    signs: NDArray[np.uint64]
    short: Floats
    full: Floats


@dataclass(frozen=True)
class VectorCode:
    """How vectors become codes: centred, turned into the directions that tell most, rounded.

    `frame` spreads those directions over the bits, so that every bit tells about as much as any other.
    """

    mean: Floats
    basis: Floats
    scale: Floats
    frame: Floats

    @classmethod
    def fitted(cls, sample: Floats) -> VectorCode:
        """The code that keeps most of how the rows of a sample differ."""
        mean = sample.mean(axis=0)
        basis = _directions(sample - mean, short_of(sample.shape[1]))
        reach = np.abs((sample - mean) @ basis).max(axis=0)
        chance = np.random.default_rng(basis.shape[1])
        frame = np.linalg.qr(chance.standard_normal((BITS, BITS)))[0][: basis.shape[1]]
        return cls(mean, basis, (127 / np.maximum(reach, 1e-6)).astype(np.float32), frame.astype(np.float32))

    def encode(self, rows: Floats) -> tuple[NDArray[np.uint64], NDArray[np.int8]]:
        """Both codes of each row: its signs as words (column by column), and its short form."""
        turned = (rows - self.mean) @ self.basis
        signs = np.packbits(turned @ self.frame > 0, axis=1).view(np.uint64)
        short = np.clip(np.rint(turned * self.scale), -127, 127).astype(np.int8)
        return np.ascontiguousarray(signs.T), short

    def asked(self, vector: Floats) -> CodedQuery:
        basis, frame = self._turned
        turned = multiplied(basis, vector)
        return CodedQuery(np.packbits(multiplied(frame, turned) > 0).view(np.uint64), turned / self.scale, vector)

    @cached_property
    def _turned(self) -> tuple[Floats, Floats]:
        """Both matrices the other way round in memory: what is multiplied must lie side by side to be quick."""
        return np.ascontiguousarray(self.basis.T), np.ascontiguousarray(self.frame.T)


def multiplied(rows: Floats, vector: Floats) -> Floats:
    """Each row times a vector, in this thread alone.

    Why not `@`: it wakes a thread per core for any but the smallest matrix, and then waits for the last of them; on a
    busy machine that is a time slice, many times the work itself.
    """
    products: Floats = np.vecdot(rows, vector)
    return products


def short_of(dimensions: int) -> int:
    """How many numbers the short code of such a vector has."""
    return min(SHORT, dimensions)


def _directions(rows: Floats, count: int) -> Floats:
    """The directions in which rows differ most, near enough: random ones, drawn there step by step."""
    drawn = np.random.default_rng(count).standard_normal((rows.shape[1], count)).astype(np.float32)
    for _ in range(_STEPS):
        drawn = np.linalg.qr(rows.T @ (rows @ drawn))[0]
    return drawn
