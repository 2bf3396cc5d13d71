"""Trains the three sizes: one command per stage, each reading and writing the work folder.

python -m training.run base     fine-tunes the original 12-layer model on pairs
python -m training.run small    distils 6 layers from it, then fine-tunes them on the pairs
python -m training.run static   distils the token table
python -m training.run measure  prints recall@10 of every combination of sizes
python -m training.run all      does all four

The work folder holds pairs.jsonl.xz, texts.jsonl.xz and evaluation.jsonl.xz (see training/README.md). Settings and
seeds are in training/settings.json. A GPU is used if there is one.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import lzma
import random
import re
import time
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from training.contrast import ContrastSettings, PairData, fine_tune, mine
from training.distil import DistilSettings, StaticSettings, distil, distil_static
from training.encoder import CLS, SEP, VOCABULARY, Static, Transformer, load_original
from training.evaluate import Encoder, EvaluationPool, read_pools, recalls, shown
from training.texts_on_device import QUERY_PREFIX, Packed, Tokens, encoded

_START = time.time()
STAGES = ("base", "small", "static", "measure")


class Run:
    """One training run: its settings, its texts on the device, and its stages."""

    def __init__(self, original: Path, work: Path, settings: Mapping[str, Any], device: str) -> None:
        self.original_folder, self.work, self.settings, self.device = original, work, settings, device
        torch.backends.cuda.matmul.allow_tf32 = True
        # cuDNN's attention prepares a plan for every new shape, which takes longer than the step itself.
        torch.backends.cuda.enable_cudnn_sdp(False)
        self.seed(0)

    def seed(self, stage: int) -> None:
        """Every stage starts from its own seed, so that it gives the same result alone and after others."""
        seed = self.settings["seed"] + stage
        random.seed(seed)
        np.random.seed(seed)
        torch.manual_seed(seed)

    def base(self) -> None:
        self.seed(1)
        model = self.original
        kept = (self.kept_texts, encoded(model, self.kept_texts, self.device))
        for number, options in enumerate(self.settings["base"]):
            pairs = self.pairs
            if mined := options.get("mined"):
                pairs = dataclasses.replace(pairs, negatives=mine(model, pairs, self.device, each=mined))
            steps = {key: value for key, value in options.items() if key != "mined"}
            model = fine_tune(model, pairs, ContrastSettings(**steps), kept, self.device)
            self.log(f"base, round {number + 1}: trained")
            self.show("base", {f"round {number + 1}": Encoder(model, model)})
        # The small model shares this table, so it must not change afterwards.
        model.round_tokens()
        self.save("base", model)

    def small(self) -> None:
        self.seed(2)
        teacher = self.load("base")
        model = teacher.student(6)
        targets = self.targets
        model = distil(model, self.texts, targets, DistilSettings(**self.settings["small"]["distil"]), self.device)
        self.log("small: distilled")
        for options in self.settings["small"]["contrast"]:
            pairs = self.pairs
            if mined := options.get("mined"):
                pairs = dataclasses.replace(pairs, negatives=mine(teacher, pairs, self.device, each=mined))
            steps = {key: value for key, value in options.items() if key != "mined"}
            model = fine_tune(model, pairs, ContrastSettings(**steps), (self.texts, targets), self.device)
            self.log("small: fine-tuned")
        self.save("small", model)

    def static(self) -> None:
        self.seed(3)
        teacher = self.load("base")
        alone = encoded(teacher, Packed([[CLS, token, SEP] for token in range(VOCABULARY)], self.device), self.device)
        model = Static(alone - alone.mean(0)).to(self.device)
        prefix = len(self.tokens.passages([QUERY_PREFIX])[0]) - 1
        settings = StaticSettings(**self.settings["static"])
        queries = len(self._lines[1])
        model = distil_static(model, self.texts, self.targets, queries, prefix, settings, self.device)
        torch.save(model.state_dict(), self.work / "static.pt")
        self.log("static: distilled")

    def measure(self) -> None:
        """Measures every pair of sizes, and the original, on both parts."""
        original = self.original
        sizes = {name: Encoder(model, model) for name in ("base", "small") for model in [self.load(name)]}
        static = self.load_static()
        sizes["static"] = Encoder(static.query, static.passage, prefixed=False)
        figures: dict[str, Any] = {}
        for part in self.settings["measured"]:
            figures |= self.show(part, {"original": Encoder(original, original)}, part)
            figures |= self.show(part, sizes, part)
        (self.work / "figures.json").write_text(json.dumps(figures, indent=1) + "\n")

    def show(self, name: str, sizes: Mapping[str, Encoder], part: str = "development") -> dict[str, Any]:
        """Logs and returns the figures of these sizes."""
        figures = recalls(self.pools[part], sizes, self.device)
        for pair, values in figures.items():
            self.log(shown(f"{name} {pair}", values))
        return {f"{name} {pair}": values for pair, values in figures.items()}

    @cached_property
    def pools(self) -> dict[str, list[EvaluationPool]]:
        file = self.work / "evaluation.jsonl.xz"
        parts = {"development", *self.settings["measured"]}
        return {part: read_pools(file, self.tokens, self.device, [part]) for part in sorted(parts)}

    @cached_property
    def tokens(self) -> Tokens:
        return Tokens(self.original_folder / "tokenizer.json", self.settings["max_tokens"])

    @property
    def original(self) -> Transformer:
        return load_original(self.original_folder / "model.onnx").to(self.device).eval()

    @cached_property
    def pairs(self) -> PairData:
        rows = self._pair_rows
        self.log(f"{len(rows)} pairs")
        tokens = Tokens(self.original_folder / "tokenizer.json", self.settings["pair_tokens"])
        return PairData.of(rows, tokens, self.device)

    @cached_property
    def _pair_rows(self) -> list[Any]:
        return [row for row in _read(self.work / "pairs.jsonl.xz") if row["part"] == "train"]

    @cached_property
    def _lines(self) -> tuple[list[str], list[str]]:
        """Unlabelled passages and queries: texts as they are, and cut at random."""
        rows = _read(self.work / "texts.jsonl.xz")
        pairs = self._pair_rows
        draw = random.Random(self.settings["seed"])
        passages = list(dict.fromkeys([*(t for kind, t in rows if kind == "p"), *(row["passage"] for row in pairs)]))
        queries = list(dict.fromkeys([*(t for kind, t in rows if kind == "q"), *(row["question"] for row in pairs)]))
        count = self.settings["cropped"]
        passages += [_crop(text, draw) for text in draw.sample(passages, min(len(passages), count))]
        queries += [_crop(text, draw)[:200] for text in draw.sample(passages, min(len(passages), count))]
        self.log(f"{len(passages)} passages and {len(queries)} queries without labels")
        return passages, queries

    @cached_property
    def texts(self) -> Packed:
        """Passages and prefixed queries together."""
        passages, queries = self._lines
        return Packed([*self.tokens.passages(passages), *self.tokens.queries(queries)], self.device)

    @cached_property
    def targets(self) -> Tensor:
        """The vectors of the texts by the 12-layer model."""
        targets = encoded(self.load("base"), self.texts, self.device)
        self.log(f"vectors of {len(targets)} texts, {self.texts.lengths.sum() / 1e6:.0f} million tokens")
        return targets

    @cached_property
    def kept_texts(self) -> Packed:
        """A sample of them, to hold a model near the original."""
        passages, queries = self._lines
        draw = random.Random(self.settings["seed"])
        count = self.settings["kept_texts"]
        chosen = draw.sample(passages, min(count, len(passages)))
        asked = draw.sample(queries, min(count, len(queries)))
        return Packed([*self.tokens.passages(chosen), *self.tokens.queries(asked)], self.device)

    def save(self, name: str, model: Transformer) -> None:
        torch.save(model.state_dict(), self.work / f"{name}.pt")

    def load(self, name: str) -> Transformer:
        weights = torch.load(self.work / f"{name}.pt", map_location=self.device, weights_only=True)
        layers = 1 + max(int(key.split(".")[1]) for key in weights if key.startswith("layers."))
        model = Transformer(layers).to(self.device)
        model.load_state_dict(weights)
        return model.eval()

    def load_static(self) -> Static:
        weights = torch.load(self.work / "static.pt", map_location=self.device, weights_only=True)
        model = Static(weights["vectors.weight"]).to(self.device)
        model.load_state_dict(weights)
        return model.eval()

    def log(self, text: str) -> None:
        print(f"[{time.time() - _START:5.0f} s] {text}", flush=True)


def _crop(text: str, draw: random.Random) -> str:
    """Returns one to four neighbouring sentences of a text."""
    sentences = re.split(r"(?<=[.!?])\s+|\n+", text)
    count = draw.randint(1, min(4, len(sentences)))
    start = draw.randint(0, len(sentences) - count)
    return " ".join(sentences[start : start + count]).strip() or text


def _read(file: Path) -> list[Any]:
    with lzma.open(file, "rt", encoding="utf-8") as opened:
        return [json.loads(line) for line in opened]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stages", nargs="+", choices=(*STAGES, "all"))
    parser.add_argument("--original", type=Path, required=True, help="the folder of the original model")
    parser.add_argument("--work", type=Path, default=Path("training/work"))
    parser.add_argument("--settings", type=Path, default=Path("training/settings.json"))
    options = parser.parse_args()
    settings = json.loads(options.settings.read_text())
    run = Run(options.original, options.work, settings, "cuda" if torch.cuda.is_available() else "cpu")
    for stage in STAGES if "all" in options.stages else options.stages:
        getattr(run, stage)()


if __name__ == "__main__":
    main()
