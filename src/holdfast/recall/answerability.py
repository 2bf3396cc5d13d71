"""Estimates the probability that a candidate answers the query. Unlike a score, it is comparable between queries.

A logistic model weighs three signals: the cosine of the passage in standard deviations above unrelated texts,
the share of the query's terms that the conversation contains, and the distance of the candidate's score from the mean.
It was fitted on real queries with and without an answer in the store (`bench/fit.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen
from holdfast.recall.measures import MEANING, SESSION
from holdfast.recall.paths import SUBSTRING
from holdfast.recall.question import Notes, Question, RecallCandidate
from holdfast.recall.weights import calibration

if TYPE_CHECKING:
    from holdfast.recall.steps import Candidates

# With fewer candidates, the distance of a score from their mean is not informative.
_MANY = 20


@frozen
class EstimateEvidence:
    """Adds the factor `evidence`, the probability that a candidate answers, and drops the lowest-ranked candidates.

    Keeps `keep` candidates, or three times the limit of the query if that is more. Needs measured candidates whose
    score is their relevance.
    """

    models: Mapping[str, Mapping[str, float]] = field(default_factory=calibration)
    keep: int = 60
    name: str = "judge"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        if not candidates:
            return candidates, {}
        relevances = [c.score for c in candidates]
        mean = sum(relevances) / len(relevances)
        spread = math.sqrt(sum((value - mean) ** 2 for value in relevances) / len(relevances))
        best = candidates[: max(self.keep, 3 * question.limit)]
        judged = tuple(self._judged(c, mean, spread, len(candidates)) for c in best)
        return judged, {"best": max(c.factors["evidence"] for c in judged)}

    def _judged(self, candidate: RecallCandidate, mean: float, spread: float, count: int) -> RecallCandidate:
        if SUBSTRING.name in candidate.raw:
            return candidate.with_factors({"evidence": candidate.raw[SUBSTRING.name]})
        values = signals(candidate, mean, spread)
        model = self.models["near" if "near" in values else "words"]
        if count < _MANY or not spread:
            values = {**values, "standing": model["usual standing"]}
        logit = model["bias"] + sum(model[name] * value for name, value in values.items())
        return candidate.with_factors({"evidence": 1 / (1 + math.exp(-logit))})


def signals(candidate: RecallCandidate, mean: float, spread: float) -> dict[str, float]:
    """Returns the unscaled signals of a candidate by their names in the model; `near` only where there is a vector."""
    matched, near = (candidate.measure(measure.name) for measure in (SESSION, MEANING))
    values = {
        "matched": 0.0 if math.isnan(matched) else matched,
        "standing": (candidate.score - mean) / (spread or 1.0),
    }
    return values if math.isnan(near) else {**values, "near": near}
