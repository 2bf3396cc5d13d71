"""Measures dense retrieval: the share of the answering passages among the first ten."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from training.texts_on_device import Packed, Tokens, encoded

FIRST = 10


@dataclass(frozen=True)
class EvaluationPool:
    """Passages to search and questions with the rows that answer them."""

    set: str
    part: str
    passages: Packed
    queries: Packed
    bare_queries: Packed
    gold: Sequence[Sequence[int]]
    first: int = FIRST


@dataclass(frozen=True)
class Encoder:
    """One size: how it encodes queries and passages. `prefixed`: its queries carry the prefix."""

    query: Callable[[Tensor, Tensor | None], Tensor]
    passage: Callable[[Tensor, Tensor | None], Tensor]
    prefixed: bool = True

    def encode(self, pool: EvaluationPool, device: str) -> tuple[Tensor, Tensor]:
        asked = pool.queries if self.prefixed else pool.bare_queries
        return encoded(self.query, asked, device), encoded(self.passage, pool.passages, device)


def read_pools(file: Path, tokens: Tokens, device: str, parts: Sequence[str]) -> list[EvaluationPool]:
    with lzma.open(file, "rt", encoding="utf-8") as opened:
        rows = [row for row in map(json.loads, opened) if row["part"] in parts and row["questions"]]
    return [
        EvaluationPool(
            row["set"],
            row["part"],
            Packed(tokens.passages(row["passages"]), device),
            Packed(tokens.queries([question for question, _ in row["questions"]]), device),
            Packed(tokens.passages([question for question, _ in row["questions"]]), device),
            [gold for _, gold in row["questions"]],
            row.get("first", FIRST),
        )
        for row in rows
    ]


def recalls(pools: Sequence[EvaluationPool], sizes: Mapping[str, Encoder], device: str) -> dict[str, dict[str, Any]]:
    """Returns the figures of every pair of sizes, named "query size/passage size"."""
    found: dict[str, dict[str, list[float]]] = {}
    some: dict[str, dict[str, tuple[Tensor, Tensor]]] = {}
    for pool in pools:
        vectors = {name: size.encode(pool, device) for name, size in sizes.items()}
        for asks, keeps in product(sizes, sizes):
            queries, passages = vectors[asks][0], vectors[keeps][1]
            figures = found.setdefault(f"{asks}/{keeps}", {}).setdefault(pool.set, [])
            figures += _recall(queries @ passages.T, pool.gold, pool.first)
            some.setdefault(f"{asks}/{keeps}", {})[pool.set] = queries[:200], passages[:1_000]
    return {
        name: {**{key: sum(values) / len(values) for key, values in sets.items()}, "unrelated": _unrelated(some[name])}
        for name, sets in found.items()
    }


def _recall(scores: Tensor, gold: Sequence[Sequence[int]], first: int) -> list[float]:
    """Recall@10 (or @1) of each question; a question with more answers than that can still reach 1."""
    best = scores.topk(min(first, scores.shape[1]), dim=1).indices.cpu().tolist()
    return [
        len(set(found) & set(right)) / min(len(set(right)), first)
        for found, right in zip(best, gold, strict=True)
        if right
    ]


def _unrelated(some: Mapping[str, tuple[Tensor, Tensor]]) -> tuple[float, float]:
    """Mean and spread of the cosines between queries of one set and passages of another."""
    cosines = [
        (queries @ passages.T).flatten()
        for name, (queries, _) in some.items()
        for other, (_, passages) in some.items()
        if other != name
    ]
    every = torch.cat(cosines)
    return float(every.mean()), float(every.std())


def shown(name: str, figures: Mapping[str, Any]) -> str:
    mean, spread = figures["unrelated"]
    rest = sorted((key, value) for key, value in figures.items() if key != "unrelated")
    return f"{name:34} " + " ".join(f"{key} {value:.3f}" for key, value in rest) + f" | {mean:.3f} ± {spread:.3f}"
