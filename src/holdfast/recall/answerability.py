"""Does a candidate answer the question at all? A probability, the same for every question, unlike a score (R-C12).

Three signs, weighed by a logistic model that was fitted on real questions with and without an answer in the store
(`bench/fit.py`): how near the nearest sentence is, how much of what is asked for the conversation says, and how far the
candidate stands out from the others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from holdfast.recall.question import Found, Notes, Question
from holdfast.recall.weights import calibration

if TYPE_CHECKING:
    from holdfast.recall.steps import Candidates

# With fewer candidates than these, how far one stands out of them says nothing.
_MANY = 20


@dataclass(frozen=True, slots=True)
class EstimateEvidence:
    """Notes as the part `evidence` how likely each candidate answers, and lets through as many as can still matter.

    Wants measured candidates, their relevance as the score.
    """

    models: Mapping[str, Mapping[str, float]] = field(default_factory=calibration)
    keep: int = 60
    name: str = "judge"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        if not found:
            return found, {}
        relevances = [one.score for one in found]
        middle = sum(relevances) / len(relevances)
        spread = math.sqrt(sum((value - middle) ** 2 for value in relevances) / len(relevances))
        best = found[: max(self.keep, 3 * question.limit)]
        judged = tuple(self._judged(one, middle, spread, len(found)) for one in best)
        return judged, {"best": max(one.parts["evidence"] for one in judged)}

    def _judged(self, found: Found, middle: float, spread: float, many: int) -> Found:
        if "substring" in found.raw:
            return found._replace(parts={**found.parts, "evidence": 1.0})
        told = signs(found, middle, spread)
        model = self.models["near" if "near" in told else "words"]
        if many < _MANY or not spread:
            told = {**told, "standing": model["usual standing"]}
        reached = model["bias"] + sum(model[name] * value for name, value in told.items())
        return found._replace(parts={**found.parts, "evidence": 1 / (1 + math.exp(-reached))})


def signs(found: Found, middle: float, spread: float) -> dict[str, float]:
    """What speaks for a candidate, unscaled: `near` only where there is a vector."""
    matched, views, meaning = map(found.measure, ("session", "views", "meaning"))
    told = {"matched": 0.0 if math.isnan(matched) else matched, "standing": (found.score - middle) / (spread or 1.0)}
    near = next((cosine for cosine in (views, meaning) if not math.isnan(cosine)), None)
    return told if near is None else {**told, "near": near}
