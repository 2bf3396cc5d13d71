"""Writes the layers of a BERT encoder as an ONNX graph with 8-bit weights, as `holdfast.models.transformer` runs it.

Input `inputs_embeds`: the vectors of the tokens, (1, tokens, width). Output `vector`: the state of [CLS], (1, width).
The graph holds no vocabulary, and computes only the state of [CLS] in its last layer. It uses the fused operations of
onnxruntime directly, where they are faster, so that opening it needs no search for them.

The weights are those of `training.encoder.Transformer`, by name, as numpy arrays: `positions.weight`, `segment`,
`norm.weight`, `norm.bias`, and for each layer N `layers.N.` with `query`, `key`, `value`, `output`, `up` and `down`
(`.weight` of shape (out, in) and `.bias`), `attention_norm` and `output_norm` (`.weight` and `.bias`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

HEAD_WIDTH = 32
EPSILON = 1e-12
# Two products of an unsigned byte and a weight must fit in 16 bits: processors without VNNI add them there.
MAX_WEIGHT = 64
_FUSED = "com.microsoft"


def write_graph(file: Path, weights: Mapping[str, Floats]) -> None:
    """Writes the graph of all layers that the weights have."""
    import onnx
    from onnx import TensorProto, helper

    builder = _Builder()
    layers = len({name.split(".")[1] for name in weights if name.startswith("layers.")})
    state = builder.embed(weights)
    for number in range(layers):
        prefix = f"layers.{number}."
        layer = {name.removeprefix(prefix): each for name, each in weights.items() if name.startswith(prefix)}
        state = builder.layer(state, layer, prefix, only_first=number == layers - 1)
    width, outputs = weights["segment"].size, weights["segment"].size
    builder.node("Squeeze", [state, builder.integers("axis", [1])], output="vector")
    if scores := "head.weight" in weights:
        head = [builder.constant(f"head.{part}", weights[f"head.{part}"]) for part in ("weight", "bias")]
        builder.node("Gemm", ["vector", *head], output="score", transB=1)
        outputs = weights["head.bias"].size
    graph = helper.make_graph(
        builder.nodes,
        file.stem,
        [helper.make_tensor_value_info("inputs_embeds", TensorProto.FLOAT, [1, "tokens", width])],
        [helper.make_tensor_value_info("score" if scores else "vector", TensorProto.FLOAT, [1, outputs])],
        builder.constants,
    )
    operations = [helper.make_opsetid("", 17), helper.make_opsetid(_FUSED, 1)]
    onnx.save(helper.make_model(graph, opset_imports=operations, ir_version=8), str(file))


def read_graph(file: Path) -> dict[str, Floats]:
    """Returns the weights of a graph as `write_graph` takes them, rounded as they are stored."""
    import onnx
    from onnx import numpy_helper

    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(str(file)).graph.initializer}
    places = arrays["positions"]
    found = {"positions.weight": places, "segment": np.zeros(places.shape[1], np.float32)}
    found |= {name: each for name, each in arrays.items() if name.rpartition(".")[0].endswith("norm")}
    found |= {name: each for name, each in arrays.items() if name.startswith("head.")}
    for name in [name for name in arrays if name.endswith(".scale")]:
        prefix, _, joined = name.removesuffix(".scale").rpartition(".")
        matrix = (arrays[f"{prefix}.{joined}.weight"].astype(np.float32) * arrays[name]).T
        bias = arrays[f"{prefix}.{joined}.bias"]
        parts = joined.split("_")
        for part, rows, biases in zip(parts, np.split(matrix, len(parts)), np.split(bias, len(parts)), strict=True):
            found |= {f"{prefix}.{part}.weight": rows, f"{prefix}.{part}.bias": biases}
    return found


class _Builder:
    """Collects the nodes and the constants of a graph."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def embed(self, weights: Mapping[str, Floats]) -> str:
        """Adds the vectors of positions, and normalises."""
        places = self.constant("positions", weights["positions.weight"] + weights["segment"])
        shape = self.node("Shape", ["inputs_embeds"])
        tokens = self.node("Slice", [shape, self.integers("one", [1]), self.integers("two", [2])])
        used = self.node("Slice", [places, self.integers("zero", [0]), tokens])
        added = self.node("Add", ["inputs_embeds", used])
        return self._norm(added, weights, "norm", "")

    def layer(self, state: str, weights: Mapping[str, Floats], prefix: str, *, only_first: bool) -> str:
        """Adds one layer; with `only_first`, the state of the first token is all that it returns."""
        heads = weights["query.bias"].size // HEAD_WIDTH
        if only_first:
            first = self.node("Slice", [state, *(self.integers(f"only_{at}", [at]) for at in (0, 1)), "only_1"])
            query = self._linear(first, weights, ("query",), prefix)
            both = self._linear(state, weights, ("key", "value"), prefix)
            key, value = self._split(both, 2)
            state = first
        else:
            query, key, value = self._split(self._linear(state, weights, ("query", "key", "value"), prefix), 3)
        attended = self.node("MultiHeadAttention", [query, key, value], _FUSED, num_heads=heads)
        output = self._linear(attended, weights, ("output",), prefix)
        state = self._norm(self.node("Add", [output, state]), weights, "attention_norm", prefix)
        wide = self.node("Gelu", [self._linear(state, weights, ("up",), prefix)], _FUSED)
        narrow = self._linear(wide, weights, ("down",), prefix)
        return self._norm(self.node("Add", [narrow, state]), weights, "output_norm", prefix)

    def _linear(self, state: str, weights: Mapping[str, Floats], names: tuple[str, ...], prefix: str) -> str:
        """Multiplies by the matrices of several parts at once, in 8 bits."""
        matrix = np.concatenate([weights[f"{name}.weight"] for name in names]).T
        scales = np.maximum(np.abs(matrix).max(axis=0) / MAX_WEIGHT, 1e-12).astype(np.float32)
        rounded = np.rint(matrix / scales).astype(np.int8)
        bias = np.concatenate([weights[f"{name}.bias"] for name in names])
        name = prefix + "_".join(names)
        constants = (
            self.constant(f"{name}.weight", rounded),
            self.constant(f"{name}.scale", scales),
            "",  # the zero point of symmetric weights is zero
            self.constant(f"{name}.bias", bias.astype(np.float32)),
        )
        return self.node("DynamicQuantizeMatMul", [state, *constants], _FUSED)

    def _split(self, joined: str, parts: int) -> tuple[str, ...]:
        from onnx import helper

        outputs = [f"{joined}.{part}" for part in range(parts)]
        self.nodes.append(helper.make_node("Split", [joined], outputs, axis=2))
        return tuple(outputs)

    def _norm(self, state: str, weights: Mapping[str, Floats], name: str, prefix: str) -> str:
        constants = [self.constant(f"{prefix}{name}.{part}", weights[f"{name}.{part}"]) for part in ("weight", "bias")]
        return self.node("LayerNormalization", [state, *constants], axis=-1, epsilon=EPSILON)

    def node(self, operation: str, inputs: list[str], domain: str = "", output: str = "", **attributes: Any) -> str:
        from onnx import helper

        name = output or f"{operation}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operation, inputs, [name], domain=domain, **attributes))
        return name

    def integers(self, name: str, values: list[int]) -> str:
        return self.constant(name, np.array(values, np.int64))

    def constant(self, name: str, values: NDArray[Any]) -> str:
        from onnx import numpy_helper

        if all(constant.name != name for constant in self.constants):
            self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name
