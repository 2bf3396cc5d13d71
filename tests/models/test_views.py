"""Vectors of sentences: packed in 8 bits, compared with a query."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from holdfast.models.views import compare_views, pack_views


def unit(count: int, seed: int = 0) -> Any:
    rows = np.random.default_rng(seed).standard_normal((count, 384)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_the_nearest_sentence_counts() -> None:
    sentences, query = unit(5), unit(1, 1)[0]
    exact = sentences @ query
    scores = compare_views(query, [pack_views(sentences[:2]), b"", pack_views(sentences[2:])])
    assert scores == pytest.approx([exact[:2].max(), -1, exact[2:].max()], abs=0.005)


def test_a_sentence_takes_one_byte_per_dimension_and_a_scale() -> None:
    assert len(pack_views(unit(3))) == 3 * (384 + 4)
    assert pack_views(unit(0)) == b""


def test_without_any_view_there_is_nothing_to_compare() -> None:
    assert compare_views(unit(1)[0], [b"", b""]) == [-1, -1]
    assert compare_views(unit(1)[0], []) == []
