"""The weight of each measure by group of passage types. Chosen by `training/fit`, shipped as data."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cache
from typing import Any

from holdfast.core.frozen import frozen
from holdfast.core.memory import EPISODE

# Not a Path: pathlib takes longer to import than this module.
_FILE = os.path.join(os.path.dirname(__file__), "data", "weights.json")
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
    return Weights(_read()["weights"])


@cache
def calibration() -> Mapping[str, Mapping[str, float]]:
    """The logistic models of evidence: `near` for candidates with a vector, `words` for those without.

    `read` weighs either with what reading said, `task` with less of it.
    """
    models: Mapping[str, Mapping[str, float]] = _read()["evidence"]
    return models


@cache
def _read() -> Mapping[str, Any]:
    with open(_FILE, encoding="utf-8") as opened:
        fields: Mapping[str, Any] = json.load(opened)
    return fields
