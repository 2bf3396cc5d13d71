"""Makes memories about frequently changed code lose recency faster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from holdfast.core.frozen import frozen
from holdfast.recall.question import Notes, Question
from holdfast.recall.recall_reasons import RecallCode

if TYPE_CHECKING:
    from holdfast.recall.steps import Candidates
    from holdfast.store.reading import PassageReading


class DecayScales(Protocol):
    """Maps passages with their files to decay rates: 1 is the usual rate, also for passages left out."""

    def __call__(self, files: Mapping[int, tuple[str, ...]], /) -> Mapping[int, float]: ...


@frozen
class ChurnDecay:
    """Adds the factor `fading`, by which the scoring step multiplies the decay rate of a candidate's recency."""

    reading: PassageReading
    scales: DecayScales | None
    name: str = "fading"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        if self.scales is None or not candidates:
            return candidates, {"skipped": RecallCode.NO_DECAY_SCALES}
        scales = self.scales(self.reading.files_of([c.passage for c in candidates]))
        scaled = tuple(c.with_factors({"fading": scales[c.passage]}) if c.passage in scales else c for c in candidates)
        return scaled, {"scaled": len(scales)}
