"""Measures the contribution of each part of recall: every recipe without one part, on every set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bench.measure import show_progress
from bench.recall.ours import Built, Holdfast
from bench.recall.pool import Pool, Scores, ask_all


def recipes() -> Mapping[str, Any]:
    """The recipes by name, without the default."""
    from holdfast.recall.recipes import ABLATIONS

    return {name: recipe for name, recipe in ABLATIONS.items() if name != "default"}


def ablate(stores: Sequence[tuple[Pool, Built]]) -> Mapping[str, Mapping[str, Scores]]:
    """Computes the figures of every recipe on every set: recipe, set, figure."""
    return {
        name: {pool.name: _score(pool, built, name, recipe) for pool, built in stores}
        for name, recipe in recipes().items()
    }


def _score(pool: Pool, built: Built, name: str, recipe: Any) -> Scores:
    show_progress(f"{pool.name}: {name}")
    with Holdfast(pool, built, recipe=recipe) as holdfast:
        return pool.score(pool, ask_all(holdfast, pool))
