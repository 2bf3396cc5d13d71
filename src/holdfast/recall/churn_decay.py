"""Memories of restless code fade faster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from holdfast.recall.question import Notes, Question

if TYPE_CHECKING:
    from holdfast.recall.steps import Candidates
    from holdfast.store.reading import PassageReading


class DecayScales(Protocol):
    """How fast things fade by the files they are about: 1 is the usual rate. What is not told fades as usual."""

    def __call__(self, files: Mapping[int, tuple[str, ...]], /) -> Mapping[int, float]: ...


@dataclass(frozen=True, slots=True)
class ChurnDecay:
    """Notes as the part `fading` what the rate of a candidate's recency is multiplied by; scoring reads it."""

    reading: PassageReading
    scales: DecayScales | None
    name: str = "fading"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        if self.scales is None or not found:
            return found, {"skipped": "nothing to scale"}
        scales = self.scales(self.reading.files_of([one.passage for one in found]))
        noted = tuple(
            one._replace(parts={**one.parts, "fading": scales[one.passage]}) if one.passage in scales else one
            for one in found
        )
        return noted, {"scaled": len(scales)}
