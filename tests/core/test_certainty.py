"""The level of certainty that people see instead of a number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.answer import Hit, Why
from holdfast.core.certainty import LIKELY_FROM, SURE_FROM, Certainty, certainty
from tests.core.test_values import memory

ORDER = [Certainty.MAYBE, Certainty.LIKELY, Certainty.SURE]


@given(st.floats(0, 1), st.floats(0, 1))
def test_more_evidence_is_never_less_certain(some: float, other: float) -> None:
    low, high = sorted((some, other))
    assert ORDER.index(certainty(low)) <= ORDER.index(certainty(high))


@pytest.mark.parametrize(
    ("evidence", "level"),
    [
        (0.0, "maybe"), (LIKELY_FROM - 0.001, "maybe"), (LIKELY_FROM, "likely"), (SURE_FROM - 0.001, "likely"),
        (SURE_FROM, "sure"), (1.0, "sure"),
    ],
)  # fmt: skip
def test_the_levels_begin_at_their_thresholds(evidence: float, level: str) -> None:
    assert 0 < LIKELY_FROM < SURE_FROM < 1
    assert certainty(evidence) == level


def test_a_hit_has_the_certainty_of_its_evidence_or_none() -> None:
    def hit(**factors: float) -> Hit:
        return Hit(memory(), "x", 0.95, Why({"words": 1}, factors))

    assert hit(evidence=SURE_FROM).certainty is Certainty.SURE
    assert hit(evidence=0.0, relevance=1.0).certainty is Certainty.MAYBE
    assert hit(relevance=1.0).certainty is None
