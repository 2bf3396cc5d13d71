"""The promised accuracy of comparing statements holds on the data sets of the benchmark."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from bench.statements import PRECISION, RECALL, REQUIREMENTS, interval, requirements
from bench.statements_pairs import DATA, FILE, drawn


@pytest.mark.integration
def test_contradicting_requirements_are_found() -> None:
    found = {row.name: row for row in requirements().rows}
    assert found["precision, default, held"].p50 >= PRECISION
    assert found["recall, default, held"].p50 >= RECALL
    assert found["recall, energy ≥ 0.3, held"].p50 < found["recall, default, held"].p50


def test_half_of_the_requirements_are_near_misses() -> None:
    rows = json.loads(REQUIREMENTS.read_text(encoding="utf-8"))
    assert len(rows) >= 150
    assert 0.4 < sum(row["contradicts"] for row in rows) / len(rows) < 0.6
    assert len({(row["a"], row["b"]) for row in rows}) == len(rows)


def test_the_pairs_hold_places_and_no_text() -> None:
    pairs = json.loads(FILE.read_text(encoding="utf-8"))["pairs"]
    assert len(pairs) >= 200
    assert all(len(place) == 4 and place[2] < place[3] for _, *places in pairs for place in places)


@pytest.mark.integration
@pytest.mark.skipif(not DATA.is_dir(), reason="the data to measure on is not here")
def test_every_place_leads_to_a_statement() -> None:
    pairs = drawn()
    assert Counter(pair.kind for pair in pairs).keys() == {"update", "same", "apart"}
    assert all(pair.old.strip() and pair.new.strip() for pair in pairs)


@pytest.mark.parametrize(("right", "of", "low", "high"), [(0, 0, 0.0, 1.0), (10, 10, 0.72, 1.0), (1, 100, 0.0, 0.055)])
def test_intervals(right: int, of: int, low: float, high: float) -> None:
    assert interval(right, of) == pytest.approx((low, high), abs=0.01)
