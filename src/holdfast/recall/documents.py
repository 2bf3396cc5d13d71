"""Ranks documents by confidence and links, puts superseded ones below their successors, and limits chunks of one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from holdfast.core.document import DOCUMENT_PASSAGE_TYPES
from holdfast.recall.question import Found, Notes, Question
from holdfast.recall.reasons import RecallCode
from holdfast.trust.decay import document_confidence

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.recall.steps import Candidates
    from holdfast.store.reading import DocumentReading, DocumentStanding

# The highest score of a superseded document, as a share of its successor's.
_BELOW = 0.999


@dataclass(frozen=True, slots=True)
class RankDocuments:
    """Weighs documents by confidence and PageRank, puts superseded ones below their successors, and caps chunks of one.

    A query about the past leaves superseded documents in place.

    `authority` scales the effect of `(0.7 + 0.3 decayed confidence) × (0.8 + 0.2 PageRank)`: 0 is none, 1 is full.
    `per_document` limits the chunks of one document in the answer; 0 means no limit.
    """

    reading: DocumentReading
    authority: float = 0.0
    per_document: int = 0
    name: str = "documents"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        chunks = [one.passage for one in found if one.row is not None and one.row.type in DOCUMENT_PASSAGE_TYPES]
        if not chunks:
            return found, {"skipped": RecallCode.NO_DOCUMENTS}
        standing = self.reading.standing(question.project, chunks)
        weighed = [self._weighed(one, standing.get(one.passage), question.now) for one in found]
        if question.asks_past:
            order, superseded = sorted(weighed, key=lambda one: -one.score), list[str]()
        else:
            order, superseded = _below_successors(weighed, standing)
        kept = _capped(order, standing, self.per_document) if self.per_document else order
        return tuple(kept), {"superseded": superseded, "dropped": len(order) - len(kept)}

    def _weighed(self, found: Found, standing: DocumentStanding | None, now: datetime) -> Found:
        if standing is None or not self.authority:
            return found
        confidence = document_confidence(standing.confidence, standing.since, now)
        factor = (0.7 + 0.3 * confidence) * (0.8 + 0.2 * standing.rank)
        score = found.score * (1 - self.authority + self.authority * factor)
        return found.with_factors({"document confidence": confidence, "pagerank": standing.rank}, score)


def _below_successors(found: list[Found], standing: Mapping[int, DocumentStanding]) -> tuple[list[Found], list[str]]:
    """Sorts candidates, a superseded document below the best chunk of its successor if that was found too.

    Also returns the paths of the documents it moved down.
    """
    best: dict[str, float] = {}
    for one in found:
        if of := standing.get(one.passage):
            best[of.path] = max(best.get(of.path, 0.0), one.score)
    replaced = {of.path: of.superseded_by for of in standing.values() if of.superseded_by}
    ceilings = {path: _ceiling(path, replaced, best) for path in replaced}
    lowered = [path for path, ceiling in ceilings.items() if best.get(path, 0.0) > ceiling]
    # Scaled, not set to one value, so that the chunks of the old document keep their order.
    shares = {path: ceilings[path] / best[path] for path in lowered}
    after = (_lowered(one, standing.get(one.passage), shares) for one in found)
    return sorted(after, key=lambda one: -one.score), lowered


def _ceiling(path: str, replaced: Mapping[str, str], best: Mapping[str, float]) -> float:
    """The highest score a superseded document may have: below each of its successors that was found."""
    later = [path]
    while (path := replaced.get(path, "")) and path not in later:
        later.append(path)
    ceiling = math.inf
    for one in reversed(later[1:]):
        if one in best:
            ceiling = min(best[one], ceiling) * _BELOW
    return ceiling


def _lowered(found: Found, of: DocumentStanding | None, shares: Mapping[str, float]) -> Found:
    if of is None or not of.superseded_by:
        return found
    return found.with_factors({"superseded": 1.0}, found.score * shares.get(of.path, 1.0))


def _capped(found: list[Found], standing: Mapping[int, DocumentStanding], most: int) -> list[Found]:
    seen: dict[str, int] = {}
    kept = []
    for one in found:
        document = standing[one.passage].document if one.passage in standing else ""
        seen[document] = seen.get(document, 0) + 1
        if not document or seen[document] <= most:
            kept.append(one)
    return kept
