"""Estimates the probability that a candidate answers the query; unlike a score it means the same for every query.

A logistic model weighs three signals: the cosine of the nearest sentence, the share of the query's terms that the
conversation contains, and the distance of the candidate's score from the mean. It was fitted on real queries with and
without an answer in the store (`bench/fit.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from holdfast.recall.measures import MEANING, SESSION, VIEWS
from holdfast.recall.paths import SUBSTRING
from holdfast.recall.question import Found, Notes, Question
from holdfast.recall.weights import calibration

if TYPE_CHECKING:
    from holdfast.recall.steps import Candidates

# With fewer candidates the distance from their mean says nothing.
_MANY = 20


@dataclass(frozen=True, slots=True)
class EstimateEvidence:
    """Adds the factor `evidence`, the probability that a candidate answers, and keeps as many as can still matter.

    Needs measured candidates whose score is their relevance.
    """

    models: Mapping[str, Mapping[str, float]] = field(default_factory=calibration)
    keep: int = 60
    name: str = "judge"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        if not found:
            return found, {}
        relevances = [one.score for one in found]
        mean = sum(relevances) / len(relevances)
        spread = math.sqrt(sum((value - mean) ** 2 for value in relevances) / len(relevances))
        best = found[: max(self.keep, 3 * question.limit)]
        judged = tuple(self._judged(one, mean, spread, len(found)) for one in best)
        return judged, {"best": max(one.factors["evidence"] for one in judged)}

    def _judged(self, found: Found, mean: float, spread: float, count: int) -> Found:
        if SUBSTRING.name in found.raw:
            return found.with_factors({"evidence": 1.0})
        values = signals(found, mean, spread)
        model = self.models["near" if "near" in values else "words"]
        if count < _MANY or not spread:
            values = {**values, "standing": model["usual standing"]}
        logit = model["bias"] + sum(model[name] * value for name, value in values.items())
        return found.with_factors({"evidence": 1 / (1 + math.exp(-logit))})


def signals(found: Found, mean: float, spread: float) -> dict[str, float]:
    """The unscaled signals of a candidate by their names in the model; `near` only where there is a vector."""
    matched, views, meaning = (found.measure(measure.name) for measure in (SESSION, VIEWS, MEANING))
    values = {"matched": 0.0 if math.isnan(matched) else matched, "standing": (found.score - mean) / (spread or 1.0)}
    near = next((cosine for cosine in (views, meaning) if not math.isnan(cosine)), None)
    return values if near is None else {**values, "near": near}
