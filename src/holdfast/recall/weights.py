"""The weight of each measure by group of passage types. Fitted by `bench/fit.py`, shipped as data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from holdfast.core.frozen import frozen
from holdfast.core.memory import EPISODE

_FILE = Path(__file__).parent / "data" / "weights.json"
# The groups of passage types; every other type belongs to "memory".
GROUPS = (EPISODE, "memory", "document", "code")


@frozen
class Weights:
    """The weight of each measure, by group of passage types; no weight is below 0."""

    by_group: Mapping[str, Mapping[str, float]]

    def of(self, type: str) -> Mapping[str, float]:
        """The weights for a passage of that type."""
        return self.by_group[group_of(type)]


def group_of(type: str) -> str:
    """The group whose weights apply to that type."""
    return type if type in GROUPS else "memory"


@cache
def learned() -> Weights:
    """The weights that come with the package."""
    return Weights(json.loads(_FILE.read_text(encoding="utf-8"))["weights"])


@cache
def calibration() -> Mapping[str, Mapping[str, float]]:
    """The logistic models of evidence: `near` for candidates with a vector, `words` for those without."""
    models: Mapping[str, Mapping[str, float]] = json.loads(_FILE.read_text(encoding="utf-8"))["evidence"]
    return models
