"""The design's tables as data: path weights, source trust and packing budgets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.store.reading import Factors

# Query type -> weight of each path in the weighted reciprocal rank fusion.
PATH_WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "identifier": {"words": 0.5, "graph": 0.3, "meaning": 0.2},
    "semantic": {"words": 0.25, "graph": 0.25, "meaning": 0.5},
    "structural": {"words": 0.25, "graph": 0.6, "meaning": 0.15},
}

SOURCE_TRUST: Mapping[str, float] = {
    "user_taught": 1.4,
    "agent_explicit": 1.2,
    "qa_auto": 1.1,
    "mcp_auto": 1.0,
    "commit_auto": 1.0,
    "observer_inferred": 0.85,
}


def abstain_factor(of: Factors | None) -> float:
    """By how much the bar is higher for what is trusted less: 1 for what a person taught, 1.4 for what was inferred."""
    return 2.0 - SOURCE_TRUST[of.source] / max(SOURCE_TRUST.values()) if of else 1.0


# Phase -> token budget. Each memory type declares the share of it that it may claim.
DEFAULT_BUDGET = 2000
BUDGETS: Mapping[str, int] = {
    "define": 2500, "implement": 3000, "validate": 2500, "refine": 2000, "explore": 2000, "reflect": 1500,
}  # fmt: skip
