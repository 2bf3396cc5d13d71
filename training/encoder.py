"""The encoders as PyTorch modules: a BERT of any depth, and a static encoder that averages token vectors.

The weights of the original model come from its int8 ONNX file: they are turned back into floats (cosine to the
original 0.995–0.998).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from training.graph import MAX_WEIGHT

VOCABULARY, WIDTH, HEADS, POSITIONS = 30_522, 384, 12, 512
PAD, CLS, SEP = 0, 101, 102
# The layers of the 12-layer model that a smaller one starts from.
LAYERS = {12: tuple(range(12)), 6: (0, 2, 4, 7, 9, 11), 4: (0, 3, 7, 11), 2: (0, 11), 1: (0,)}


class Layer(nn.Module):
    """One transformer layer of BERT."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.output = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.attention_norm = nn.LayerNorm(WIDTH, 1e-12)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.output_norm = nn.LayerNorm(WIDTH, 1e-12)

    def forward(self, x: Tensor, mask: Tensor | None, places: Tensor | None = None) -> Tensor:
        """With `places`, `x` has only the tokens at these places of the padded rows; the mask has their shape."""
        batch, length = x.shape[:2] if places is None or mask is None else (mask.shape[0], mask.shape[-1])

        def heads(y: Tensor) -> Tensor:
            rows = y if places is None else y.new_zeros(batch * length, WIDTH).index_copy(0, places, y)
            return rows.view(batch, length, HEADS, WIDTH // HEADS).transpose(1, 2)

        attended = F.scaled_dot_product_attention(
            heads(self.query(x)), heads(self.key(x)), heads(self.value(x)), attn_mask=mask
        )
        rows = attended.transpose(1, 2).reshape(*(x.shape if places is None else (batch * length, WIDTH)))
        x = self.attention_norm(x + self.output(rows if places is None else rows[places]))
        y: Tensor = self.output_norm(x + self.down(F.gelu(self.up(x))))
        return y


class Transformer(nn.Module):
    """BERT with CLS pooling. `tokens` is the table of token embeddings that all sizes share."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.segment = nn.Parameter(torch.zeros(WIDTH))
        self.norm = nn.LayerNorm(WIDTH, 1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))

    def forward(self, ids: Tensor, mask: Tensor | None = None) -> Tensor:
        """Returns one vector of length one per row of token ids; `mask` is 0 where a row is padded."""
        return F.normalize(self.states(self.tokens(ids), mask)[:, 0].float(), dim=-1)

    def states(self, embedded: Tensor, mask: Tensor | None = None) -> Tensor:
        """Returns the last hidden states of token embeddings."""
        places = torch.arange(embedded.shape[1], device=embedded.device)
        x: Tensor = self.norm(embedded + self.positions(places) + self.segment)
        # A mask of booleans: with floats, attention falls back to a kernel that is ten times slower.
        allowed = None if mask is None else mask[:, None, None, :].bool()
        for layer in self.layers:
            x = layer(x, allowed)
        return x

    def first_states(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Returns the last hidden states of the first tokens; only attention sees padding, which is faster."""
        places = mask.view(-1).nonzero().squeeze(1)
        embedded = self.tokens(ids.view(-1)[places]) + self.positions(places % ids.shape[1])
        x: Tensor = self.norm(embedded + self.segment)
        for layer in self.layers:
            x = layer(x, mask[:, None, None, :].bool(), places)
        return x[torch.cumsum(mask.sum(1), 0) - mask.sum(1)]

    @torch.no_grad()
    def round_tokens(self) -> None:
        """Rounds the token embeddings as they are stored: 8 bits and a scale per token."""
        self.tokens.weight.copy_(round_matrix(self.tokens.weight, 127))

    def student(self, layers: int) -> Transformer:
        """Returns a copy with fewer layers, taken evenly from this one."""
        small = Transformer(layers)
        own = self.state_dict()
        small.load_state_dict({name: own[name] for name in own if not name.startswith("layers.")}, strict=False)
        for layer, chosen in zip(small.layers, LAYERS[layers], strict=True):
            layer.load_state_dict(self.layers[chosen].state_dict())
        return small.to(own["segment"].device)


class Static(nn.Module):
    """Averages token vectors with a weight per token. Queries and passages share the vectors, not weights and bias."""

    def __init__(self, vectors: Tensor) -> None:
        super().__init__()
        self.vectors = nn.Embedding.from_pretrained(vectors.clone(), freeze=False)
        self.weights = nn.Embedding(VOCABULARY, 2)
        nn.init.zeros_(self.weights.weight)
        self.bias = nn.Parameter(torch.zeros(2, WIDTH))

    def query(self, ids: Tensor, mask: Tensor | None = None) -> Tensor:
        return self(ids, 0)

    def passage(self, ids: Tensor, mask: Tensor | None = None) -> Tensor:
        return self(ids, 1)

    def forward(self, ids: Tensor, use: int) -> Tensor:
        """Returns one vector of length one per row; `use` is 0 for queries and 1 for passages."""
        content = ((ids != PAD) & (ids != CLS) & (ids != SEP)).float()
        weights = self.weights(ids)[..., use].exp() * content
        summed = (self.vectors(ids) * weights[..., None]).sum(1)
        return F.normalize(summed / weights.sum(1, keepdim=True).clamp_min(1e-6) + self.bias[use], dim=-1)


def round_matrix(weight: Tensor, most: int = MAX_WEIGHT) -> Tensor:
    """Rounds every row to whole multiples, at most `most`, of its own scale."""
    scale = weight.abs().amax(1, keepdim=True).clamp_min(1e-12) / most
    return (weight / scale).round() * scale


def load_original(file: Path) -> Transformer:
    """Reads the 12-layer model from its int8 ONNX file."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(file)).graph
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    used = [node.input[1].removesuffix("_quantized") for node in graph.node if node.op_type == "MatMulInteger"]
    model = Transformer(12)
    with torch.no_grad():
        _copy_embeddings(model, arrays)
        for number, layer in enumerate(model.layers):
            _copy_layer(layer, arrays, number, used[6 * number : 6 * number + 6])
    return model


def _copy_embeddings(model: Transformer, arrays: dict[str, Any]) -> None:
    model.tokens.weight.copy_(_floats(arrays, "embeddings.word_embeddings.weight"))
    model.positions.weight.copy_(_floats(arrays, "embeddings.position_embeddings.weight"))
    model.segment.copy_(_floats(arrays, "embeddings.token_type_embeddings.weight")[0])
    _copy_norm(model.norm, arrays, "embeddings.LayerNorm")


def _copy_layer(layer: Any, arrays: dict[str, Any], number: int, weights: Sequence[str]) -> None:
    prefix = f"encoder.layer.{number}."
    parts = (
        (layer.query, "attention.self.query"),
        (layer.key, "attention.self.key"),
        (layer.value, "attention.self.value"),
        (layer.output, "attention.output.dense"),
        (layer.up, "intermediate.dense"),
        (layer.down, "output.dense"),
    )
    for (linear, name), weight in zip(parts, weights, strict=True):
        linear.weight.copy_(_floats(arrays, weight).T)
        linear.bias.copy_(torch.tensor(arrays[prefix + name + ".bias"]))
    _copy_norm(layer.attention_norm, arrays, prefix + "attention.output.LayerNorm")
    _copy_norm(layer.output_norm, arrays, prefix + "output.LayerNorm")


def _copy_norm(norm: nn.LayerNorm, arrays: dict[str, Any], name: str) -> None:
    norm.weight.copy_(torch.tensor(arrays[name + ".weight"]))
    norm.bias.copy_(torch.tensor(arrays[name + ".bias"]))


def _floats(arrays: dict[str, Any], name: str) -> Tensor:
    whole = arrays[name + "_quantized"].astype(np.float32) - arrays[name + "_zero_point"].astype(np.float32)
    return torch.tensor(whole * arrays[name + "_scale"])
