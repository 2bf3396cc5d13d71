"""What each measure of a candidate is worth, by the kind of passage. Fitted by `bench/fit.py`, shipped as data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from holdfast.core.memory import EPISODE

_FILE = Path(__file__).parent / "data" / "weights.json"
KINDS = (EPISODE, "memory", "document", "code")


@dataclass(frozen=True, slots=True)
class Weights:
    """For each kind of passage, the weight of each measure; none is below 0."""

    by_kind: Mapping[str, Mapping[str, float]]

    def of(self, type: str) -> Mapping[str, float]:
        """The weights for a passage of that type."""
        return self.by_kind[kind_of(type)]


def kind_of(type: str) -> str:
    """The kind of passage whose weights hold for that type."""
    return type if type in KINDS else "memory"


@cache
def learned() -> Weights:
    """The weights that come with the package."""
    return Weights(json.loads(_FILE.read_text(encoding="utf-8"))["weights"])


@cache
def calibration() -> Mapping[str, Mapping[str, float]]:
    """How the signs of an answer become a probability: with a vector (`near`), and by words alone (`words`)."""
    models: Mapping[str, Mapping[str, float]] = json.loads(_FILE.read_text(encoding="utf-8"))["evidence"]
    return models
