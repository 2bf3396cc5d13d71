"""Distillation: a smaller encoder learns to give the vectors of a larger one, without labels."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from training.encoder import Static, Transformer
from training.optimizer import RoundedAdam
from training.texts_on_device import Packed, forever, mixed_precision, progress


@dataclass(frozen=True)
class DistilSettings:
    """Settings of one distillation."""

    steps: int
    seconds: float = 1e9
    tokens: int = 65_536
    rate: float = 4e-4
    warmup: int = 200
    matrix: float = 4.0
    train_tokens: bool = True


def distil(model: Transformer, texts: Packed, targets: Tensor, settings: DistilSettings, device: str) -> Transformer:
    """Trains a transformer towards the target vectors."""
    model.train()
    model.tokens.weight.requires_grad_(settings.train_tokens)
    optimizer = RoundedAdam(model, device)
    batches = forever(lambda: texts.batches(settings.tokens))
    for step, done in progress(settings.steps, settings.seconds):
        rows, length = next(batches)
        rate = settings.rate * min(1.0, step / settings.warmup) * 0.5 * (1 + math.cos(math.pi * done))
        with mixed_precision(device):
            vectors = model(texts.equal(rows, length))
        optimizer.step(_loss(vectors, targets[torch.as_tensor(rows, device=device)], settings.matrix), rate)
    model.tokens.weight.requires_grad_(True)
    return model.eval()


@dataclass(frozen=True)
class StaticSettings:
    """Settings of the static encoder: few rounds, because it overfits quickly."""

    rounds: int = 3
    seconds: float = 1e9
    tokens: int = 65_536
    rate: float = 1e-3
    matrix: float = 4.0


def distil_static(
    model: Static, texts: Packed, targets: Tensor, queries: int, prefix: int, settings: StaticSettings, device: str
) -> Static:
    """Trains a static encoder. The last `queries` texts are queries, which start with `prefix` tokens to leave out."""
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=settings.rate, fused=device == "cuda")
    first_query = len(texts.lengths) - queries
    batches = [
        batch
        for _ in range(settings.rounds)
        for part in (range(first_query), range(first_query, len(texts.lengths)))
        for batch in texts.batches(settings.tokens, part)
    ]
    random.shuffle(batches)
    for step, done in progress(len(batches), settings.seconds):
        rows, length = batches[step]
        ids = texts.equal(rows, length)
        vectors = model.query(ids[:, prefix:]) if rows[0] >= first_query else model.passage(ids)
        loss = _loss(vectors, targets[torch.as_tensor(rows, device=device)], settings.matrix)
        for group in optimizer.param_groups:
            group["lr"] = settings.rate * min(1.0, step / 50) * (1 - done) + 1e-8
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return model.eval()


def _loss(vectors: Tensor, targets: Tensor, matrix: float) -> Tensor:
    """One minus the cosine to the target, and the difference between the two matrices of cosines in the batch."""
    loss = (1 - (vectors * targets).sum(-1)).mean()
    if matrix and len(vectors) > 8:
        some, wanted = vectors[:512], targets[:512]
        loss = loss + matrix * F.mse_loss(some @ some.T, wanted @ wanted.T)
    return loss
