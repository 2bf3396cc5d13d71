"""Token ids on the device, in batches of texts of equal length, so that nothing is padded."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from training.encoder import WIDTH

QUERY_PREFIX = "Represent this sentence for searching relevant passages: "

Ids = Sequence[Sequence[int]]


class Tokens:
    """Turns texts into token ids, cut at `limit`."""

    def __init__(self, file: Path, limit: int) -> None:
        from tokenizers import Tokenizer

        self._tokenizer: Any = Tokenizer.from_file(str(file))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(limit)

    def passages(self, texts: Sequence[str]) -> Ids:
        return [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]

    def queries(self, texts: Sequence[str]) -> Ids:
        return self.passages([QUERY_PREFIX + text for text in texts])


class Packed:
    """Token lists in one array on the device."""

    def __init__(self, ids: Ids, device: str) -> None:
        self.lengths = np.array([len(row) for row in ids])
        self._device = device
        flat = np.fromiter(chain.from_iterable(ids), np.int32, int(self.lengths.sum()))
        self._flat = torch.from_numpy(flat).to(device)
        self._starts = torch.from_numpy(np.concatenate([[0], np.cumsum(self.lengths)[:-1]])).to(device)

    def equal(self, rows: Any, length: int) -> Tensor:
        """Returns rows that all have this length."""
        starts = self._starts[torch.as_tensor(rows, device=self._device)]
        return self._flat[starts[:, None] + torch.arange(length, device=self._device)].long()

    def padded(self, rows: Any) -> tuple[Tensor, Tensor]:
        """Returns any rows, padded to the longest, with their mask. Attention needs lengths that are multiples of 8."""
        chosen = torch.as_tensor(np.asarray(rows), device=self._device)
        lengths = torch.from_numpy(self.lengths[np.asarray(rows)]).to(self._device)
        longest = -(-int(self.lengths[np.asarray(rows)].max()) // 8) * 8
        places = torch.arange(longest, device=self._device)
        mask = places[None, :] < lengths[:, None]
        at = (self._starts[chosen][:, None] + places).clamp_max(len(self._flat) - 1)
        return self._flat[at].long() * mask, mask.long()

    def batches(self, tokens: int, rows: Sequence[int] | None = None) -> list[tuple[Any, int]]:
        """Returns all rows in random batches of one length and at most that many tokens."""
        chosen = np.arange(len(self.lengths)) if rows is None else np.asarray(rows)
        chosen = chosen[np.random.permutation(len(chosen))]
        chosen = chosen[np.argsort(self.lengths[chosen], kind="stable")]
        parts = []
        for group in np.split(chosen, np.flatnonzero(np.diff(self.lengths[chosen])) + 1):
            length = int(self.lengths[group[0]])
            size = max(1, tokens // length)
            parts += [(group[start : start + size], length) for start in range(0, len(group), size)]
        random.shuffle(parts)
        return parts


def encoded(
    encode: Callable[[Tensor, Tensor | None], Tensor], packed: Packed, device: str, tokens: int = 200_000
) -> Tensor:
    """Returns the vectors of all rows, without gradients."""
    vectors = torch.empty(len(packed.lengths), WIDTH, device=device)
    order = np.argsort(-packed.lengths, kind="stable")
    start = 0
    with torch.no_grad(), mixed_precision(device):
        while start < len(order):
            rows = order[start : start + max(1, tokens // int(packed.lengths[order[start]]))]
            vectors[torch.as_tensor(rows.copy(), device=device)] = encode(*packed.padded(rows)).float()
            start += len(rows)
    return vectors


def mixed_precision(device: str) -> Any:
    return torch.autocast(device, torch.bfloat16, enabled=device == "cuda")


def forever(make: Callable[[], list[Any]]) -> Iterator[Any]:
    """Yields batches without end; makes a new list of them for every pass over the data."""
    while True:
        yield from make()


def progress(steps: int, seconds: float) -> Iterator[tuple[int, float]]:
    """Counts steps until their number or the time is reached; yields the step and the share that is done."""
    start = time.monotonic()
    for step in range(steps):
        done = max(step / steps, (time.monotonic() - start) / seconds)
        if done >= 1:
            break
        yield step, done
    print(f"    {step + 1} steps in {time.monotonic() - start:.0f} s", flush=True)
