"""The graph computes what the layers of BERT compute."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdfast.models.onnx_session import open_session

WIDTH, TOKENS, LAYERS = 64, 7, 3


def random_weights() -> dict[str, Any]:
    numbers = np.random.default_rng(3)
    shapes: dict[str, tuple[int, ...]] = {"positions.weight": (16, WIDTH), "segment": (WIDTH,)}
    norms = ["norm"]
    for number in range(LAYERS):
        prefix = f"layers.{number}."
        norms += [prefix + "attention_norm", prefix + "output_norm"]
        for name in ("query", "key", "value", "output", "up", "down"):
            out = 4 * WIDTH if name == "up" else WIDTH
            shapes[f"{prefix}{name}.weight"] = (out, 4 * WIDTH if name == "down" else WIDTH)
            shapes[f"{prefix}{name}.bias"] = (out,)
    shapes |= {f"{name}.{part}": (WIDTH,) for name in norms for part in ("weight", "bias")}
    return {name: (numbers.standard_normal(shape) / 8).astype(np.float32) for name, shape in shapes.items()}


def bert(embedded: Any, weights: dict[str, Any]) -> Any:
    """Computes the state of the first token, in floats."""
    from math import erf

    def norm(x: Any, name: str) -> Any:
        scaled = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-12)
        return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def linear(x: Any, name: str) -> Any:
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def heads(x: Any) -> Any:
        return x.reshape(len(x), -1, 32).transpose(1, 0, 2)

    x = norm(embedded + weights["positions.weight"][: len(embedded)] + weights["segment"], "norm")
    for number in range(LAYERS):
        prefix = f"layers.{number}."
        query, key, value = (heads(linear(x, prefix + name)) for name in ("query", "key", "value"))
        scores = np.exp(query @ key.transpose(0, 2, 1) / np.sqrt(32))
        attended = (scores / scores.sum(-1, keepdims=True) @ value).transpose(1, 0, 2).reshape(x.shape)
        x = norm(x + linear(attended, prefix + "output"), prefix + "attention_norm")
        wide = linear(x, prefix + "up")
        wide = wide * (1 + np.vectorize(erf)(wide / np.sqrt(2))) / 2
        x = norm(x + linear(wide, prefix + "down"), prefix + "output_norm")
    return x[0]


def test_the_graph_computes_the_first_state_of_bert(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    from training.graph import write_graph

    weights = random_weights()
    embedded = np.random.default_rng(4).standard_normal((TOKENS, WIDTH)).astype(np.float32)
    write_graph(tmp_path / "g.onnx", weights)
    [vector] = open_session(tmp_path / "g.onnx", 1).run(["vector"], {"inputs_embeds": embedded[None]})[0]
    expected = bert(embedded, weights)
    cosine = vector @ expected / np.linalg.norm(vector) / np.linalg.norm(expected)
    assert cosine > 0.995
