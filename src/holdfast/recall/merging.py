"""Candidates of several paths brought together."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.recall.question import Found


def merge_path(found: tuple[Found, ...], path: str, ranked: Sequence[tuple[int, float]]) -> tuple[Found, ...]:
    """The candidates with those of one more path, best first: known ones gain a rank, new ones join."""
    if not ranked:
        return found
    known = {one.passage: one for one in found}
    for rank, (passage, raw) in enumerate(ranked, start=1):
        old = known.get(passage)
        if old is None:
            known[passage] = Found(passage, {path: rank}, {path: raw})
        else:
            # Why not `_replace`: hundreds are made for every question, and this takes half the time.
            known[passage] = Found(passage, {**old.ranks, path: rank}, {**old.raw, path: raw}, *old[3:])
    return tuple(known.values())
