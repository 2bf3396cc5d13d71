"""Checksums of the rows of a vector file, computed for many rows at once."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Checksums = NDArray[np.uint64]

# The checksum of a row of zeros, so that a page the disk lost is not taken for rows.
_START = np.uint64(0x9E37_79B9_7F4A_7C15)
_UNITS = (np.uint64, np.uint32, np.uint16, np.uint8)


class DamagedVectors(ValueError):
    """A checksum of the vector file is wrong."""


def row_checksums(rows: NDArray[Any]) -> Checksums:
    """A checksum of each row: a sum of its words with odd factors, which a change of any one word changes."""
    rows = np.ascontiguousarray(rows)
    width = rows.itemsize * rows.shape[1]
    unit = next(unit for unit in _UNITS if width % np.dtype(unit).itemsize == 0)
    words = rows.view(unit).astype(np.uint64, copy=False)
    # Half the time of a product and its sum, which would be written to memory between the two.
    sums: Checksums = np.einsum("ij,j->i", words, _factors(words.shape[1])) + _START
    return sums


def code_checksums(signs: NDArray[np.uint64], short: NDArray[np.int8], *numbers: NDArray[np.int64]) -> Checksums:
    """A checksum of each row's codes and numbers; `signs` holds a column per row."""
    factors = _factors(len(signs) + len(numbers) + 1)
    sums: Checksums = row_checksums(short) * factors[-1]
    for factor, words in zip(factors, (*signs, *(column.view(np.uint64) for column in numbers)), strict=False):
        sums += words * factor
    return sums


@functools.lru_cache(maxsize=16)
def _factors(count: int) -> Checksums:
    drawn = np.random.default_rng(count).integers(0, 2**64, count, np.uint64, endpoint=False)
    return drawn | np.uint64(1)
