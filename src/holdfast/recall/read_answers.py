"""Reads the best candidates together with the query, to judge whether they answer it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from holdfast.core.errors import ModelError
from holdfast.core.frozen import frozen
from holdfast.core.memory import DOCUMENT_PASSAGE_TYPES
from holdfast.core.reason import Reason
from holdfast.recall.reasons import RecallCode

if TYPE_CHECKING:
    from holdfast.recall.question import Notes, Question, RecallCandidate
    from holdfast.recall.steps import Candidates

# The factor that this step adds: the probability that the candidate answers, by reading alone.
ANSWER = "answer"
# The reader sees the beginning of a long text; what it says about that is worse than the score (decision 0053).
LONGEST = 420
_FEWEST_WORDS = 2


@frozen
class ReadAnswers:
    """Adds the factor `answer` to the best memories and messages, and `weight` times its log-odds to their scores.

    Reads at most `most` candidates and `characters` of text, in order, because reading takes time. Candidates after
    these stay behind them. Long texts, documents and code are not read. When the model fails, the order stays as it
    was and the trace gives the reason.
    """

    read: Callable[[str, Sequence[str]], Sequence[float]] | None
    characters: int = 2_000
    most: int = 16
    weight: float = 0.02
    name: str = "answers"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        why_not = self._why_not(question)
        if self.read is None or why_not:
            return candidates, {"skipped": why_not}
        depth = self._depth(candidates)
        try:
            judged = self._judged(question.text, candidates[:depth], self.read)
        except ModelError as error:
            return candidates, {"failed": Reason.of(RecallCode.READER_FAILED, error=f"{error.what}: {error.detail}")}
        ordered = sorted(judged, key=lambda c: -c.score)
        lowest = ordered[-1].score if ordered else math.inf
        behind = (c.with_score(min(c.score, lowest)) for c in candidates[depth:])
        return (*ordered, *behind), {"read": sum(ANSWER in c.factors for c in judged)}

    def _why_not(self, question: Question) -> RecallCode | None:
        """Why nothing is read; the reader does not know when something was said."""
        if self.read is None:
            return RecallCode.NO_READER
        if len(question.text.split()) < _FEWEST_WORDS:
            return RecallCode.TOO_FEW_WORDS
        return RecallCode.NAMES_A_TIME if question.windows else None

    def _depth(self, candidates: Candidates) -> int:
        """How many of the candidates are read or passed over before the limits are reached."""
        left = self.characters
        for place, candidate in enumerate(candidates[: self.most]):
            left -= len(candidate.row.searched) if candidate.row and _is_read(candidate) else 0
            if left < 0:
                return place
        return min(self.most, len(candidates))

    def _judged(
        self, question: str, candidates: Candidates, read: Callable[[str, Sequence[str]], Sequence[float]]
    ) -> list[RecallCandidate]:
        places = [place for place, candidate in enumerate(candidates) if _is_read(candidate)]
        judged = list(candidates)
        texts = [row.searched for row in (candidates[place].row for place in places) if row is not None]
        for place, odds in zip(places, read(question, texts), strict=True):
            score = min(1.0, max(0.0, candidates[place].score + self.weight * odds))
            judged[place] = candidates[place].with_factors({ANSWER: 1 / (1 + math.exp(-odds))}, score)
        return judged


def _is_read(candidate: RecallCandidate) -> bool:
    row = candidate.row
    return row is not None and row.type not in DOCUMENT_PASSAGE_TYPES and len(row.searched) <= LONGEST
