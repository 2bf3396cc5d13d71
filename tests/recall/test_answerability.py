"""Evidence is a probability that means the same for every query and in a store of any size."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import numpy as np
import pytest

from holdfast.core.answer import Filters
from holdfast.core.certainty import SURE_FROM
from holdfast.core.cosine_scale import CosineScale, CosineScales
from holdfast.recall.evidence.answerability import EstimateEvidence, odds_of_size, signals
from holdfast.recall.evidence.read_answers import ANSWER
from holdfast.recall.query.query_spelling import Wording
from holdfast.recall.question import Embedded, Measured, Question, RecallCandidate
from holdfast.recall.weigh.measure_weights import calibration
from tests.recall.test_steps import factors

QUESTION = Question("where is the kettle", "p", Filters(), 8, datetime(2026, 1, 1, tzinfo=UTC))
MODELS = {
    "near": {"matched": 2.0, "matched above": 1.0, "near": 0.5, "near above": 1.0, "bias": -8.0},
    "words": {"matched": 3.0, "matched above": 2.0, "bias": -3.3},
}
NEAR, FAR = np.array([1.0, 0.0], np.float32), np.array([0.0, 1.0], np.float32)


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


def test_a_prompt_that_is_near_to_every_text_needs_a_nearer_one() -> None:
    scales = CosineScales.of_one_size(CosineScale(0.2, 0.1), CosineScale(0.2, 0.1), centre=(0.6, 0.0))
    near, far = (
        Embedded("model", NEAR, scales),
        Embedded("model", FAR, scales),
    )
    assert near.level == pytest.approx(3.0)  # (0.6 − 0.2) ÷ 0.1, less the one that questions have too
    assert far.level == 0.0
    found = candidates({"share": 0.5, "meaning": 7.0})
    lowered, _ = EstimateEvidence(MODELS, embed=lambda _: near)(QUESTION, found)
    assert round(lowered[0].factors["evidence"], 4) == evidence({"share": 0.5, "meaning": 4.0})[0]
    unchanged, _ = EstimateEvidence(MODELS, embed=lambda _: far)(QUESTION, found)
    assert round(unchanged[0].factors["evidence"], 4) == evidence({"share": 0.5, "meaning": 7.0})[0]


def test_an_embedder_without_a_measured_centre_lowers_nothing() -> None:
    scales = CosineScales.of_one_size(CosineScale(0.2, 0.1), CosineScale(0.2, 0.1))
    assert Embedded("model", NEAR, scales).level == 0.0


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


def test_what_was_read_counts_more_in_a_store_of_a_few_passages() -> None:
    # The unread passages of a larger store lower the evidence of the first, so only the part of the size is compared.
    odds = [odds_of_size(calibration()["read"], passages) for passages in (0, 1, 5, 15, 16, 32, 33, 1_000)]
    assert odds == sorted(odds, reverse=True)
    assert odds[0] == odds[1] > odds[2] > odds[3] > 0 == odds[4] == odds[5] > odds[6] > odds[7]


def test_the_evidence_of_a_read_passage_depends_on_the_number_of_passages() -> None:
    models = {
        **MODELS,
        "read": {"evidence": 0.0, "answer": 1.0, "more": 0.0, "fewer": 1.0, "bias": 0.0},
        "task": {"answer": 0.0},
    }

    def read_among(passages: int, query: Embedded | None = None) -> float:
        first, *others = candidates(*[{"share": 0.5, "meaning": 3.0}] * passages)
        judged, _ = EstimateEvidence(models, embed=lambda _: query)(
            QUESTION, (first.with_factors({ANSWER: 0.5}), *others)
        )
        return judged[0].factors["evidence"]

    assert read_among(16) == read_among(20) == pytest.approx(0.5)
    assert read_among(2) == pytest.approx(1 / (1 + math.exp(-math.log10(8))))
    scales = CosineScales.of_one_size(CosineScale(0.2, 0.1), CosineScale(0.2, 0.1), centre=(0.6, 0.0))
    near_every_text = Embedded("model", NEAR, scales)
    assert read_among(2, near_every_text) == pytest.approx(0.5)


@pytest.mark.parametrize("sign", ["share", "meaning"])
def test_a_stronger_signal_is_stronger_evidence(sign: str) -> None:
    weak = {"share": 0.2, "meaning": 0.5}
    assert evidence(weak | {sign: 0.9}) > evidence(weak)


def test_no_candidates_are_passed_through() -> None:
    assert EstimateEvidence(MODELS)(QUESTION, ()) == ((), {})


def certain(text: str, query: str, near: float = 3.0, **variants: tuple[str, ...]) -> bool:
    """Is a passage with high signals called sure?"""
    question = Question(query, "p", Filters(), 8, datetime(2026, 1, 1, tzinfo=UTC))
    wording = Wording(question.words, {}, {}, variants)
    step = EstimateEvidence({"near": {**MODELS["near"], "bias": 0.0}}, wording=lambda _: wording)
    (found,) = candidates({"share": 1.0, "meaning": near})
    (judged,), _ = step(question, (found.with_row(factors(searched=text)),))
    return judged.factors["evidence"] >= SURE_FROM


def test_one_shared_word_is_not_enough_to_be_sure() -> None:
    assert not certain("The deploy bot logs in with a token.", "when do we deploy?")
    assert not certain("Staging is wiped on Sundays.", "what is wrong with staging?")
    assert certain("Deploys of staging go out on Tuesdays.", "when do we deploy staging?")


def test_a_close_vector_is_enough_to_be_sure() -> None:
    assert certain("Deploys go out on Tuesdays.", "when do we deploy?", near=4.5)


def test_the_only_word_of_a_query_is_enough_to_be_sure() -> None:
    assert certain("We use pnpm, not npm.", "pnpm")


def test_a_variant_is_a_shared_word() -> None:
    text = "Releases to production go out on Tuesdays."
    assert not certain(text, "when do we release to prod?")
    assert certain(text, "when do we release to prod?", prod=("production",))
    assert not certain(text, "when do we release to prod?", prod=("production cluster",))


def test_a_query_of_one_word_needs_the_word_or_a_close_vector() -> None:
    question = Question("thanks", "p", Filters(), 8, datetime(2026, 1, 1, tzinfo=UTC))
    near, close, said = ({"share": 0.0, "meaning": 3.9}, {"share": 0.0, "meaning": 9.0}, {"share": 1.0, "meaning": 3.9})
    step = EstimateEvidence({"near": {**MODELS["near"], "bias": 0.0}})
    found = [step(question, candidates(one))[0][0].factors["evidence"] for one in (near, close, said)]
    assert found[0] <= 0.1
    assert min(found[1:]) > 0.9
