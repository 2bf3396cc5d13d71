"""The static size of our embedding model: the weighted mean of one vector per token, with nothing to load.

A query takes microseconds. A new process makes the vector of a short text in a few milliseconds without numpy, whose
import takes longer than everything else.
"""

from __future__ import annotations

import math
import struct
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdfast.core.built_once import built_once
from holdfast.core.vector_size import VectorSize
from holdfast.models.own_model import OwnEmbedder
from holdfast.text.gloss import in_english

if TYPE_CHECKING:
    from holdfast.models.own_model import OwnModel
    from holdfast.models.protocols import Vectors
    from holdfast.models.token_table import TokenTable
    from holdfast.models.wordpiece import WordPiece

_QUERY, _PASSAGE = 0, 1
# With more tokens than these, in one call or in all calls so far, numpy saves more time than its import takes.
_MAX_TOKENS_WITHOUT_NUMPY = 8_000
# Adds 128 to a signed byte.
_ABOVE_ZERO = bytes(byte ^ 128 for byte in range(256))


class StaticEmbedder(OwnEmbedder):
    """Embeds texts as weighted means of token vectors, plus a bias. Thread-safe.

    Queries and passages share the token vectors, but have their own weights and bias. Building it reads nothing.
    """

    def __init__(self, model: OwnModel) -> None:
        super().__init__(model, VectorSize.STATIC)
        self._packed_tokens = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            vectors[row] = _mean(self._table, _PASSAGE, self._passage_ids(text))
        return vectors

    def embed_query(self, text: str) -> Vectors:
        ids = self._tokenizer.ids(self._card.query_prefix + in_english(text), self._card.max_tokens)
        return _mean(self._table, _QUERY, ids)

    def pack(self, texts: Sequence[str]) -> list[bytes]:
        """Embeds texts as passages, as packed 16-bit floats. A few short texts do not import numpy."""
        tokenized = [self._passage_ids(text) for text in texts]
        self._packed_tokens += sum(map(len, tokenized))
        if "numpy" in sys.modules or self._packed_tokens > _MAX_TOKENS_WITHOUT_NUMPY:
            return [_mean(self._table, _PASSAGE, ids).astype("<f2").tobytes() for ids in tokenized]
        packed = struct.Struct(f"<{self.dimensions}e")
        return [packed.pack(*_mean_without_numpy(self._table, _PASSAGE, ids)) for ids in tokenized]

    def verify(self) -> None:
        """Checks every file that this size reads; raises ModelError."""
        self._table.verify()

    def _passage_ids(self, text: str) -> list[int]:
        return self._tokenizer.ids(self._card.passage_prefix + in_english(text), self._card.max_tokens)

    @built_once
    def _tokenizer(self) -> WordPiece:
        # Opening the table verifies the vocabulary; one that is cut short must not be used before.
        _ = self._table
        return self._model.wordpiece

    @built_once
    def _table(self) -> TokenTable:
        return self._model.open_table(self._card.file)


def _mean(table: TokenTable, use: int, ids: Sequence[int]) -> Vectors:
    import numpy as np

    arrays, chosen = table.arrays, np.array(ids, np.int64)
    table.check(chosen)
    # `take` is faster than an index, and changing an array in place than making the next one.
    weights = arrays.weights[use].take(chosen)
    mean: Vectors = (weights * arrays.scales.take(chosen)) @ arrays.table.take(chosen, 0).astype(np.float32)
    mean /= max(float(weights.sum()), 1e-6)
    mean += arrays.biases[use]
    length = math.sqrt(float(mean @ mean))
    if not length:
        mean[0] = length = 1.0  # nothing to go by, but a vector must have length one
    mean /= length
    return mean


def _mean_without_numpy(table: TokenTable, use: int, ids: Sequence[int]) -> list[float]:
    """Adds the rows as integers of `dimensions` × 64 bits, four times as fast as number by number.

    Each row takes one byte of every 64 bits, 128 above its value, and is multiplied by its factor in units of 1 / 2**24
    of the largest.
    """
    weights = [table.weight(use, id) for id in ids]
    factors = [weight * table.scale(id) for weight, id in zip(weights, ids, strict=True)]
    unit = max(factors, default=0.0) / (1 << 24) or 1.0
    total = units = 0
    lanes = bytearray(8 * table.dimensions)
    for id, factor in zip(ids, factors, strict=True):
        count = round(factor / unit)
        lanes[::8] = table.row(id).translate(_ABOVE_ZERO)
        total += int.from_bytes(lanes, "little") * count
        units += count
    whole = struct.unpack(f"<{table.dimensions}Q", total.to_bytes(len(lanes), "little"))
    scale = unit / max(math.fsum(weights), 1e-6)
    mean = [(number - 128 * units) * scale + bias for number, bias in zip(whole, table.bias(use), strict=True)]
    length = math.hypot(*mean)
    if not length:
        return [1.0, *mean[1:]]
    return [number / length for number in mean]
