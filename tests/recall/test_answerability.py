"""Evidence is a probability that means the same for every query."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from holdfast.core.answer import Filters
from holdfast.recall.answerability import EstimateEvidence, signals
from holdfast.recall.question import Measured, Question, RecallCandidate

QUESTION = Question("where is the kettle", "p", Filters(), 8, datetime(2026, 1, 1, tzinfo=UTC))
MODELS = {
    "near": {"matched": 2.0, "standing": 1.0, "near": 4.0, "bias": -6.0, "usual standing": 3.0},
    "words": {"matched": 3.0, "standing": 1.0, "bias": -5.0, "usual standing": 2.0},
}


def candidate(passage: int, relevance: float, **raw: float) -> RecallCandidate:
    values = {name: [value] for name, value in raw.items()}
    measured = Measured(values, values)
    return RecallCandidate(passage, {}, raw, relevance, measured=measured)


def evidence(*found: RecallCandidate) -> list[float]:
    judged, _ = EstimateEvidence(MODELS)(QUESTION, found)
    return [round(one.factors["evidence"], 4) for one in judged]


def test_few_candidates_use_the_usual_distance_from_the_mean() -> None:
    # 2 × 0.5 + 1 × 3 + 4 × 0.75 - 6 = 1, and 1 / (1 + e^-1) = 0.7311
    assert evidence(candidate(1, 1.0, session=0.5, meaning=0.75)) == [0.7311]


def test_without_a_vector_words_decide() -> None:
    # 3 × 1 + 1 × 2 - 5 = 0
    assert evidence(candidate(1, 1.0, session=1.0)) == [0.5]


def test_a_candidate_without_a_vector_yet_is_judged_by_words() -> None:
    nan = float("nan")
    assert evidence(candidate(1, 1.0, session=1.0, meaning=nan)) == [0.5]
    assert signals(candidate(1, 1.0, meaning=0.5), 0.0, 1.0)["near"] == 0.5


def test_a_score_far_above_the_mean_is_stronger_evidence() -> None:
    others = [candidate(n, 0.1, session=0.5, meaning=0.7) for n in range(2, 40)]
    out, *rest = evidence(candidate(1, 1.0, session=0.5, meaning=0.7), *others)
    assert out > 0.9
    assert max(rest) < 0.2


@pytest.mark.parametrize("sign", ["session", "meaning"])
def test_a_stronger_signal_is_stronger_evidence(sign: str) -> None:
    weak = candidate(1, 1.0, **{"session": 0.2, "meaning": 0.5})
    strong = candidate(1, 1.0, **{"session": 0.2, "meaning": 0.5, sign: 0.9})
    assert evidence(strong) > evidence(weak)


def test_no_candidates_are_passed_through() -> None:
    assert EstimateEvidence(MODELS)(QUESTION, ()) == ((), {})
