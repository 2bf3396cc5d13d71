"""Merges what a query and other wordings of it found.

A small model does not know that "who judges whether results are good?" is about "relevance judgments"; an agent that
searches does, and says so in another wording (decision 0097).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.recall.question import Question, RecallCandidate
    from holdfast.recall.steps import Candidates

# With each wording something unrelated is found more easily: the threshold of abstention is higher by this factor.
STRICTER = 2.1
# The query counts as often as two other wordings: those name words that an answer might have, and need not ask.
_OF_QUERY = 2.0
_FEWEST = 8


def merged(found: Sequence[tuple[Question, Candidates]]) -> Candidates:
    """Returns the best candidates of all wordings by their highest score, each once; the first wording is the query.

    The evidence of each is the mean over all wordings, 0 where it is not among the best.
    """
    best: dict[int, RecallCandidate] = {}
    evidence: dict[int, float] = {}
    total = _OF_QUERY + len(found) - 1
    for place, (question, candidates) in enumerate(found):
        weight = (_OF_QUERY if place == 0 else 1.0) / total
        for candidate in candidates[: max(question.limit, _FEWEST)]:
            passage = candidate.passage
            evidence[passage] = evidence.get(passage, 0.0) + weight * candidate.evidence
            if passage not in best or candidate.score > best[passage].score:
                best[passage] = candidate
    ordered = sorted(best.values(), key=lambda candidate: -candidate.score)
    return tuple(candidate.with_factors({"evidence": evidence[candidate.passage]}) for candidate in _once(ordered))


def _once(candidates: Iterable[RecallCandidate]) -> Iterator[RecallCandidate]:
    """The candidates without those whose text a better one has: wordings may differ in which of two they find."""
    known: set[str] = set()
    for candidate in candidates:
        same = {row.id for row in (candidate.row, *candidate.repeats) if row is not None}
        if known.isdisjoint(same):
            yield candidate
        known |= same
