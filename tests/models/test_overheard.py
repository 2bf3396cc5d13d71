"""How likely a statement of a conversation changes an older one, and what is read to know it."""

from __future__ import annotations

import math

import pytest

from holdfast.models import overheard
from holdfast.models.overheard import LEAST_CHANGE, bundled_weights, overheard_change

TUESDAY = "We deploy on Tuesdays."
PAIRS = [
    ("From now on we deploy on Thursdays.", TUESDAY),
    ("We deploy on Thursdays.", TUESDAY),
    ("Deployments are announced in the chat.", TUESDAY),
    ("My cat is called Miso.", TUESDAY),
    ("The table top will be walnut.", "The table top will be oak."),
    ("The legs will be steel.", "The table top will be oak."),
]


@pytest.mark.parametrize("told", [False, True])
@pytest.mark.parametrize(("new", "old"), PAIRS)
def test_a_limit_changes_no_odds_above_it(new: str, old: str, told: bool) -> None:
    exact = overheard_change(new, old, told)
    for least in (-3.0, -1.5, LEAST_CHANGE, 2.0):
        assert overheard_change(new, old, told, least) == (exact if exact >= least else -math.inf)


def test_both_readers_can_only_raise_the_odds() -> None:
    """Otherwise the most they can say would be no upper limit."""
    assert bundled_weights()["first"] > 0 < bundled_weights()["second"]


def test_what_cannot_be_likely_enough_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(new: str, old: str) -> float:
        raise AssertionError(f"{new} and {old} were read")

    monkeypatch.setattr(overheard, "read_change", fails)
    monkeypatch.setattr(overheard, "second_opinion", lambda new, old: -4.0)
    monkeypatch.setattr(overheard, "nearness", lambda new, old: 0.6)
    assert overheard_change("The budget is approved.", "The roof is tiled.", False, LEAST_CHANGE) == -math.inf
    monkeypatch.setattr(overheard, "second_opinion", fails)
    monkeypatch.setattr(overheard, "nearness", lambda new, old: 0.1)
    assert overheard_change("The budget is approved.", "The roof is green.", False, LEAST_CHANGE) == -math.inf
