"""Measures the contribution of each step of recall: the default recipe without it, on every set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bench.recall.pool import Pool, Scores
from bench.recall.systems import Stores, ask_stores
from holdfast.bench.measure import show_progress
from holdfast.recall.recipes import DEFAULT, Recipe

# The searches and steps that each row leaves out.
STEPS: Mapping[str, tuple[str, ...]] = {
    "without words": ("words",),
    "without meaning": ("meaning",),
    "without the search of taught memories": ("taught",),
    "without preferring taught memories": ("prefer taught",),
    "without the time path": ("time",),
    "without titles": ("title", "titles"),
    "without the code graph": ("graph", "neighbours"),
    "without messages beside": ("conversation",),
    "without parts of words": ("substring",),
    "without exact names": ("whole",),
    "without files used together": ("causal",),
    "without reading the best": ("answers",),
    "without certain ones before messages": ("agree",),
    "without newer first": ("newer",),
    "without one hit per statement": ("distinct",),
    "without superseded documents below": ("documents",),
}
# The measures that each row leaves out.
MEASURES: Mapping[str, tuple[str, ...]] = {
    "without sentence vectors": ("sentences",),
    "without the context of messages": ("context",),
    "without the score of the session": ("session",),
    "without the speaker": ("speaker", "reply"),
    "without closeness in time": ("time",),
    "without the preferred type": ("preferred",),
}
# Steps without a row: without them there is no score, no evidence or no filter, or the benchmark has nothing for them.
# What `weigh` does is compared with ranks.
NO_ROW = frozenset({"weigh", "filter", "score", "judge", "code", "rerank", "hyde", "cap"})
_CHANGES: Mapping[str, Mapping[str, Any]] = {
    **{row: {"without": frozenset(names)} for row, names in STEPS.items()},
    **{row: {"ignore": frozenset(names)} for row, names in MEASURES.items()},
    "by rank instead of weights": {"effort": 600, "learned": False, "without": frozenset({"taught"})},
    "with recency 0.25, frequency 0.15": {"relevance": 0.6, "recency": 0.25, "frequency": 0.15},
    "with full trust and confidence": {"temper": 1.0},
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
