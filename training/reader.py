"""Trains the reader: a small transformer that reads two texts together and answers two questions about them.

python -m training.reader --rows training/work/reader.jsonl.xz --models FOLDER BASE --tokenizer FILE --out OUT --folds 3

Tasks: how does a newer statement relate to an older one; is a sentence worth keeping. A teacher with 12 layers starts
from `base`, the reader with 6 from `small`; both use the token table of the embedding model. The reader learns from the
labels and from the teacher's answers to the same examples. With `--folds` the same is done without a part of the
examples, and the answers about the parts left out are written to `left_out.jsonl`: what uses the reader is fitted on
these.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from torch import Tensor, nn

from holdfast.models.reader import KEEP, KEEPING, LABELS, OUTPUTS, RELATION, RELATIONS
from training.encoder import CLS, SEP, WIDTH, Transformer
from training.graph import write_graph
from training.optimizer import RoundedAdam
from training.own_weights import read_encoder
from training.texts_on_device import mixed_precision

Row = Mapping[str, Any]

_START = time.time()
TASKS = {"relation": RELATION, "keep": KEEPING}
# Relations that stay the same if the statements change places, and how often they do.
_SYMMETRIC, _SWAPPED = ("different", "contradiction", "same"), 0.3
# The authors of pairs by fold; conversations are spread by their hash.
_FOLDS = {"written": 0, "dev": 0, "requirements": 0, "near": 1, "personal": 1}


@dataclass(frozen=True)
class ReaderSettings:
    """Sizes of the batches, and of the steps."""

    steps: int = 900
    pairs: int = 64
    sentences: int = 64
    rate: float = 8e-5
    average: float = 0.98
    dropout: float = 0.1


class Reader(nn.Module):
    """A transformer with one row of outputs per pair of texts."""

    def __init__(self, encoder: Transformer) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(ReaderSettings.dropout)
        self.head = nn.Linear(WIDTH, OUTPUTS)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        states: Tensor = self.encoder.states(self.encoder.tokens(ids), mask)
        scores: Tensor = self.head(self.dropout(states[:, 0])).float()
        return scores


class Texts:
    """Token ids of texts, each text once."""

    def __init__(self, tokenizer: Path, texts: Sequence[str]) -> None:
        from tokenizers import Tokenizer

        loaded: Any = Tokenizer.from_file(str(tokenizer))
        loaded.no_padding()
        loaded.no_truncation()
        known = list(dict.fromkeys(texts))
        encoded = loaded.encode_batch(known, add_special_tokens=False)
        self._known = {text: encoding.ids for text, encoding in zip(known, encoded, strict=True)}

    def pair(self, task: str, a: str, b: str) -> list[int]:
        token, first, second = TASKS[task]
        return [CLS, token, *self._known[a][:first], SEP, *self._known[b][:second], SEP]


class Examples:
    """Draws examples of a task without end, each once in every pass."""

    def __init__(self, rows: Sequence[Row], task: str) -> None:
        self._rows = [row for row in rows if row["task"] == task]
        self._queue: list[Row] = []
        self._draw = random.Random(11)

    def take(self, count: int) -> list[Row]:
        found: list[Row] = []
        while len(found) < count:
            self._queue = self._queue or self._draw.sample(self._rows, len(self._rows))
            found.append(self._maybe_swapped(self._queue.pop()))
        return found

    def _maybe_swapped(self, row: Row) -> Row:
        if row["label"] in _SYMMETRIC and self._draw.random() < _SWAPPED:
            return {**row, "a": row["b"], "b": row["a"]}
        return row


class Training:
    """Trains readers on one device."""

    def __init__(self, texts: Texts, models: Sequence[Path], device: str) -> None:
        self.texts, self.models, self.device = texts, models, device
        torch.backends.cuda.matmul.allow_tf32 = True
        torch.backends.cuda.enable_cudnn_sdp(False)

    def trained(self, rows: Sequence[Row], settings: ReaderSettings, name: str, judged: Sequence[Row]) -> Reader:
        """Trains a teacher, then the reader; logs their figures on `judged`."""
        teacher = self._train(self._start(self.models[1] / "base.onnx"), rows, settings)
        self._log_figures(f"{name}, teacher", teacher, judged)
        model = self._train(self._start(self.models[0] / "small.onnx"), rows, settings, teacher)
        self._log_figures(f"{name}, reader", model, judged)
        return model

    def scores(self, model: Reader, rows: Sequence[Row]) -> NDArray[np.float32]:
        """The outputs for examples of one task."""
        tokens = [self.texts.pair(row["task"], row["a"], row["b"]) for row in rows]
        order = sorted(range(len(rows)), key=lambda n: len(tokens[n]))
        found = np.zeros((len(rows), OUTPUTS), np.float32)
        for start in range(0, len(order), 512):
            part = order[start : start + 512]
            with torch.no_grad(), mixed_precision(self.device):
                found[part] = model(*self._padded([tokens[n] for n in part])).cpu().numpy()
        return found

    def _start(self, file: Path) -> Reader:
        return Reader(read_encoder(file, self.models[0] / "tokens.bin")).to(self.device)

    def _train(
        self, model: Reader, rows: Sequence[Row], settings: ReaderSettings, teacher: Reader | None = None
    ) -> Reader:
        model.train()
        model.encoder.tokens.weight.requires_grad_(False)
        optimizer = RoundedAdam(model, self.device, settings.average)
        pairs, sentences = Examples(rows, "relation"), Examples(rows, "keep")
        for step in range(settings.steps):
            batches = pairs.take(settings.pairs), sentences.take(settings.sentences)
            loss = sum((self._loss(model, teacher, batch) for batch in batches), torch.zeros((), device=self.device))
            optimizer.step(loss, settings.rate * min(1.0, step / 60) * (1 - step / settings.steps))
        optimizer.finish()
        return model.eval()

    def _loss(self, model: Reader, teacher: Reader | None, rows: Sequence[Row]) -> Tensor:
        ids, mask = self._padded([self.texts.pair(row["task"], row["a"], row["b"]) for row in rows])
        with mixed_precision(self.device):
            found = model(ids, mask)
        labels = [row["label"] for row in rows]
        task = rows[0]["task"]
        loss = _relation_loss(found, labels) if task == "relation" else _keep_loss(found, labels)
        if teacher is None:
            return loss
        with torch.no_grad(), mixed_precision(self.device):
            wanted = teacher(ids, mask)
        return 0.5 * loss + _distance(found, wanted, task)

    def _padded(self, rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
        longest = -(-max(map(len, rows)) // 8) * 8
        ids = np.zeros((len(rows), longest), np.int64)
        for n, row in enumerate(rows):
            ids[n, : len(row)] = row
        found = torch.from_numpy(ids).to(self.device)
        return found, (found != 0).long()

    def _log_figures(self, name: str, model: Reader, judged: Sequence[Row]) -> None:
        for task in TASKS:
            own = [row for row in judged if row["task"] == task]
            if own:
                log(f"{name}, {task}", figures(own, self.scores(model, own)))


def _relation_loss(found: Tensor, labels: Sequence[str]) -> Tensor:
    target = torch.tensor([RELATIONS.index(label) for label in labels], device=found.device)
    return F.cross_entropy(found[:, :KEEP], target, label_smoothing=0.05)


def _keep_loss(found: Tensor, labels: Sequence[str]) -> Tensor:
    kept = torch.tensor([label != "n" for label in labels], device=found.device)
    loss = F.binary_cross_entropy_with_logits(found[:, KEEP], kept.float())
    kinds = torch.tensor([LABELS.index(label) for label in labels if label != "n"], device=found.device)
    return loss + 0.3 * F.cross_entropy(found[kept, KEEP + 1 :], kinds) if len(kinds) else loss


def _distance(found: Tensor, wanted: Tensor, task: str) -> Tensor:
    """How far the answers are from the teacher's."""
    if task == "keep":
        return F.smooth_l1_loss(found[:, KEEP], wanted[:, KEEP])
    own, other = F.log_softmax(found[:, :KEEP], -1), F.log_softmax(wanted[:, :KEEP], -1)
    return F.kl_div(own, other, log_target=True, reduction="batchmean")


def figures(rows: Sequence[Row], scores: NDArray[np.float32]) -> dict[str, float]:
    """Average precision, and recall at a precision of 0.8 (keep) or at 2 % of the others (conflicts)."""
    if rows[0]["task"] == "keep":
        ranked, right = scores[:, KEEP], np.array([row["label"] != "n" for row in rows])
    else:
        ranked = np.logaddexp(scores[:, 1], scores[:, 2]) - np.logaddexp(scores[:, 0], scores[:, 3])
        right = np.array([row["label"] in ("update", "contradiction") for row in rows])
    hits = right[np.argsort(-ranked)]
    found, precision = np.cumsum(hits), np.cumsum(hits) / np.arange(1, len(hits) + 1)
    at_precision = found[precision >= 0.8]
    at_errors = found[np.cumsum(~hits) <= 0.02 * (~hits).sum()]
    return {
        "rows": float(len(rows)),
        "average precision": float((precision * hits).sum() / max(1, right.sum())),
        "recall at precision 0.8": float(at_precision[-1] / right.sum()) if len(at_precision) else 0.0,
        "recall at 2 % false": float(at_errors[-1] / right.sum()) if len(at_errors) else 0.0,
    }


def fold_of(row: Row, folds: int) -> int:
    if row["task"] == "relation":
        return _FOLDS.get(row["group"], folds - 1) % folds
    return int(hashlib.sha256(row["group"].encode()).hexdigest(), 16) % folds


def write_reader(file: Path, model: Reader) -> None:
    """Writes the reader as a graph."""
    weights = {name: each.detach().cpu().float().numpy() for name, each in model.encoder.state_dict().items()}
    weights |= {f"head.{part}": getattr(model.head, part).detach().cpu().float().numpy() for part in ("weight", "bias")}
    write_graph(file, {name: each for name, each in weights.items() if name != "tokens.weight"})


def log(text: str, values: Mapping[str, float] | None = None) -> None:
    shown = ", ".join(f"{name} {value:.3f}" for name, value in (values or {}).items())
    print(f"[{time.time() - _START:5.0f} s] {text}: {shown}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--models", type=Path, nargs=2, required=True, help="the folders of small and of base")
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--steps", type=int, default=ReaderSettings.steps)
    parser.add_argument("--fold-steps", type=int, default=650)
    options = parser.parse_args()
    with lzma.open(options.rows, "rt", encoding="utf-8") as opened:
        rows = [json.loads(line) for line in opened]
    torch.manual_seed(5)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    training = Training(Texts(options.tokenizer, [row[name] for row in rows for name in "ab"]), options.models, device)
    options.out.mkdir(parents=True, exist_ok=True)
    log(f"{len(rows)} rows")
    write_reader(options.out / "reader.onnx", training.trained(rows, ReaderSettings(options.steps), "all", ()))
    log("reader written")
    with (options.out / "left_out.jsonl").open("w") as written:
        for fold in range(options.folds):
            own = [row for row in rows if fold_of(row, options.folds) == fold]
            others = [row for row in rows if fold_of(row, options.folds) != fold]
            model = training.trained(others, ReaderSettings(options.fold_steps), f"fold {fold}", own)
            for task in TASKS:
                chosen = [row for row in own if row["task"] == task]
                for row, found in zip(chosen, training.scores(model, chosen).tolist(), strict=True):
                    values = [round(value, 3) for value in found]
                    written.write(json.dumps({"task": task, "a": row["a"], "b": row["b"], "scores": values}) + "\n")


if __name__ == "__main__":
    main()
