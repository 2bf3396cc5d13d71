"""How strongly an edge passes on a change."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from holdfast.codegraph.code_records import CALLS, EXACT, EXPORTS, EXTENDS, GUESS, IMPLEMENTS, IMPORTS, INFERRED, USES

# The share of changes that an edge of each type passes on.
WEIGHTS = {IMPORTS: 0.9, CALLS: 0.8, IMPLEMENTS: 0.7, EXTENDS: 0.7, EXPORTS: 0.6, USES: 0.6}
# What says most about two files comes first: a file imports everything it calls.
_TELLING = (CALLS, EXTENDS, IMPLEMENTS, USES, EXPORTS, IMPORTS)
# An edge that was inferred or guessed passes on less.
_CERTAINTY = {EXACT: 1.0, INFERRED: 0.9, GUESS: 0.5}


class EdgeWeight(NamedTuple):
    """An edge between two files or symbols."""

    weight: float
    type: str
    confidence: str


def edge_weight(type: str, confidence: str) -> EdgeWeight:
    """Returns the weight of one edge."""
    return EdgeWeight(WEIGHTS.get(type, 0.5) * _CERTAINTY.get(confidence, 0.5), type, confidence)


@lru_cache(maxsize=1_000)
def strongest(types: str) -> EdgeWeight:
    """Returns one edge for several in the form of `FileEdge.types`: the highest weight and the most telling type."""
    edges = [edge_weight(*entry.split(" ")) for entry in types.split(",")]
    telling = min(edges, key=lambda edge: _TELLING.index(edge.type) if edge.type in _TELLING else len(_TELLING))
    return telling._replace(weight=max(edge.weight for edge in edges))
