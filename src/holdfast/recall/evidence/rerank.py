"""Reranks the best candidates with a model that reads query and text together."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from holdfast.core.errors import ModelError
from holdfast.core.frozen import frozen
from holdfast.core.reason import Reason
from holdfast.recall.question import Notes, Question, RecallCandidate
from holdfast.recall.recall_reasons import RecallCode

if TYPE_CHECKING:
    from holdfast.models.protocols import Reranker
    from holdfast.recall.steps import Candidates

_AT_LEAST = 20
# The factor that this step adds.
RERANKED = "rerank"


@frozen
class Rerank:
    """Averages a reranker's scores of the top candidates with their scores so far.

    Reranks `deep` × the limit of the query, at least twenty. Needs candidates with rows and scores from 0 to 1.
    When the model fails, the order stays as it was and the trace gives the reason.
    """

    reranker: Reranker | None
    deep: float = 2.5
    weight: float = 0.5
    name: str = RERANKED

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        depth = max(_AT_LEAST, math.ceil(self.deep * question.limit))
        top, rest = candidates[:depth], candidates[depth:]
        if self.reranker is None or len(top) < 2:
            return candidates, {
                "skipped": RecallCode.NO_RERANKER if self.reranker is None else RecallCode.NOTHING_TO_RANK
            }
        texts = [c.row.views for c in top if c.row is not None]
        assert len(texts) == len(top), "rerank comes after the step that reads the rows"
        try:
            scores = self.reranker.rerank(question.text, texts)
        except ModelError as error:
            return candidates, {"failed": Reason.of(RecallCode.RERANKER_FAILED, error=f"{error.what}: {error.detail}")}
        blended = (self._blended(c, score) for c, score in zip(top, scores, strict=True))
        ordered = tuple(sorted(blended, key=lambda c: -c.score))
        lowest = ordered[-1].score
        # Candidates that were not reranked stay behind those that were.
        behind = tuple(c.with_score(min(c.score, lowest)) for c in rest)
        return (*ordered, *behind), {"reranker": self.reranker.id, "reranked": len(top)}

    def _blended(self, candidate: RecallCandidate, score: float) -> RecallCandidate:
        blended = self.weight * score + (1 - self.weight) * candidate.score
        return candidate.with_factors({self.name: score}, blended)._replace(raw={**candidate.raw, self.name: score})


def is_reranked(candidates: Candidates) -> bool:
    """Did a reranker score the best of these candidates?"""
    return bool(candidates) and any(RERANKED in candidate.factors for candidate in candidates)
