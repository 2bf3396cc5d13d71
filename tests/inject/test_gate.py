"""The gate: what may be shown unasked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from holdfast.core.decay import current_confidence
from holdfast.inject.gate import THRESHOLDS, may_inject

NOW = datetime(2026, 7, 1, tzinfo=UTC)


def memory(**changes):
    usual = {
        "type": "gotcha", "source": "observer_inferred", "confidence": 0.9, "access_count": 2, "verified": False,
        "quarantined": False,
    }  # fmt: skip
    return SimpleNamespace(**{**usual, **changes})


@pytest.mark.parametrize("level", THRESHOLDS)
def test_the_threshold_of_each_level_is_enough(level):
    least = THRESHOLDS[level]
    assert may_inject(memory(confidence=least), level, while_working=True)
    assert not may_inject(memory(confidence=least - 0.01), level, while_working=True)


@pytest.mark.parametrize("level", [-1, 0, 9])
def test_a_level_out_of_range_counts_as_the_nearest(level):
    nearest = THRESHOLDS[1 if level < 1 else 4]
    assert may_inject(memory(confidence=nearest), level, while_working=False)
    assert not may_inject(memory(confidence=nearest - 0.01), level, while_working=False)


def test_a_tainted_or_proposed_memory_waits_for_a_person():
    for working in (True, False):
        assert not may_inject(memory(quarantined=True, source="user_taught"), 4, while_working=working)
        assert may_inject(memory(verified=True), 2, while_working=working)


@pytest.mark.parametrize(
    ("changes", "passes"),
    [
        ({"access_count": 1}, False),
        ({"access_count": 1, "verified": True}, True),
        ({"access_count": 0, "source": "user_taught"}, True),
        ({"access_count": 0, "source": "agent_explicit"}, True),
        ({"access_count": 0, "type": "decision"}, True),
        ({"access_count": 0, "source": "qa_auto"}, False),
    ],
)
def test_an_inferred_memory_must_have_proved_itself_during_the_work(changes, passes):
    assert may_inject(memory(**changes), 2, while_working=True) is passes
    assert may_inject(memory(**changes), 2, while_working=False)


@pytest.mark.parametrize("level", THRESHOLDS)
def test_a_memory_stored_with_the_threshold_passes_the_next_moment(level):
    later = current_confidence(THRESHOLDS[level], 60.0, NOW - timedelta(hours=2), NOW)
    assert later < THRESHOLDS[level]
    assert may_inject(memory(confidence=later), level, while_working=True)
