"""Estimates the probability that a candidate answers the query. Unlike a score, it is comparable between queries.

A logistic model weighs four signals: the cosine of the passage in standard deviations above unrelated texts, the share
of the query's terms that it contains, and how far both lie above the mean of the ten best candidates. Where fewer than
ten passages were found, the missing ones count as unrelated; so the estimate means the same in stores of any size. It
was fitted on real questions with and without an answer in the store, in stores of 1 to 20,000 passages.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field
from heapq import nlargest
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen
from holdfast.recall.measures import MEANING, SHARE
from holdfast.recall.paths import SUBSTRING
from holdfast.recall.question import Notes, Question, RecallCandidate
from holdfast.recall.weights import calibration

if TYPE_CHECKING:
    from holdfast.recall.steps import Candidates

_BEST = 10


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
        matched, near = [_matched(c) for c in candidates], [c.measure(MEANING.name) for c in candidates]
        usual = mean_of_best(matched), mean_of_best([value for value in near if not math.isnan(value)])
        kept = max(self.keep, 3 * question.limit)
        judged = tuple(
            self._judged(c, signals(share, cosine, *usual))
            for c, share, cosine in zip(candidates[:kept], matched[:kept], near[:kept], strict=True)
        )
        return judged, {"best": max(c.factors["evidence"] for c in judged)}

    def _judged(self, candidate: RecallCandidate, values: Mapping[str, float]) -> RecallCandidate:
        if SUBSTRING.name in candidate.raw:
            return candidate.with_factors({"evidence": candidate.raw[SUBSTRING.name]})
        model = self.models["near" if "near" in values else "words"]
        logit = model["bias"] + sum(model[name] * value for name, value in values.items())
        return candidate.with_factors({"evidence": 1 / (1 + math.exp(-logit))})


def signals(matched: float, near: float, usual_matched: float, usual_near: float) -> dict[str, float]:
    """Returns the signals of a candidate by their names in the model; those of the cosine only if it has a vector."""
    values = {"matched": matched, "matched above": matched - usual_matched}
    return values if math.isnan(near) else {**values, "near": near, "near above": near - usual_near}


def _matched(candidate: RecallCandidate) -> float:
    share = candidate.measure(SHARE.name)
    return 0.0 if math.isnan(share) else share


def mean_of_best(values: Sequence[float]) -> float:
    """The mean of the ten highest values; missing ones count as 0."""
    return sum(nlargest(_BEST, values)) / _BEST
