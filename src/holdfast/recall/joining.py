"""Candidates of several paths brought together."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.recall.question import Found


def join(found: tuple[Found, ...], path: str, ranked: Sequence[tuple[int, float]]) -> tuple[Found, ...]:
    """The candidates with those of one more path, best first: known ones gain a rank, new ones join."""
    known = {one.passage: one for one in found}
    for rank, (passage, raw) in enumerate(ranked, start=1):
        old = known.get(passage) or Found(passage, {}, {})
        known[passage] = old._replace(ranks={**old.ranks, path: rank}, raw={**old.raw, path: raw})
    return tuple(known.values())
