"""Measures the cosines of an embedder whose card does not have them, and again when the store has grown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from holdfast.core.cosine_scale import MeasuredCosines
from holdfast.core.errors import ModelError
from holdfast.store.reading import PassageReading, SearchReading

if TYPE_CHECKING:
    from holdfast.models.protocols import Embedder
    from holdfast.store.writing.memories import MemoryWriting

_SAMPLE = 200
_GROWN = 4


class CosineReading(PassageReading, SearchReading, Protocol):
    """Reads vectors and what was measured with them."""


def measure_cosines(reading: CosineReading, writing: MemoryWriting, embedder: Embedder) -> None:
    """Measures the cosines between unrelated texts, if that is needed, and stores them. A model that fails is no error.

    Takes a few dozen short texts through the model.
    """
    if not reading.has_vectors(embedder.id):
        return
    from holdfast.models.cosine_measurement import ENOUGH_PASSAGES, measure

    known, count = reading.measured_cosines(embedder.id), reading.passages_count()
    if known is not None:
        has_enough_now = known.passages < ENOUGH_PASSAGES <= count
        if not has_enough_now and count < _GROWN * known.passages:
            return
    try:
        scales = measure(embedder, reading.sample_vectors(embedder.id, _SAMPLE))
    except ModelError:
        return
    writing.put_cosines(embedder.id, MeasuredCosines(scales, count))
