"""Finds memories that were stored on purpose among many other passages, and prefers them.

A store has hundreds of messages, chunks and functions for each memory that a person or an agent stored on purpose, so
that some of them are as near to a question by chance. The rarer these memories are, the more likely it is that a
question with such a memory near it asks for that one (docs/research/ranking.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen
from holdfast.core.memory import EPISODE
from holdfast.recall.paths import TAUGHT as PATH
from holdfast.recall.question import Embedded, Notes, Question, RecallCandidate
from holdfast.recall.recall_reasons import RecallCode
from holdfast.recall.source_trust import TAUGHT
from holdfast.recall.steps import Candidates, Ranked, Search

if TYPE_CHECKING:
    from holdfast.recall.store_parts import PassageSearch

# With more taught memories than this, some of them are near to every question by chance too.
_FEW = 1_000


@frozen
class AmongTaught(Search):
    """Finds the nearest taught memories, even if many other passages are nearer.

    Does nothing if there are many of them, or if the store has no more passages than `enough`, which the other searches
    find.
    """

    reading: PassageSearch
    embed: Callable[[str], Embedded | None]
    top: int = 24
    enough: int = 80
    name: str = PATH.name

    def search(self, question: Question) -> tuple[Ranked, Notes]:
        query = self.embed(question.text)
        if query is None:
            return (), {"skipped": RecallCode.NO_EMBEDDER}
        is_small = self.reading.passages_count() <= self.enough
        if is_small or self.reading.count_taught(question.project, _FEW + 1) > _FEW:
            return (), {"skipped": RecallCode.NOT_NEEDED}
        cosines = self.reading.similar(query.embedder, query.vector, self.reading.taught(question.project))
        nearest = sorted(cosines.items(), key=lambda found: (-found[1], found[0]))[: self.top]
        return [(passage, query.scale.deviations(cosine)) for passage, cosine in nearest], {}


@frozen
class PreferTaught:
    """Adds `weight` to the score of taught memories for each factor of ten by which they are rarer than passages.

    Nothing is added if the query asks what was said.
    """

    reading: PassageSearch
    weight: float = 0.046
    name: str = "prefer taught"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        bonus = 0.0 if question.asks_conversation else self._bonus(question)
        if not bonus:
            return candidates, {"skipped": RecallCode.NOT_NEEDED}
        raised = [c.with_score(min(1.0, c.score + bonus)) if _is_taught(c) else c for c in candidates]
        return tuple(sorted(raised, key=lambda c: (-c.score, c.passage))), {"bonus": round(bonus, 4)}

    def _bonus(self, question: Question) -> float:
        taught = self.reading.count_taught(question.project, _FEW)
        passages = min(self.reading.passages_count(), _FEW)
        return self.weight * math.log10(passages / taught) if 0 < taught < passages else 0.0


def _is_taught(candidate: RecallCandidate) -> bool:
    row = candidate.row
    return row is not None and row.type != EPISODE and row.source in TAUGHT
