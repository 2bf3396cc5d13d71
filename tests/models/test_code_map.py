"""Vectors of code are moved towards the queries for it."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from holdfast.core.errors import ModelDamaged
from holdfast.models.choice import bundled_embedder
from holdfast.models.code_map import FILE, CodeMap
from holdfast.models.own_model import OWN, OwnModel, open_own

CODE = {
    "python how to check if file empty": "is empty\n\ndef is_empty(path):\n    return path.stat().st_size == 0",
    "python remove duplicate from list": "unique\n\ndef unique(seq):\n    return list(dict.fromkeys(seq))",
    "python turn camel case to snake": "underscored\n\ndef underscored(name):\n    return re.sub(P, '_', name).lower()",
    "python get current git branch": "branch\n\ndef branch(repo):\n    return git('rev-parse', '--abbrev-ref', repo)",
    "python flatten nested dict": "flat\n\ndef flat(d, sep='.'):\n    return dict(walk(d, sep))",
}


def test_a_query_of_a_search_engine_is_told_apart_more_clearly_from_other_functions() -> None:
    small = bundled_embedder("small")
    queries = np.stack([small.embed_query(query) for query in CODE])
    before = small.embed(list(CODE.values()))
    after = CodeMap(open_own())(before)
    assert np.allclose(np.linalg.norm(after, axis=1), 1, atol=1e-5)
    assert _margin(queries @ after.T) > _margin(queries @ before.T)
    assert float((after * before).sum(axis=1).min()) > 0.8


def _margin(cosines: np.ndarray) -> float:
    """By how much the right function is nearer than the others, on average."""
    return float(np.trace(cosines) / len(cosines) - cosines[~np.eye(len(cosines), dtype=bool)].mean())


def test_a_file_that_has_changed_is_refused(tmp_path: Path) -> None:
    for name in ("model.json", FILE):
        shutil.copy(Path(OWN) / name, tmp_path / name)
    np.save(tmp_path / FILE, np.zeros((385, 384), np.float16))
    with pytest.raises(ModelDamaged, match="has changed"):
        CodeMap(OwnModel(tmp_path)).verify()
