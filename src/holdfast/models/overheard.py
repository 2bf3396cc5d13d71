"""Weighs whether a statement of a conversation changes an older one.

Of the statements in real conversations that are near each other, hardly one in a hundred changes the other; among pairs
that people write as examples it is every third. So a reader that was trained on examples is not enough. Its odds are
weighed with those of a second reader, with the nearness of the two statements, and with the length of the older one: a
long statement says more than what changed. `bench/overheard_fit.py` fits the weights. A statement that says itself that
something changed may be in other words than the older one, so its nearness counts less.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

from holdfast.core.frozen import frozen
from holdfast.models.reader import bundled_reader, conflict_odds, nearness, read_change

WEIGHTS = Path(__file__).parent / "data" / "overheard.json"
# Log-odds of the first reader below which nothing changed.
LEAST_READ = 2.0
# Log-odds of a reader count at most this much; they end at 3.4, because the labels of its examples were smoothed.
_MOST = 3.4
# Log-odds of `overheard_change` from which the older statement is retired (docs/research/changes-of-mind.md).
LEAST_CHANGE = -0.5
_NEAR_TOLD = 0.65  # minimum nearness that counts if words say that something changed (docs/research/changes-of-mind.md)
_CACHED = 2_048


@frozen
class PairMeasures:
    """What is weighed: the log-odds of both readers, the nearness, and the number of words of the older statement."""

    first: float
    second: float
    near: float
    words: int

    def weighed(self, weights: Mapping[str, float]) -> float:
        """The log-odds that the newer statement changes the older one."""
        return (
            weights["bias"]
            + weights["first"] * self.first
            + weights["second"] * self.second
            + weights["near"] * self.near
            + weights["length"] * math.log(1 + self.words)
        )


@lru_cache(maxsize=_CACHED)
def overheard_change(new: str, old: str, told: bool = False, least: float = -math.inf) -> float:
    """The log-odds that a statement of a conversation changes an older one; raises ModelError.

    `told` is set if its words say that it changes something, and what. Log-odds below `least` may be given as -inf:
    what can only end there is not read, or only by the second reader, which has half as many layers.
    """
    near = nearness(new, old)
    most = PairMeasures(_MOST, _MOST, max(near, _NEAR_TOLD) if told else near, len(old.split()))
    weights = bundled_weights()
    if most.weighed(weights) < least:
        return -math.inf
    most = replace(most, second=min(_MOST, second_opinion(new, old)))
    if most.weighed(weights) < least:
        return -math.inf
    first = read_change(new, old)
    return replace(most, first=min(_MOST, first)).weighed(weights) if first >= LEAST_READ else -math.inf


def measures(new: str, old: str, first: float) -> PairMeasures:
    """The measures of two statements, given the log-odds of the first reader."""
    return PairMeasures(first, second_opinion(new, old), nearness(new, old), len(old.split()))


@lru_cache(maxsize=_CACHED)
def second_opinion(new: str, old: str) -> float:
    """The log-odds of the second reader that a newer statement conflicts with an older one; raises ModelError."""
    return conflict_odds(bundled_reader().relation(new, old))


@cache
def bundled_weights() -> Mapping[str, float]:
    """The weights of the package."""
    found: dict[str, float] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return found
