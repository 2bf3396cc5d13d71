"""Measures the contribution of each part of recall: every recipe without one part, on every set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bench.measure import show_progress
from bench.recall.pool import Pool, Scores
from bench.recall.systems import Stores, ask_stores


def recipes() -> Mapping[str, Any]:
    """The recipes by name, without the default."""
    from holdfast.recall.recipes import ABLATIONS

    return {name: recipe for name, recipe in ABLATIONS.items() if name != "default"}


def ablate(sets: Sequence[tuple[Pool, Stores]]) -> Mapping[str, Mapping[str, Scores]]:
    """Computes the figures of every recipe on every set, with recall called by default: recipe, set, figure."""
    return {
        name: {pool.name: _score(pool, stores, name, recipe) for pool, stores in sets}
        for name, recipe in recipes().items()
    }


def _score(pool: Pool, stores: Stores, name: str, recipe: Any) -> Scores:
    show_progress(f"{pool.name}: {name}")
    return pool.score(pool, ask_stores(stores, recipe=recipe))
