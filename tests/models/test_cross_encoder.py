"""A cross-encoder from a folder: its scores, its limits, and what happens when it does not work."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.core.errors import ModelDamaged, ModelMissing
from holdfast.models.cross_encoder import CrossEncoder
from tests.models.foreign_files import ID, write_foreign

# The graph's score is the number of tokens that query and text share, less two.
PAIRS = Path(__file__).parent / "data" / "pairs.onnx"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_foreign(tmp_path / "judge", PAIRS.read_bytes())


def logistic(score: float) -> float:
    return 1 / (1 + math.exp(-score))


def test_each_text_is_read_together_with_the_query(folder: Path) -> None:
    texts = ["the deploy key expire at noon", "lunch is at noon", "when does the deploy key expire"]
    scores = CrossEncoder(str(folder)).rerank("when does the key expire", texts)
    assert scores == pytest.approx([logistic(1), logistic(-2), logistic(3)])
    assert CrossEncoder(str(folder)).id == ID


def test_a_long_query_and_a_long_text_are_truncated(folder: Path) -> None:
    encoder = CrossEncoder(str(folder))
    alone, *_ = encoder.rerank("key", ["key " * 10_000])
    assert 0.5 < alone <= 1
    assert len(encoder.rerank("key " * 10_000, ["key", ""])) == 2
    assert encoder.rerank("key", []) == ()


def test_nothing_is_loaded_before_it_is_used(tmp_path: Path) -> None:
    encoder = CrossEncoder(str(tmp_path / "nowhere"))
    with pytest.raises(ModelMissing):
        encoder.rerank("key", ["key"])


def test_files_that_changed_are_refused(folder: Path) -> None:
    with (folder / "model.onnx").open("ab") as model:
        model.write(b"more")
    with pytest.raises(ModelDamaged):
        CrossEncoder(str(folder)).rerank("key", ["key"])


def test_an_embedder_is_no_cross_encoder(tmp_path: Path) -> None:
    with pytest.raises(ModelDamaged, match="one score per text"):
        CrossEncoder(str(write_foreign(tmp_path / "embedder"))).rerank("key", ["key"])


def recalled(tmp_path: Path, project: Path, **settings: Any) -> tuple[holdfast.Recall, Any]:
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), embedder="none", **settings) as ws:
        ws.remember("The key is at noon")
        ws.remember("When does the deploy key expire? At midnight: the key does expire")
        answer = ws.recall("when does the key expire", abstain=False)
        return answer, next(step.notes for step in answer.trace.steps if step.step == "rerank")


def test_a_search_uses_the_cross_encoder_of_the_settings(tmp_path: Path, project: Path, folder: Path) -> None:
    answer, notes = recalled(tmp_path, project, rerank_model=str(folder))
    assert notes == {"reranker": ID, "reranked": 2}
    assert all("rerank" in hit.why.factors for hit in answer.hits)
    assert answer.warnings == ()


def test_a_search_continues_without_a_cross_encoder_that_is_missing(tmp_path: Path, project: Path) -> None:
    answer, notes = recalled(tmp_path, project, rerank_model=str(tmp_path / "nowhere"))
    assert len(answer.hits) == 2
    assert "nowhere" in notes["failed"].values["error"]
    assert [warning.code for warning in answer.warnings] == ["recall.reranker_failed"]
    relative, failed = recalled(tmp_path, project, rerank_model="models/judge")
    assert len(relative.hits) == 2
    assert "models/judge is not the absolute path" in failed["failed"].values["error"]
