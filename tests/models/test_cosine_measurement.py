"""The cosines of unrelated texts are measured for every embedder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from holdfast.core.cosine_scale import read_scales
from holdfast.models.card import read_card, write_card
from holdfast.models.cosine_measurement import ENOUGH_PASSAGES, estimate, measure, scale_of, unrelated_texts
from holdfast.models.fake import FakeEmbedder
from holdfast.models.own_model import OWN, SIZES, read_space

from .foreign_files import write_foreign


def test_the_package_has_unrelated_questions_and_texts() -> None:
    questions, texts = unrelated_texts()
    assert (len(questions), len(texts)) == (24, 40)
    assert len({*questions, *texts}) == 64


def test_few_passages_are_replaced_by_the_texts_of_the_package() -> None:
    few, many = np.full((ENOUGH_PASSAGES - 1, 256), 0.0625), np.full((ENOUGH_PASSAGES, 256), 0.0625)
    embedder = FakeEmbedder()
    assert measure(embedder, few.astype(np.float32)) == measure(embedder, np.zeros((0, 256), np.float32))
    assert measure(embedder, many.astype(np.float32)).of_passages().mean == 0.99
    assert measure(embedder, many.astype(np.float32)).centre == (0.0625,) * 256


def test_related_texts_do_not_move_the_scale() -> None:
    random = np.random.default_rng(1)
    unrelated = random.normal(0.3, 0.05, 10_000)
    related = np.full(500, 0.9)
    scale = scale_of(np.concatenate((unrelated, related)).astype(np.float32))
    assert scale.mean == pytest.approx(0.3, abs=0.01)
    assert scale.deviation == pytest.approx(0.05, abs=0.005)
    assert scale_of(np.ones(10, np.float32)).deviation > 0


def test_an_estimate_needs_a_few_passages() -> None:
    vectors = FakeEmbedder().embed(unrelated_texts()[1])
    assert estimate(vectors[:3]) is None
    estimated = estimate(vectors)
    assert estimated is not None
    assert estimated.of_passages() == measure(FakeEmbedder(), vectors[:0]).of_passages()
    assert estimated.of_query().mean < estimated.of_passages().mean


def test_the_card_of_the_bundled_model_has_its_cosines(tmp_path: Path) -> None:
    cosines = read_space(OWN).cosines
    assert cosines is not None
    assert {(query, passage) for query in SIZES.values() for passage in SIZES.values()} == set(cosines.queries)
    assert len(cosines.centre) == read_space(OWN).dimensions


def test_a_card_keeps_the_cosines_of_a_model_with_one_size(tmp_path: Path) -> None:
    folder = write_foreign(tmp_path / "model")
    scales = read_scales({"queries": {"single/single": [0.4, 0.05]}, "passages": {"single/single": [0.6, 0.05]}})
    write_card(folder, replace(read_card(folder), cosines=scales))
    assert read_card(folder).cosines == scales
