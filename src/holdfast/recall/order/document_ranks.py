"""Ranks documents by confidence and links, superseded ones below their successors, and limits chunks per document."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from holdfast.core.decay import document_confidence
from holdfast.core.frozen import frozen
from holdfast.core.memory import DOCUMENT_PASSAGE_TYPES
from holdfast.recall.question import Notes, Question, RecallCandidate
from holdfast.recall.recall_reasons import RecallCode

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.recall.steps import Candidates
    from holdfast.store.reading import DocumentReading, DocumentStanding

# The highest score of a superseded document, as a share of its successor's.
_BELOW = 0.999


@frozen
class RankDocuments:
    """Weighs documents by confidence and PageRank, and puts superseded ones below their successors.

    A query about the past leaves superseded documents in place.

    `authority` scales the effect of `(0.7 + 0.3 × decayed confidence) × (0.8 + 0.2 × PageRank)`: 0 is none, 1 is full.
    `per_document` limits the chunks of each document in the answer; 0 means no limit.
    """

    reading: DocumentReading
    authority: float = 0.0
    per_document: int = 0
    name: str = "documents"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        chunks = [c.passage for c in candidates if c.row is not None and c.row.type in DOCUMENT_PASSAGE_TYPES]
        if not chunks:
            return candidates, {"skipped": RecallCode.NO_DOCUMENTS}
        standing = self.reading.standing(question.project, chunks)
        weighed = [self._weighed(c, standing.get(c.passage), question.now) for c in candidates]
        if question.asks_past:
            order, superseded = sorted(weighed, key=lambda c: -c.score), list[str]()
        else:
            order, superseded = _below_successors(weighed, standing)
        kept = _capped(order, standing, self.per_document) if self.per_document else order
        return tuple(kept), {"superseded": superseded, "dropped": len(order) - len(kept)}

    def _weighed(self, candidate: RecallCandidate, standing: DocumentStanding | None, now: datetime) -> RecallCandidate:
        if standing is None or not self.authority:
            return candidate
        confidence = document_confidence(standing.confidence, standing.since, now)
        factor = (0.7 + 0.3 * confidence) * (0.8 + 0.2 * standing.rank)
        score = candidate.score * (1 - self.authority + self.authority * factor)
        return candidate.with_factors({"document confidence": confidence, "pagerank": standing.rank}, score)


def _below_successors(
    candidates: list[RecallCandidate], standing: Mapping[int, DocumentStanding]
) -> tuple[list[RecallCandidate], list[str]]:
    """Sorts candidates by score, and moves a superseded document below the best chunk of its successor, if found.

    Also returns the paths of the documents it moved down.
    """
    best: dict[str, float] = {}
    for candidate in candidates:
        if of := standing.get(candidate.passage):
            best[of.path] = max(best.get(of.path, 0.0), candidate.score)
    replaced = {of.path: of.superseded_by for of in standing.values() if of.superseded_by}
    ceilings = {path: _ceiling(path, replaced, best) for path in replaced}
    lowered = [path for path, ceiling in ceilings.items() if best.get(path, 0.0) > ceiling]
    # Scaled, not set to one value, so that the chunks of the old document keep their order.
    shares = {path: ceilings[path] / best[path] for path in lowered}
    after = (_lowered(c, standing.get(c.passage), shares) for c in candidates)
    return sorted(after, key=lambda c: -c.score), lowered


def _ceiling(path: str, replaced: Mapping[str, str], best: Mapping[str, float]) -> float:
    """The highest score a superseded document may have: below each of its successors that was found."""
    later = [path]
    while (path := replaced.get(path, "")) and path not in later:
        later.append(path)
    ceiling = math.inf
    for successor in reversed(later[1:]):
        if successor in best:
            ceiling = min(best[successor], ceiling) * _BELOW
    return ceiling


def _lowered(candidate: RecallCandidate, of: DocumentStanding | None, shares: Mapping[str, float]) -> RecallCandidate:
    if of is None or not of.superseded_by:
        return candidate
    return candidate.with_factors({"superseded": 1.0}, candidate.score * shares.get(of.path, 1.0))


def _capped(
    candidates: list[RecallCandidate], standing: Mapping[int, DocumentStanding], most: int
) -> list[RecallCandidate]:
    seen: dict[str, int] = {}
    kept = []
    for candidate in candidates:
        document = standing[candidate.passage].document if candidate.passage in standing else ""
        seen[document] = seen.get(document, 0) + 1
        if not document or seen[document] <= most:
            kept.append(candidate)
    return kept
