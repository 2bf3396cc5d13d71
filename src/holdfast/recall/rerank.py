"""A second look at the best candidates by a model that reads question and text together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from holdfast.core.errors import ModelError
from holdfast.recall.question import Found, Notes, Question

if TYPE_CHECKING:
    from holdfast.models.protocols import Reranker
    from holdfast.recall.steps import Candidates

_AT_LEAST = 20


@dataclass(frozen=True, slots=True)
class Rerank:
    """Blends a reranker's judgement of the top candidates with the score so far (R-C5).

    Looks at `deep` × the number asked for, at least twenty. Wants candidates with their factors and scores from 0 to 1.
    When the model fails, the order stays as it was and the trace says why.
    """

    reranker: Reranker | None
    deep: float = 2.5
    weight: float = 0.5
    name: str = "rerank"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        depth = max(_AT_LEAST, math.ceil(self.deep * question.limit))
        top, rest = found[:depth], found[depth:]
        if self.reranker is None or len(top) < 2:
            return found, {"skipped": "no reranker" if self.reranker is None else "nothing to order"}
        texts = [one.of.searched for one in top if one.of is not None]
        assert len(texts) == len(top), "rerank comes after the step that reads the factors"
        try:
            judged = self.reranker.rerank(question.text, texts)
        except ModelError as error:
            return found, {"failed": f"{error.what}: {error.detail}"}
        blended = (self._blended(one, share) for one, share in zip(top, judged, strict=True))
        ordered = tuple(sorted(blended, key=lambda one: -one.score))
        lowest = ordered[-1].score
        # Why: what was not looked at stays behind what was.
        behind = tuple(one._replace(score=min(one.score, lowest)) for one in rest)
        return (*ordered, *behind), {"reranker": self.reranker.id, "looked at": len(top)}

    def _blended(self, found: Found, share: float) -> Found:
        score = self.weight * share + (1 - self.weight) * found.score
        return found._replace(score=score, raw={**found.raw, self.name: share}, parts={**found.parts, self.name: share})
