"""Compares a query with every vector of a small store, without numpy.

Importing numpy takes as long as comparing ten thousand vectors like this, and a command searches only once or twice.
"""

from __future__ import annotations

import struct
import sys
import threading
from collections.abc import Iterable, Sequence
from heapq import nlargest
from operator import itemgetter, mul
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.store.vectors.partition import Partition
    from holdfast.store.vectors.source import VectorSource

    _Row = tuple[int, int, bytes, str, str]  # seq, passage, float16 bytes, project, kind

# With more vectors, or from this search on, importing numpy takes less time in total.
_MOST_ROWS, _MOST_SEARCHES = 8_192, 4
# The results wanted are chosen from this many times as many, because the first comparison is rough.
_MORE = 1.25
# Bytes that tell how large the numbers of the vectors are.
_SAMPLE = 16_384


class ScannedVectors:
    """All vectors of one embedder, read from the store when it has new ones. Has the methods of `VectorIndex`."""

    def __init__(self, source: VectorSource, dimensions: int) -> None:
        self._source = source
        self._numbers = struct.Struct(f"<{dimensions}e")
        self._rows: dict[int, _Row] = {}
        self._seq = -1
        self._searches = 0
        self._lock = threading.Lock()

    @staticmethod
    def pays(source: VectorSource) -> bool:
        """Whether scanning these vectors takes less time than importing numpy and building an index."""
        return "numpy" not in sys.modules and source.count_after(-1, _MOST_ROWS + 1) <= _MOST_ROWS

    def still_pays(self) -> bool:
        """Whether the next search should scan too."""
        few = self._searches < _MOST_SEARCHES and len(self._rows) <= _MOST_ROWS
        return few and "numpy" not in sys.modules

    def search(
        self, vector: Iterable[float], partition: Partition, allowed: Sequence[int] | None, limit: int
    ) -> tuple[tuple[int, float], ...]:
        """Returns the nearest passages of a partition with their cosines, best first; `allowed` narrows them."""
        self._searches += 1
        ranked = self._ranked(vector, partition, allowed, limit)
        if self._source.missing([seq for seq, _, _ in ranked]):
            self._seq = -1
            ranked = self._ranked(vector, partition, allowed, limit)
        return tuple((passage, cosine) for _, passage, cosine in ranked)

    def similar(self, vector: Iterable[float], passages: Sequence[int]) -> dict[int, float]:
        """The cosine of each of the passages that has a vector."""
        rows, query = self._current(), list(vector)
        return {passage: self._cosine(query, rows[passage][2]) for passage in passages if passage in rows}

    def lacking(self, passages: Sequence[int]) -> frozenset[int]:
        """Those of the passages that had no vector at the last search."""
        return frozenset(passages).difference(self._rows)

    def placed(self, partition: Partition, passages: Sequence[int]) -> list[int] | None:
        """Those of the passages that belong to a partition. None when one of them has no vector."""
        rows = self._current()
        if not rows.keys() >= set(passages):
            return None
        return [passage for _, passage, _, _, _ in _within(partition, [rows[passage] for passage in passages])]

    def _ranked(
        self, vector: Iterable[float], partition: Partition, allowed: Sequence[int] | None, limit: int
    ) -> list[tuple[int, int, float]]:
        """Returns the seq, passage and cosine of the nearest rows."""
        every, query = self._current(), list(vector)
        chosen = every.values() if allowed is None else [every[passage] for passage in allowed if passage in every]
        rows = _within(partition, chosen)
        keep = int(_MORE * limit)
        if len(rows) > keep:
            rows = [rows[at] for at in sorted(_roughly_nearest(query, [data for _, _, data, _, _ in rows], keep))]
        found = [(seq, passage, self._cosine(query, data)) for seq, passage, data, _, _ in rows]
        return sorted(found, key=itemgetter(2), reverse=True)[:limit]

    def _cosine(self, query: list[float], data: bytes) -> float:
        cosine: float = sum(map(mul, query, self._numbers.unpack(data)))
        return cosine

    def _current(self) -> dict[int, _Row]:
        """All rows by passage, up to the newest in the store."""
        with self._lock:
            newest = self._source.newest()
            if newest != self._seq:
                self._rows = {row[1]: row for row in self._source.after(-1, _MOST_ROWS + 1)}
                self._seq = newest
            return self._rows


def _within(partition: Partition, rows: Iterable[_Row]) -> list[_Row]:
    """The rows that belong to a partition."""
    searched = [row for row in rows if row[3] in partition.projects]
    kinds = {kind for kind in {row[4] for row in searched} if partition.has(kind)}
    return [row for row in searched if row[4] in kinds]


def _roughly_nearest(query: Sequence[float], vectors: Sequence[bytes], keep: int) -> list[int]:
    """Returns the positions of the nearest vectors by the high byte of each number: sign, exponent and two more bits.

    Multiplies all vectors at once, dimension by dimension: the numbers of one dimension, made non-negative, form one
    long integer with 4 bytes per vector, which is multiplied by the query's number. Python does that in one operation.
    """
    high = b"".join([vector[1::2] for vector in vectors])
    high = high.translate(_as_integers(high[:_SAMPLE]))
    step = max(map(abs, query)) / 127 or 1.0
    dimensions, lanes = len(query), bytearray(4 * len(vectors))
    above = below = 0
    for at, number in enumerate(query):
        factor = round(number / step)
        lanes[::4] = high[at::dimensions]
        if factor > 0:
            above += int.from_bytes(lanes, "little") * factor
        elif factor < 0:
            below -= int.from_bytes(lanes, "little") * factor
    layout = struct.Struct(f"<{len(vectors)}I")
    sums = zip(*(layout.unpack(total.to_bytes(len(lanes), "little")) for total in (above, below)), strict=True)
    scores = [positive - negative for positive, negative in sums]
    return nlargest(keep, range(len(scores)), key=scores.__getitem__)


def _as_integers(sample: bytes) -> bytes:
    """A table that maps the high byte of a 16-bit float to 1…255 in equal steps; 128 is zero.

    The largest number of the sample takes the last step, and so does every larger one.
    """
    # Up to infinity, with a low byte of 128, the middle of its range.
    numbers = struct.unpack("<124e", b"".join(bytes((128, byte)) for byte in range(124)))
    step = numbers[min(max(byte & 127 for byte in sample), 123)] / 127
    steps = [min(round(number / step), 127) for number in numbers] + [127] * 4
    return bytes((*(128 + number for number in steps), *(128 - number for number in steps)))
