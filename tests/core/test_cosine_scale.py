"""The scale of cosines gives thresholds that hold for every embedder."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from holdfast.core.cosine_scale import CosineScale, CosineScales, as_fields, read_scales
from holdfast.core.vector_size import VectorSize

SINGLE, STATIC, SMALL, BASE = VectorSize
QUERY, PASSAGES = CosineScale(0.5, 0.05), CosineScale(0.7, 0.06)


def test_deviations_count_from_the_mean_of_unrelated_texts() -> None:
    assert QUERY.deviations(0.6) == pytest.approx(2.0)
    assert QUERY.deviations(0.4) == pytest.approx(-2.0)


def test_closeness_is_0_for_unrelated_and_1_for_equal_texts() -> None:
    assert (PASSAGES.closeness(0.7), PASSAGES.closeness(1.0)) == (0.0, 1.0)
    assert PASSAGES.closeness(0.85) == pytest.approx(0.5)


def test_removing_the_mean_vector_changes_neither() -> None:
    random = np.random.default_rng(1)
    # Every vector consists of a common part of squared length 0.7 and a part of its own.
    own = random.normal(size=(40, 64))
    own *= np.sqrt(0.3) / np.linalg.norm(own, axis=1, keepdims=True)
    whole = np.concatenate((np.full((40, 1), np.sqrt(0.7)), own), axis=1)
    centred = own / np.linalg.norm(own, axis=1, keepdims=True)
    scales = [CosineScale(*_mean_and_deviation(vectors)) for vectors in (whole, centred)]
    before, after = (float(vectors[0] @ vectors[1]) for vectors in (whole, centred))
    assert abs(before - after) > 0.5
    assert scales[0].deviations(before) == pytest.approx(scales[1].deviations(after), rel=1e-6)
    assert scales[0].closeness(before) == pytest.approx(scales[1].closeness(after), rel=1e-6)


def _mean_and_deviation(vectors: Any) -> tuple[float, float]:
    cosines = (vectors @ vectors.T)[np.triu_indices(len(vectors), 1)]
    return float(cosines.mean()), float(cosines.std())


def test_each_pair_of_sizes_has_its_scale() -> None:
    scales = CosineScales(
        {(STATIC, SMALL): CosineScale(0.1, 0.1), (SMALL, SMALL): CosineScale(0.2, 0.1)},
        {(STATIC, SMALL): CosineScale(0.3, 0.1), (SMALL, SMALL): CosineScale(0.4, 0.1)},
    )
    assert scales.of_query(STATIC, SMALL).mean == 0.1
    assert scales.of_query(SMALL, SMALL).mean == 0.2
    assert scales.of_passages(SMALL, STATIC).mean == scales.of_passages(STATIC, SMALL).mean == 0.3
    # Sizes that were not measured take the scale of the most similar ones.
    assert scales.of_query(BASE, BASE).mean == 0.2


def test_scales_survive_json() -> None:
    scales = CosineScales({(STATIC, SMALL): QUERY}, {(SINGLE, SINGLE): PASSAGES}, (0.5, -0.25))
    assert read_scales(json.loads(json.dumps(as_fields(scales)))) == scales


@pytest.mark.parametrize("value", [[0.1], [0.1, 0.0], [1.0, 0.1], ["a", "b"], [float("nan"), 0.1], None, 3])
def test_a_scale_that_cannot_be_is_refused(value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        read_scales({"queries": {"single/single": value}, "passages": {"single/single": [0.1, 0.1]}})


@pytest.mark.parametrize("fields", [{}, {"queries": {}, "passages": {}}, {"queries": {"single": [0.1, 0.1]}}])
def test_fields_that_are_no_scales_are_refused(fields: Any) -> None:
    with pytest.raises((KeyError, ValueError)):
        read_scales(fields)
