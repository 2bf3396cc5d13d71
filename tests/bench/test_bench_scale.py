from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench import scale, scale_data
from holdfast.bench import run


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few vectors to start from, so that no model is needed."""
    folder = tmp_path_factory.mktemp("real")
    chance = np.random.default_rng(1)
    for name, rows in (("vectors", 50), ("questions", 4)):
        made = chance.standard_normal((rows, 64)).astype(np.float32)
        np.save(folder / f"{name}.npy", made / np.linalg.norm(made, axis=1, keepdims=True))
    return folder


def test_the_scale_bench_prints_every_row(real: Path, tmp_path: Path) -> None:
    argv = ["scale", "--passages", "200", "--samples", "4", "--peer", "none", "--folder", str(tmp_path)]
    told = _json([*argv, "--vectors", f"{real}/vectors.npy", "--questions", f"{real}/questions.npy"])

    paths, whole = told["sections"]
    rows = {row["name"]: row for row in paths["rows"]}
    assert rows.keys() >= {"nearest", "words of a query", "five common words"}
    assert rows["of the 30 nearest, missed"]["p50"] == 0
    assert rows["nearest"]["budget"] == 3.5
    parts = {row["name"]: row for row in whole["rows"]}
    assert parts["query: candidates and fusion"]["budget"] == 5.0
    assert parts["within one file: rows, evidence, loading"]["p50"] > 0
    assert parts["five common words: total"]["p50"] >= parts["five common words: rows, evidence, loading"]["p50"]
    again = _json([*argv, "--samples", "2"])
    assert {row["name"] for row in again["sections"][0]["rows"]} == rows.keys()


def test_a_peer_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scale, "find_spec", lambda name: None)

    assert "pip install sqlite-vec" in str(scale._missing("sqlite_vec", 10))
    assert scale._missing("none", 10) == ""


def test_made_up_texts_have_common_words_and_rare_ones() -> None:
    texts = [text.split() for text in scale_data.texts(2_000)]

    shares = [sum(scale_data.word(rank) in text for text in texts) / len(texts) for rank in (0, 44, 5_000)]
    assert 0.2 < shares[0] < 0.4
    assert 0.03 < shares[1] < 0.1
    assert shares[2] < 0.01


def _json(argv: list[str]) -> Any:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        run.main([*argv, "--json"])
    return json.loads(printed.getvalue())
