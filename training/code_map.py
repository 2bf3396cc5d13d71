"""Learns the map that moves vectors of code towards the queries that people type into a search engine.

python -m training.code_map --pairs web_queries.jsonl.xz --texts texts.jsonl.xz --models FOLDER

Writes code.npy into the folder of our model. The map is linear and is applied to vectors of code only; queries and all
other texts keep theirs. It is learned from the vectors of `small`; all sizes share the vector space. A few minutes on a
CPU.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from holdfast.core.vector_size import VectorSize
from holdfast.models.code_map import FILE
from holdfast.models.own_model import OwnModel
from holdfast.models.transformer import TransformerEmbedder
from holdfast.text.code_title import code_title
from training.encoder import WIDTH
from training.pair_files import read_rows
from training.web_queries import undocumented

SEED = 1
LONGEST_CODE = 900  # as long as a chunk


@dataclass(frozen=True)
class MapSettings:
    """Settings of the training.

    `hold` weighs how far unrelated queries stay from code, `near` how near code stays to its own vectors, `small` how
    small the numbers of the map stay. `dropout` hides numbers of the vectors.
    """

    rounds: int = 8
    batch: int = 512
    rate: float = 3e-3
    temperature: float = 0.03
    hold: float = 200.0
    near: float = 1.0
    small: float = 3e-3
    dropout: float = 0.1


@dataclass(frozen=True)
class WebVectors:
    """The vectors of queries, of the functions with and without documentation, and which function answers what."""

    queries: Tensor
    documented: Tensor
    bare: Tensor
    right: Tensor
    unrelated: Tensor


def code_text(code: str) -> str:
    """A function as it is embedded."""
    title = code_title(code)
    return (f"{title}\n\n{code}" if title else code)[:LONGEST_CODE]


def web_vectors(rows: Sequence[Any], texts: Sequence[Any], model: TransformerEmbedder) -> WebVectors:
    codes = list(dict.fromkeys(code for row in rows for code in (*row["right"], *row["wrong"])))
    place = {code: at for at, code in enumerate(codes)}
    right = torch.zeros(len(rows), len(codes), dtype=torch.bool)
    for at, row in enumerate(rows):
        right[at, [place[code] for code in row["right"]]] = True

    def asked(queries: Sequence[str]) -> Tensor:
        return torch.from_numpy(np.stack([model.embed_query(query) for query in queries]))

    return WebVectors(
        asked([row["query"] for row in rows]),
        torch.from_numpy(model.embed([code_text(code) for code in codes])),
        torch.from_numpy(model.embed([code_text(undocumented(code)) for code in codes])),
        right,
        asked(unrelated_queries(texts)),
    )


def unrelated_queries(texts: Sequence[Any], count: int = 512) -> list[str]:
    """Queries of documents and talk, which are not about functions."""
    found = [text for role, text in texts if role == "q" and len(text) < 200 and "python" not in text.lower()]
    return random.Random(SEED).sample(found, count)


def mapped(vectors: Tensor, moves: Tensor) -> Tensor:
    """As `CodeMap` computes it."""
    return F.normalize(vectors + vectors @ moves[:-1] + moves[-1], dim=-1)


def learn(web: WebVectors, settings: MapSettings) -> Tensor:
    """Trains the map: its rows are the map of each number of a vector; the last row is added to all."""
    moves = torch.zeros(WIDTH + 1, WIDTH, requires_grad=True)
    optimizer = torch.optim.Adam([moves])
    orders = [torch.randperm(len(web.queries)) for _ in range(settings.rounds)]
    batches = [rows for order in orders for rows in order.split(settings.batch)[:-1]]
    for step, rows in enumerate(batches):
        for group in optimizer.param_groups:
            group["lr"] = settings.rate * (1 - step / len(batches))
        optimizer.zero_grad()
        _loss(web, moves, rows, settings).backward()
        optimizer.step()
    return moves.detach()


def _loss(web: WebVectors, moves: Tensor, rows: Tensor, settings: MapSettings) -> Tensor:
    form = torch.where(torch.rand(len(web.documented), 1) < 0.5, web.documented, web.bare)
    found = mapped(F.dropout(form, settings.dropout) * (1 - settings.dropout), moves)
    scores, right = web.queries[rows] @ found.T / settings.temperature, web.right[rows]
    others = torch.logsumexp(scores.masked_fill(right, -torch.inf), 1, keepdim=True)
    each = torch.logaddexp(others, scores) - scores  # a right function against all that are not right
    asked = ((each * right).sum(1) / right.sum(1)).mean()
    moved = (1 - (found * form).sum(-1)).mean()
    nearer = F.mse_loss(web.unrelated @ found.T, web.unrelated @ form.T)
    return asked + settings.near * moved + settings.hold * nearer + settings.small * moves.square().sum()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--texts", type=Path, required=True, help="what training/texts.py wrote")
    parser.add_argument("--models", type=Path, required=True)
    given = parser.parse_args()
    torch.manual_seed(SEED)
    small = TransformerEmbedder(OwnModel(given.models), VectorSize.SMALL, threads=2)
    web = web_vectors(read_rows(given.pairs), read_rows(given.texts), small)
    moves = learn(web, MapSettings())
    np.save(given.models / FILE, moves.numpy().astype(np.float16))


if __name__ == "__main__":
    main()
