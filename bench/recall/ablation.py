"""Measures the contribution of each part of recall: every recipe without one part, on every set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bench.recall.pool import Pool, Scores
from bench.recall.systems import Stores, ask_stores
from holdfast.bench.measure import show_progress
from holdfast.recall.recipes import DEFAULT, Recipe

# The default with one change each.
_CHANGES: Mapping[str, Mapping[str, Any]] = {
    "without words": {"words": 0},
    "without meaning": {"meaning": 0},
    "without sentence vectors": {"sentences": 0},
    "without reading the best": {"answers": 0},
    "without the search of taught memories": {"taught": 0},
    "without preferring taught memories": {"rarity": 0.0},
    "without the time path": {"time": 0},
    "without titles": {"titles": 0},
    "without the context of messages": {"without": frozenset({"context"})},
    "without the speaker": {"without": frozenset({"speaker", "reply"})},
    "without times named": {"time": 0, "without": frozenset({"time"})},
    "without newest first": {"newest": False},
    "by rank instead of weights": {"effort": 600, "learned": False, "taught": 0, "rarity": 0.0},
    "with recency 0.25, frequency 0.15": {"relevance": 0.6, "recency": 0.25, "frequency": 0.15},
    "with full trust and confidence": {"temper": 1.0},
    "with names": {"entities": 30},
    "with co-access": {"co_access": 15},
    "without the code graph": {"graph": 0, "neighbours": 0.0},
    "with documents' PageRank and confidence": {"authority": 0.3},
}
ABLATIONS: Mapping[str, Recipe] = {
    name: replace(DEFAULT, name=name, help=f"the default {name}", **changed) for name, changed in _CHANGES.items()
}


def ablate(sets: Sequence[tuple[Pool, Stores]]) -> Mapping[str, Mapping[str, Scores]]:
    """Computes the figures of every recipe on every set, with recall called by default: recipe, set, figure."""
    return {
        name: {pool.name: _score(pool, stores, name, recipe) for pool, stores in sets}
        for name, recipe in ABLATIONS.items()
    }


def _score(pool: Pool, stores: Stores, name: str, recipe: Recipe) -> Scores:
    show_progress(f"{pool.name}: {name}")
    return pool.score(pool, ask_stores(stores, recipe=recipe))
