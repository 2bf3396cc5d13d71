"""Estimates the probability that a candidate answers the query. Unlike a score, it is comparable between queries.

A logistic model weighs four signals: the cosine of the passage in standard deviations above unrelated texts, the
share of the query's terms that it contains, and how far both lie above the mean of the ten best candidates. Where
fewer than ten passages were found, the missing ones count as unrelated; so the estimate means the same in stores of
any size. A long prompt is nearer to every text than a question is, so its cosines are lowered by how near it is to
unrelated ones. It was fitted on real questions with and without an answer in the store, in stores of 1 to 20,000
passages. What reading a candidate said (`holdfast.recall.evidence.read_answers`) is weighed together with that, and
less in a large store, where one of many passages is taken for an answer by mistake; in a store of a few passages it
is the other way round.

One shared word is not enough to be sure: in a small store, the only rare word of a question is in passages that do
not answer it. A candidate needs two words of the query, or a close vector, or must contain the only word of a query.

A task ("fix the deploy script") asks nothing that a memory could answer, so reading says less about it. How likely a
candidate helps with the query as a task is estimated besides, from the same signals, in which reading counts less.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from heapq import nlargest
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen
from holdfast.recall.evidence.read_answers import ANSWER
from holdfast.recall.paths import SUBSTRING, TAUGHT
from holdfast.recall.question import Embedded, Notes, Question, RecallCandidate
from holdfast.recall.weigh.measure_weights import calibration
from holdfast.recall.weigh.measures import MEANING, SHARE
from holdfast.text.bags import keys_of
from holdfast.text.words import words

if TYPE_CHECKING:
    from holdfast.recall.query.query_spelling import Wording
    from holdfast.recall.steps import Candidates

# The factor beside `evidence`: the probability that a candidate helps with a task.
TASK = "task"
_BEST = 10
# The highest evidence of a candidate whose vector is not this close, if it shares one word with the query, and if it
# lacks the only word of a query.
_CLOSE, _ONE_WORD, _NO_WORD = 4.0, 0.7, 0.1
_LEAST = 1e-9
# What an agent says while it works is seldom an answer, however near it is: subtracted from its log-odds.
_WORKING = 2.0
# The passages of a store below which there are few, and above which there are many.
_FEW, _MANY = 16, 32
# A search that returns fewer has seen every passage.
_FULL = 80


@frozen
class EstimateEvidence:
    """Adds the factors `evidence`, the probability that a candidate answers, and `task`, that it helps with a task.

    Drops the lowest-ranked candidates: keeps `keep`, or three times the limit of the query if that is more. Needs
    measured candidates whose score is their relevance.
    """

    models: Mapping[str, Mapping[str, float]] = field(default_factory=calibration)
    keep: int = 60
    embed: Callable[[str], Embedded | None] = lambda _: None
    wording: Callable[[Question], Wording] | None = None
    passages: Callable[[], int] = lambda: 0
    name: str = "judge"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        if not candidates:
            return candidates, {}
        query = self.embed(question.text)
        level = query.level if query else 0.0
        matched, near = [_matched(c) for c in candidates], [c.measure(MEANING.name) - level for c in candidates]
        usual = _usual(candidates, matched, near)
        kept = max(self.keep, 3 * question.limit)
        # Of a long prompt, reading is not trusted more in a small store.
        size = max(self._size(candidates), _FEW if level else 0)
        judged = tuple(
            self._judged(question, c, signals(share, cosine, *usual), size)
            for c, share, cosine in zip(candidates[:kept], matched[:kept], near[:kept], strict=True)
        )
        return judged, {"best": max(c.evidence for c in judged)}

    def _size(self, candidates: Candidates) -> int:
        """The passages of the store. Those of other projects count only if this one fills a search."""
        found = len(candidates)
        return found if found < _FULL else max(found, self.passages())

    def _judged(
        self, question: Question, candidate: RecallCandidate, values: Mapping[str, float], size: int
    ) -> RecallCandidate:
        if SUBSTRING.name in candidate.raw:
            return candidate.with_factors(dict.fromkeys(("evidence", TASK), candidate.raw[SUBSTRING.name]))
        model = self.models["near" if "near" in values else "words"]
        unread = model["bias"] + sum(model[name] * value for name, value in values.items())
        odds = _log_odds(candidate.factors[ANSWER]) if ANSWER in candidate.factors else None
        less = _WORKING if candidate.row and candidate.row.working else 0.0
        read = unread if odds is None else _with_reading(unread, odds, self.models["read"], size)
        evidence = _probability(read - less)
        task = _probability(unread - less if odds is None else unread - less + self.models["task"]["answer"] * odds)
        is_close = values.get("near", 0.0) >= _CLOSE
        most = 1.0 if is_close else self._most(question, candidate, max(evidence, task))
        return candidate.with_factors({"evidence": min(evidence, most), TASK: min(task, most)})

    def _most(self, question: Question, candidate: RecallCandidate, estimate: float) -> float:
        """The highest evidence without a close vector: it takes two words of the query, or its only one."""
        if len(question.text.split()) < 2:
            return 1.0 if _matched(candidate) or candidate.ranks.keys() - {MEANING.name} else _NO_WORD
        return _ONE_WORD if estimate > _ONE_WORD and self._shares_one_word(question, candidate) else 1.0

    def _shares_one_word(self, question: Question, candidate: RecallCandidate) -> bool:
        """Does the candidate contain at most one of the query's words, in any form?"""
        if candidate.row is None:
            return False
        wording = self.wording(question) if self.wording else None
        asked = wording.words if wording else question.words
        variants = wording.variants if wording else {}
        said = {key for word in words(candidate.row.views) for key in keys_of(word)}
        forms = ((word, *variants.get(word, ())) for word in asked)
        return sum(any(_contains(said, form) for form in own) for own in forms) < 2


def _usual(candidates: Candidates, matched: Sequence[float], near: Sequence[float]) -> tuple[float, float]:
    """The means of the best shares and cosines, without candidates that only the search of taught memories found: it
    finds as many for every query."""
    found = [row for row, candidate in enumerate(candidates) if candidate.ranks.keys() != {TAUGHT.name}]
    cosines = [near[row] for row in found if not math.isnan(near[row])]
    return mean_of_best([matched[row] for row in found]), mean_of_best(cosines)


def _contains(said: set[int], form: str) -> bool:
    """Are all words of a form, which may be a phrase, among the keys of a text?"""
    parts = [keys_of(word) for word in form.split()]
    return any(parts) and all(not keys or not said.isdisjoint(keys) for keys in parts)


def _with_reading(unread: float, odds: float, model: Mapping[str, float], size: int) -> float:
    """The log-odds of evidence after a candidate was read; `odds` are those by reading alone."""
    return model["evidence"] * unread + model["answer"] * odds + odds_of_size(model, size) + model["bias"]


def odds_of_size(model: Mapping[str, float], passages: int) -> float:
    """What the size of the store adds to the log-odds: among more passages, one that answers nothing is read as an
    answer more often. A factor of ten counts more where there are few."""
    more = math.log10(max(passages, _MANY) / _MANY)
    fewer = math.log10(_FEW / min(max(passages, 1), _FEW))
    return model["more"] * more + model["fewer"] * fewer


def _probability(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))


def _log_odds(probability: float) -> float:
    return math.log(max(probability, _LEAST) / max(1 - probability, _LEAST))


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
