"""Adds the candidates of one path to those found so far."""

from __future__ import annotations

from collections.abc import Sequence

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
        known[passage] = (
            RecallCandidate(passage, {path: rank}, {path: raw}) if old is None else old.with_rank(path, rank, raw)
        )
    return tuple(known.values())
