"""Makes the order of hits and the words about their certainty agree.

The order and the evidence are two estimates of the same thing. Where they disagree, the order is right more often, so
words follow it; only messages give way to memories, documents and code that answer more certainly
(docs/research/evidence.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from holdfast.core.certainty import LEVELS, certainty
from holdfast.core.frozen import frozen
from holdfast.core.memory import EPISODE

if TYPE_CHECKING:
    from holdfast.recall.question import Notes, Question, RecallCandidate
    from holdfast.recall.steps import Candidates


@frozen
class MessagesGiveWay:
    """Moves what answers more certainly in front of messages, and everything as certain in front of work notes.

    A work note is what an agent says while it works ("Now let me run the tests."): most of its messages, seldom an
    answer. Nothing moves if the query asks what was said. Needs candidates with their rows and evidence.
    """

    name: str = "agree"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        if question.asks_conversation:
            return candidates, {"moved": 0}
        ordered: list[RecallCandidate] = []
        moved = 0
        for candidate in candidates:
            place = len(ordered)
            while place and _gives_way(ordered[place - 1], candidate):
                place -= 1
            moved += place < len(ordered)
            ordered.insert(place, candidate)
        return _lowered(ordered) if moved else candidates, {"moved": moved}


def _lowered(candidates: Sequence[RecallCandidate]) -> Candidates:
    """Lowers the scores of those that gave way, so that none scores more than the one before it."""
    scores = accumulate((candidate.score for candidate in candidates), min)
    return tuple(candidate.with_score(score) for candidate, score in zip(candidates, scores, strict=True))


def _gives_way(message: RecallCandidate, other: RecallCandidate) -> bool:
    if message.row is None or other.row is None or message.row.type != EPISODE or other.row.working:
        return False
    if message.row.working:
        return _level(other) >= _level(message)
    return other.row.type != EPISODE and _level(other) > _level(message)


def _level(candidate: RecallCandidate) -> int:
    return LEVELS.index(certainty(candidate.evidence))


def pooled(evidence: Sequence[float]) -> list[float]:
    """Pools numbers that increase, so that none is higher than the one before it: each group gets its mean.

    This is the nearest sequence without an increase (pool adjacent violators).
    """
    groups: list[tuple[float, int]] = []
    for strength in evidence:
        mean, size = strength, 1
        while groups and groups[-1][0] < mean:
            before, count = groups.pop()
            mean, size = (before * count + mean * size) / (count + size), count + size
        groups.append((mean, size))
    return [mean for mean, size in groups for _ in range(size)]
