"""Finds the scale of an embedder's cosines, in whose units recall judges them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from holdfast.core.cosine_scale import CosineScale, CosineScales

if TYPE_CHECKING:
    from holdfast.store.reading import PassageReading

# Used while almost no vectors of an embedder are stored: then a weak hit does less harm than silence.
UNKNOWN = CosineScales.of_one_size(CosineScale(0.2, 0.08), CosineScale(0.2, 0.1))
_SAMPLE = 200


class EmbedderScales:
    """Returns the scales of an embedder: those of its card, or measured by the background job, or estimated.

    An estimate from stored vectors serves until the job has measured; it is made once in a process.
    """

    def __init__(self, reading: PassageReading, of_card: Callable[[], CosineScales | None] = lambda: None) -> None:
        self._reading = reading
        self._of_card = of_card
        self._estimated: dict[str, CosineScales] = {}

    def __call__(self, embedder: str) -> CosineScales:
        of_card = self._of_card()
        if of_card is not None:
            return of_card
        measured = self._reading.measured_cosines(embedder)
        return measured.scales if measured is not None else self._estimate(embedder)

    def _estimate(self, embedder: str) -> CosineScales:
        if embedder not in self._estimated:
            from holdfast.models.cosine_measurement import estimate

            estimated = estimate(self._reading.sample_vectors(embedder, _SAMPLE))
            if estimated is None:
                return UNKNOWN
            self._estimated[embedder] = estimated
        return self._estimated[embedder]
