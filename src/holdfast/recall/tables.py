"""The design's tables as data: path weights, phase weights, source trust, packing budgets and shares."""

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

PHASE_WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "define": {
        "workflow_recipe": 1.4, "dead_end": 1.2, "requirement": 1.2, "decision": 1.1, "task_calibration": 1.1,
        "gotcha": 0.8, "error_pattern": 0.8,
    },
    "implement": {
        "gotcha": 1.4, "error_pattern": 1.3, "causal_dependency": 1.2, "pattern": 1.1, "dead_end": 1.2,
        "prefetch_pattern": 1.1,
    },
    "validate": {"error_pattern": 1.4, "e2e_observation": 1.4, "requirement": 1.2, "work_unit_outcome": 1.1},
    "refine": {"error_pattern": 1.3, "gotcha": 1.2, "dead_end": 1.2, "pattern": 1.0},
    "explore": {"module_insight": 1.4, "decision": 1.2, "pattern": 1.1, "causal_dependency": 1.0},
    "reflect": {"work_unit_outcome": 1.4, "task_calibration": 1.3, "dead_end": 1.1},
}  # fmt: skip

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


# Phase -> token budget and the share of it each type may claim; what a type leaves goes to the best of the rest.
DEFAULT_BUDGET = 2000
BUDGETS: Mapping[str, int] = {
    "define": 2500, "implement": 3000, "validate": 2500, "refine": 2000, "explore": 2000, "reflect": 1500,
}  # fmt: skip
SHARES: Mapping[str, Mapping[str, float]] = {
    "define": {
        "workflow_recipe": 0.30, "requirement": 0.20, "decision": 0.20, "dead_end": 0.15, "task_calibration": 0.10,
    },
    "implement": {
        "gotcha": 0.30, "error_pattern": 0.25, "causal_dependency": 0.15, "pattern": 0.15, "dead_end": 0.10,
    },
    "validate": {"error_pattern": 0.30, "requirement": 0.25, "e2e_observation": 0.25, "work_unit_outcome": 0.15},
    "refine": {"error_pattern": 0.35, "gotcha": 0.25, "dead_end": 0.20, "pattern": 0.15},
    "explore": {"module_insight": 0.40, "decision": 0.25, "pattern": 0.20, "causal_dependency": 0.15},
    "reflect": {"work_unit_outcome": 0.40, "task_calibration": 0.35, "dead_end": 0.15},
}  # fmt: skip
