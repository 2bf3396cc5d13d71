"""Estimates the probability that a candidate answers the query. Unlike a score, it is comparable between queries.

A logistic model weighs four signals: the cosine of the passage in standard deviations above unrelated texts, the share
of the query's terms that it contains, and how far both lie above the mean of the ten best candidates. Where fewer than
ten passages were found, the missing ones count as unrelated; so the estimate means the same in stores of any size. It
was fitted on real questions with and without an answer in the store, in stores of 1 to 20,000 passages. What reading a
candidate said (`holdfast.recall.read_answers`) is weighed together with that.

One shared word is not enough to be sure: in a small store, the only rare word of a question is in passages that do not
answer it. A candidate needs two words of the query, or a close vector, or must contain the only word of a query.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from heapq import nlargest
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen
from holdfast.recall.measures import MEANING, SHARE
from holdfast.recall.paths import SUBSTRING
from holdfast.recall.question import Notes, Question, RecallCandidate
from holdfast.recall.read_answers import ANSWER
from holdfast.recall.weights import calibration
from holdfast.text.bags import keys_of
from holdfast.text.words import words

if TYPE_CHECKING:
    from holdfast.recall.spelling import Wording
    from holdfast.recall.steps import Candidates

_BEST = 10
# The highest evidence of a candidate that shares one word with the query and whose vector is not this close.
_ONE_WORD, _CLOSE = 0.7, 4.0
_LEAST = 1e-9


@frozen
class EstimateEvidence:
    """Adds the factor `evidence`, the probability that a candidate answers, and drops the lowest-ranked candidates.

    Keeps `keep` candidates, or three times the limit of the query if that is more. Needs measured candidates whose
    score is their relevance.
    """

    models: Mapping[str, Mapping[str, float]] = field(default_factory=calibration)
    keep: int = 60
    wording: Callable[[Question], Wording] | None = None
    name: str = "judge"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        if not candidates:
            return candidates, {}
        matched, near = [_matched(c) for c in candidates], [c.measure(MEANING.name) for c in candidates]
        usual = mean_of_best(matched), mean_of_best([value for value in near if not math.isnan(value)])
        kept = max(self.keep, 3 * question.limit)
        judged = tuple(
            self._judged(question, c, signals(share, cosine, *usual))
            for c, share, cosine in zip(candidates[:kept], matched[:kept], near[:kept], strict=True)
        )
        return judged, {"best": max(c.factors["evidence"] for c in judged)}

    def _judged(self, question: Question, candidate: RecallCandidate, values: Mapping[str, float]) -> RecallCandidate:
        if SUBSTRING.name in candidate.raw:
            return candidate.with_factors({"evidence": candidate.raw[SUBSTRING.name]})
        model = self.models["near" if "near" in values else "words"]
        logit = model["bias"] + sum(model[name] * value for name, value in values.items())
        if ANSWER in candidate.factors:
            logit = _with_reading(logit, candidate.factors[ANSWER], self.models["read"])
        evidence = 1 / (1 + math.exp(-logit))
        if evidence > _ONE_WORD and values.get("near", 0.0) < _CLOSE and self._shares_one_word(question, candidate):
            evidence = _ONE_WORD
        return candidate.with_factors({"evidence": evidence})

    def _shares_one_word(self, question: Question, candidate: RecallCandidate) -> bool:
        """Does the candidate contain at most one of the query's words, in any form? False for a query of one word."""
        if candidate.row is None or len(question.text.split()) < 2:
            return False
        wording = self.wording(question) if self.wording else None
        asked = wording.words if wording else question.words
        variants = wording.variants if wording else {}
        said = {key for word in words(candidate.row.searched) for key in keys_of(word)}
        forms = ((word, *variants.get(word, ())) for word in asked)
        return sum(any(_contains(said, form) for form in own) for own in forms) < 2


def _contains(said: set[int], form: str) -> bool:
    """Are all words of a form, which may be a phrase, among the keys of a text?"""
    parts = [keys_of(word) for word in form.split()]
    return any(parts) and all(not keys or not said.isdisjoint(keys) for keys in parts)


def _with_reading(logit: float, answer: float, model: Mapping[str, float]) -> float:
    """The log-odds of evidence after a candidate was read; `answer` is the probability by reading alone."""
    odds = math.log(max(answer, _LEAST) / max(1 - answer, _LEAST))
    return model["evidence"] * logit + model["answer"] * odds + model["bias"]


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
