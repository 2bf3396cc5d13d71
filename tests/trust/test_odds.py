"""How likely a statement of a conversation changes an older one, and what is read to know it."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from holdfast.core.errors import ModelDamaged
from holdfast.statements import odds
from holdfast.statements.odds import overheard_odds, relation_limits

TUESDAY = "We deploy on Tuesdays."
PAIRS = [
    ("From now on we deploy on Thursdays.", TUESDAY),
    ("We deploy on Thursdays.", TUESDAY),
    ("Deployments are announced in the chat.", TUESDAY),
    ("My cat is called Miso.", TUESDAY),
    ("The table top will be walnut.", "The table top will be oak."),
    ("The legs will be steel.", "The table top will be oak."),
]


@pytest.fixture(autouse=True)
def nothing_cached() -> Iterator[None]:
    yield
    overheard_odds.cache_clear()
    relation_limits.cache_clear()


@pytest.mark.parametrize("told", [False, True])
@pytest.mark.parametrize(("new", "old"), PAIRS)
def test_a_limit_changes_no_odds_above_it(new: str, old: str, told: bool) -> None:
    exact = overheard_odds(new, old, told)
    for least in (-3.0, -1.5, relation_limits().change, 2.0):
        assert overheard_odds(new, old, told, least) == (exact if exact >= least else -math.inf)


def test_both_readers_can_only_raise_the_odds() -> None:
    """Otherwise the most they can say would be no upper limit."""
    weights = relation_limits().weights
    assert weights.first > 0 < weights.second


def test_what_cannot_be_likely_enough_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(new: str, old: str) -> float:
        raise AssertionError(f"{new} and {old} were read")

    least = relation_limits().change
    monkeypatch.setattr(odds, "read_change", fails)
    monkeypatch.setattr(odds, "second_opinion", lambda new, old: -4.0)
    monkeypatch.setattr(odds, "nearness", lambda new, old: 0.6)
    assert overheard_odds("The budget is approved.", "The roof is tiled.", least=least) == -math.inf
    monkeypatch.setattr(odds, "second_opinion", fails)
    monkeypatch.setattr(odds, "nearness", lambda new, old: 0.1)
    assert overheard_odds("The budget is approved.", "The roof is green.", least=least) == -math.inf


def test_thresholds_without_a_weight_are_damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    relation_limits.cache_clear()
    monkeypatch.setattr(odds, "limits_of_relations", lambda: {"near": 0.3})
    with pytest.raises(ModelDamaged):
        relation_limits()
