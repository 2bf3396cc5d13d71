"""Reads the sizes of the shipped embedding model back into PyTorch, to train from them."""

from __future__ import annotations

from pathlib import Path

import torch

from holdfast.models.token_table import TokenTable
from training.encoder import Static, Transformer
from training.graph import read_graph


def read_encoder(file: Path, tokens: Path) -> Transformer:
    """The layers of a graph with the token vectors of a table."""
    weights = {name: torch.tensor(each) for name, each in read_graph(file).items() if not name.startswith("head.")}
    table = TokenTable(tokens).arrays
    weights["tokens.weight"] = torch.tensor(table.table * table.scales[:, None])
    model = Transformer(1 + max(int(name.split(".")[1]) for name in weights if name.startswith("layers.")))
    model.load_state_dict(weights)
    return model


def read_static(file: Path) -> Static:
    """The static size with the vectors, weights and biases of a table."""
    arrays = TokenTable(file).arrays
    model = Static(torch.tensor(arrays.table * arrays.scales[:, None]))
    with torch.no_grad():
        weights = torch.tensor(arrays.weights.T.copy()).clamp_min(1e-6)
        model.weights.weight.copy_(weights.log())
        model.bias.copy_(torch.tensor(arrays.biases.copy()))
    return model
