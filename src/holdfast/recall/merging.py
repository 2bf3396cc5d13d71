"""Merges the candidates of one path into those found so far, and scores into a new order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from holdfast.recall.question import RecallCandidate


def merge_path(
    candidates: tuple[RecallCandidate, ...], path: str, ranked: Sequence[tuple[int, float]]
) -> tuple[RecallCandidate, ...]:
    """Merges passages that a path ranked, best first: known candidates gain a rank, new ones are appended."""
    if not ranked:
        return candidates
    known = {candidate.passage: candidate for candidate in candidates}
    for rank, (passage, raw) in enumerate(ranked, start=1):
        old = known.get(passage)
        new = RecallCandidate.found(passage, path, rank, raw) if old is None else old.with_rank(path, rank, raw)
        known[passage] = new
    return tuple(known.values())


def descending(candidates: Sequence[RecallCandidate]) -> tuple[RecallCandidate, ...]:
    """Raises scores where needed, so that no candidate scores less than the one after it."""
    raised = accumulate(reversed([c.score for c in candidates]), max)
    return tuple(c.with_score(score) for c, score in zip(candidates, reversed(list(raised)), strict=True))
