"""Teaches the embedding model French: a French text gets the vector of its English translation.

python -m training.french --models FOLDER BASE --tokenizer FILE --translations FILE --texts FILE --out OUT

Writes small.onnx, base.onnx and static.bin, trained from those in FOLDER and BASE. English texts keep their vectors.
The static size learns the new vectors of `small`. Token vectors of the transformers do not change, because the readers
share them. A GPU is used if there is one.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from training.distil import DistilSettings, StaticSettings, distil, distil_static
from training.encoder import Static, Transformer
from training.graph import write_graph
from training.own_weights import read_encoder, read_static
from training.pair_files import read_rows
from training.texts_on_device import QUERY_PREFIX, Packed, Tokens, encoded
from training.translations import Translation
from training.weights import write_static
from training.worlds import development, worlds

SEED = 41
MAX_TOKENS = 320
# How often a written text is among the rows; it is nearer to what people ask than a manual.
WRITTEN = 3
# English texts that keep their vectors, for each translated text.
KEPT = 2.5
RATE, STATIC_RATE = 1.2e-4, 2e-4


@dataclass(frozen=True)
class Row:
    """A text to encode, and the text whose vector it should get."""

    text: str
    target: str
    is_query: bool


def rows(translations: Sequence[Translation], texts: Sequence[Any], chance: random.Random) -> list[Row]:
    """Translations, their English, and other English texts; passages first. Half of the sentences are queries."""
    found = []
    written = [each for each in translations if each.source == "holdfast/written"]
    for each in (*translations, *written * (WRITTEN - 1)):
        is_query = len(each.french) < 120 and chance.random() < 0.5
        found += [Row(each.french, each.english, is_query), Row(each.english, each.english, is_query)]
    kept = [Row(text, text, use == "q") for use, text in texts]
    for world in (world for world in worlds() if not development(world)):
        kept += [Row(text, text, False) for text in world.passages.values()]
        kept += [Row(question, question, True) for question, _ in world.questions]
    found += chance.sample(kept, min(len(kept), int(KEPT * len(translations))))
    return sorted(found, key=lambda row: row.is_query)


class French:
    """One run: its texts on the device."""

    def __init__(self, found: Sequence[Row], tokens: Tokens, device: str) -> None:
        self.device, self.queries = device, sum(row.is_query for row in found)
        self.tokens = tokens
        self.texts = Packed(self._ids(found, "text"), device)
        self.targets = Packed(self._ids(found, "target"), device)

    def _ids(self, found: Sequence[Row], name: str) -> list[Sequence[int]]:
        passages = [getattr(row, name) for row in found if not row.is_query]
        queries = [getattr(row, name) for row in found if row.is_query]
        return [*self.tokens.passages(passages), *self.tokens.queries(queries)]

    def transformer(self, model: Transformer, seconds: float) -> Transformer:
        """Trains a transformer towards its own vectors of the English texts."""
        model = model.to(self.device).eval()
        targets = encoded(model, self.targets, self.device)
        settings = DistilSettings(steps=100_000, seconds=seconds, rate=RATE, train_tokens=False)
        return distil(model, self.texts, targets, settings, self.device)

    def static(self, model: Static, teacher: Transformer, seconds: float) -> Static:
        """Trains the static size towards a transformer's vectors."""
        targets = encoded(teacher, self.texts, self.device)
        prefix = len(self.tokens.passages([QUERY_PREFIX])[0]) - 1
        settings = StaticSettings(rounds=3, seconds=seconds, rate=STATIC_RATE)
        return distil_static(model.to(self.device), self.texts, targets, self.queries, prefix, settings, self.device)


def _arrays(model: Transformer | Static) -> dict[str, Any]:
    state = model.state_dict().items()
    return {name: value.float().cpu().numpy() for name, value in state if name != "tokens.weight"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, nargs=2, required=True, help="the folders of the model and of base.onnx")
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--translations", type=Path, required=True)
    parser.add_argument("--texts", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=120, help="for each of the transformers")
    parser.add_argument("--static-seconds", type=float, default=25)
    given = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cuda.enable_cudnn_sdp(False)
    random.seed(SEED)
    np.random.seed(SEED)
    torch.manual_seed(SEED)
    folder, base = given.models
    given.out.mkdir(parents=True, exist_ok=True)
    translations = [Translation(*row) for row in read_rows(given.translations)]
    found = rows(translations, read_rows(given.texts), random.Random(SEED))
    run = French(found, Tokens(given.tokenizer, MAX_TOKENS), device)
    start = time.time()
    files = {"base": base / "base.onnx", "small": folder / "small.onnx"}
    for size, file in files.items():
        model = run.transformer(read_encoder(file, folder / "tokens.bin"), given.seconds)
        write_graph(given.out / f"{size}.onnx", _arrays(model))
        print(f"{size}: {time.time() - start:.0f} s", flush=True)
    static = run.static(read_static(folder / "static.bin"), model, given.static_seconds)
    write_static(given.out / "static.bin", _arrays(static), folder / "vocabulary.txt")


if __name__ == "__main__":
    main()
