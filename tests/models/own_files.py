"""A small model with the files of our own: the real vocabulary, random vectors of 32 dimensions."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from holdfast.models.code_map import FILE as CODE_MAP
from holdfast.models.model_files import CARD, sha256
from holdfast.models.own_model import OWN
from holdfast.models.reader import LIMITS
from holdfast.models.token_table import write_token_table

DATA = Path(__file__).parent / "data"
VOCABULARY = Path(OWN) / "vocabulary.txt"
ROWS, DIMENSIONS, MAX_TOKENS = 30_522, 32, 64
REVISION = "0123456789abcdef"
ID = f"holdfast-embed@0123456789ab:{DIMENSIONS}"


def write_model(folder: Path) -> Path:
    """Writes the files of a model with all sizes. `tests/models/data/tiny.onnx` was written by training/graph.py."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(VOCABULARY, folder)
    vectors, weights, biases = arrays()
    write_token_table(folder / "static.bin", vectors, vocabulary=VOCABULARY, weights=weights, biases=biases)
    write_token_table(folder / "tokens.bin", vectors, vocabulary=VOCABULARY)
    for name in ("small.onnx", "base.onnx", "reader.onnx", "relations.onnx"):
        shutil.copy(DATA / "tiny.onnx", folder / name)
    shutil.copy(Path(OWN) / LIMITS, folder)
    np.save(folder / CODE_MAP, np.zeros((DIMENSIONS + 1, DIMENSIONS), np.float16))
    write_fields(folder)
    return folder


@cache
def arrays() -> tuple[Any, Any, Any]:
    """Returns the vectors, and the weights and biases of queries and passages."""
    numbers = np.random.default_rng(14)
    vectors = numbers.standard_normal((ROWS, DIMENSIONS)).astype(np.float32)
    weights = numbers.random((2, ROWS)).astype(np.float32)
    biases = (numbers.standard_normal((2, DIMENSIONS)) / 100).astype(np.float32)
    return vectors, weights, biases


def write_fields(folder: Path, **changed: Any) -> None:
    """Writes the card with the hashes of the files as they are."""
    transformer = {"max_tokens": MAX_TOKENS, "query_prefix": "query: ", "passage_prefix": ""}
    files = {path.name: sha256(path) for path in folder.iterdir() if path.name != CARD}
    fields = {
        "name": "holdfast-embed",
        "revision": REVISION,
        "dimensions": DIMENSIONS,
        "vocabulary": "vocabulary.txt",
        "tokens": "tokens.bin",
        "sizes": {
            "static": {"file": "static.bin", "max_tokens": MAX_TOKENS},
            "small": {"file": "small.onnx", **transformer},
            "base": {"file": "base.onnx", **transformer},
        },
        "cosines": {"queries": {"static/small": [0.1, 0.2]}, "passages": {"small/small": [0.1, 0.2]}},
        "files": files,
    }
    (folder / CARD).write_text(json.dumps(fields | changed))
