"""The signals: what each is worth, which type of memory it becomes, and in how many sessions it must be seen."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from holdfast.core.frozen import frozen

# Signals below this value are dropped.
LEAST_VALUE = 0.4
_ASSUMED_REVIEWS = 10
_FILE = os.path.join(os.path.dirname(__file__), "data", "signals.json")


@frozen
class Signal:
    """A kind of observation. `sessions` is the number of sessions before it becomes a memory of `type`.

    `text` is the memory's text with the values of the observation in braces. `diagnostic` and `relevance` say how much
    the signal tells, now and in later sessions; `false_positives` is the share that people reject, `kept_share`
    how much they keep of what was assumed that they would. With `milestones`, the memory is written again when it was
    seen in 5, 10, 20, 50 and 100 sessions. `confidence` is that of its
    memories, if the number of sessions does not count. `share` is that of the sessions with its first file that must
    show it.
    """

    name: str
    number: int
    score: float
    type: str
    sessions: int
    diagnostic: float
    relevance: float
    false_positives: float
    text: str
    milestones: bool = False
    source: str = "observer_inferred"
    confidence: float | None = None
    share: float = 0.0
    kept_share: float = 1.0

    @property
    def value(self) -> float:
        """What an observation of this kind is worth, 0 to 1.

        What it tells counts only as far as people keep its memories: without that, most signals stayed above
        `LEAST_VALUE` even if every memory was rejected.
        """
        tells = self.diagnostic * 0.5 + self.relevance * 0.3
        return tells * self.kept_share + (1.0 - self.false_positives) * 0.2


@frozen
class Observation:
    """Something seen in one session. The same `key` of the same signal in other sessions is the same observation.

    `values` fill the signal's text; `steps` are the events that show it; `taint` names the untrusted tool whose output
    the agent had read before, with the step in which it had.
    """

    signal: str
    key: str
    steps: tuple[int, ...]
    files: tuple[str, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    taint: tuple[str, int] | None = None


def calibrated(reviews: Mapping[str, tuple[int, int]]) -> dict[str, Signal]:
    """All signals, their false positives corrected by the memories of each that people rejected and confirmed.

    What is assumed beforehand counts as much as so many reviews: a few do not decide.
    """
    return {name: _calibrated(signal, *reviews.get(name, (0, 0))) for name, signal in signals().items()}


def _calibrated(signal: Signal, rejected: int, confirmed: int) -> Signal:
    if not rejected and not confirmed:
        return signal
    false = (_ASSUMED_REVIEWS * signal.false_positives + rejected) / (_ASSUMED_REVIEWS + rejected + confirmed)
    kept = min(1.0, (1.0 - false) / (1.0 - signal.false_positives))
    fixed = None if signal.confidence is None else round(signal.confidence * kept, 2)
    return replace(signal, false_positives=false, score=signal.score * kept, confidence=fixed, kept_share=kept)


@cache
def signals() -> dict[str, Signal]:
    """All signals by name."""
    with open(_FILE, encoding="utf-8") as opened:
        return {name: Signal(name, **values) for name, values in json.load(opened).items()}
