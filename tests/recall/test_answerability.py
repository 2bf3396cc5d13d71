"""Evidence is a probability that means the same for every query and in a store of any size."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest

from holdfast.core.answer import Filters
from holdfast.recall.answerability import EstimateEvidence, signals
from holdfast.recall.question import Measured, Question, RecallCandidate

QUESTION = Question("where is the kettle", "p", Filters(), 8, datetime(2026, 1, 1, tzinfo=UTC))
MODELS = {
    "near": {"matched": 2.0, "matched above": 1.0, "near": 0.5, "near above": 1.0, "bias": -8.0},
    "words": {"matched": 3.0, "matched above": 2.0, "bias": -3.3},
}


def candidates(*measures: dict[str, float]) -> tuple[RecallCandidate, ...]:
    columns = {name: [found.get(name, math.nan) for found in measures] for name in ("share", "meaning")}
    measured = Measured(columns, columns)
    return tuple(RecallCandidate(at, {}, {}, 1.0, measured=measured, column=at) for at in range(len(measures)))


def evidence(*measures: dict[str, float]) -> list[float]:
    judged, _ = EstimateEvidence(MODELS)(QUESTION, candidates(*measures))
    return [round(one.factors["evidence"], 4) for one in judged]


def test_passages_that_a_small_store_lacks_count_as_unrelated() -> None:
    # 2 × 0.5 + (0.5 − 0.05) + 0.5 × 4 + (4 − 0.4) − 8 = −0.95
    assert evidence({"share": 0.5, "meaning": 4.0}) == [round(1 / (1 + math.exp(0.95)), 4)]


def test_without_a_vector_words_decide() -> None:
    # 3 × 0.75 + 2 × (0.75 − 0.075) − 3.3 = 0.3
    expected = [round(1 / (1 + math.exp(-0.3)), 4)]
    assert evidence({"share": 0.75}) == evidence({"share": 0.75, "meaning": math.nan}) == expected
    assert "near" not in signals(1.0, math.nan, 0.1, 0.1)


def test_one_of_many_alike_is_weaker_evidence() -> None:
    alike = {"share": 0.5, "meaning": 5.0}
    alone = evidence(alike, *[{"share": 0.0, "meaning": 1.0}] * 20)[0]
    among = evidence(*[alike] * 20)[0]
    assert alone > among


@pytest.mark.parametrize("sign", ["share", "meaning"])
def test_a_stronger_signal_is_stronger_evidence(sign: str) -> None:
    weak = {"share": 0.2, "meaning": 0.5}
    assert evidence(weak | {sign: 0.9}) > evidence(weak)


def test_no_candidates_are_passed_through() -> None:
    assert EstimateEvidence(MODELS)(QUESTION, ()) == ((), {})
