"""Trains a shipped reader further on one task, with dropout in every layer and some tokens hidden.

python -m training.reader_longer relation --rows reader.jsonl.xz --models FOLDER --tokenizer FILE --out OUT
python -m training.reader_longer answer --rows … --answers answer_rows.jsonl.xz …
python -m training.reader_longer keep --rows … --answers answer_rows.jsonl.xz …

`relation` trains `relations.onnx` to compare statements. `answer` trains `reader.onnx` to judge answers; what it says
of sentences worth keeping stays near what it said before, and at last it gets the mean of its old and its new weights.
`keep` trains `reader.onnx` to judge sentences; what it says of answers and statements stays near what it said before.
Without dropout inside the layers a reader knows its examples by heart after a few passes, and more of them bring
nothing (docs/research/changes-of-mind.md).
"""

from __future__ import annotations

import argparse
import copy
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from holdfast.models.reader import ANSWER, FILE, KEEP, OF_RELATIONS, RELATIONS
from training.encoder import CLS, SEP
from training.graph import read_graph
from training.optimizer import RoundedAdam
from training.own_weights import read_encoder
from training.reader import (
    Examples,
    Questions,
    Reader,
    Row,
    Texts,
    Training,
    answer_loss,
    keep_loss,
    log,
    read_rows,
    relation_loss,
    write_reader,
)
from training.texts_on_device import mixed_precision, progress

_MASK, _SPECIAL = 103, 10  # the token of a hidden word; tokens up to the second name tasks


@dataclass(frozen=True)
class LongerSettings:
    """Steps or seconds, the examples of a step, the size of the steps, and what keeps a reader from learning by heart.

    `dropout` is the share of what each layer adds that is left out, `hidden` the share of tokens, `smoothing` that of
    the labels of statements; `mean` the share of the new weights in those that are written; `hold` how much it counts
    to stay near what was said before about the other tasks.
    """

    file: str
    examples: int
    dropout: float
    hidden: float
    smoothing: float
    mean: float
    steps: int = 8_000
    seconds: float = math.inf
    sentences: int = 64
    hold: float = 1.0
    rate: float = 1e-4
    average: float = 0.995


TASKS = {
    "relation": LongerSettings(OF_RELATIONS, examples=256, dropout=0.2, hidden=0.05, smoothing=0.1, mean=1.0),
    "answer": LongerSettings(FILE, examples=128, dropout=0.15, hidden=0.05, smoothing=0.02, mean=0.5, steps=5_000),
    "keep": LongerSettings(
        FILE, examples=112, dropout=0.15, hidden=0.05, smoothing=0.04, mean=1.0, steps=1_300, sentences=160, hold=1.5,
        average=0.99,
    ),
}  # fmt: skip
# The share of sentences from sessions with coding agents, of which there are fewer than of others.
_WITH_AGENTS = 0.5


def read_reader(file: Path, tokens: Path) -> Reader:
    """A shipped reader: its layers and what they are judged by."""
    model = Reader(read_encoder(file, tokens))
    weights = read_graph(file)
    model.head.load_state_dict({part: torch.tensor(weights[f"head.{part}"]) for part in ("weight", "bias")})
    return model


def drop_inside(model: Reader, share: float) -> None:
    """Leaves out a share of what each layer adds, while the model is trained."""

    def drop(module: nn.Module, given: Any, found: Tensor) -> Tensor:
        return F.dropout(found, share, model.training)

    for layer in model.encoder.layers:
        for part in (layer.output, layer.down):
            part.register_forward_hook(drop)


class HiddenTexts(Texts):
    """Token ids of texts, some of them hidden; the tasks and the ends of the texts are not."""

    def __init__(self, tokenizer: Path, texts: Sequence[str], share: float) -> None:
        super().__init__(tokenizer, texts)
        self.share = share
        self._draw = random.Random(6)

    def pair(self, task: str, a: str, b: str) -> list[int]:
        ids = super().pair(task, a, b)
        return [_MASK if self._is_hidden(id) else id for id in ids]

    def _is_hidden(self, id: int) -> bool:
        return id not in (CLS, SEP) and id > _SPECIAL and self._draw.random() < self.share


class LongerTraining(Training):
    """Trains one reader on one task."""

    def further(self, model: Reader, loss: Callable[[Reader], Tensor], settings: LongerSettings) -> dict[str, Tensor]:
        """Trains a copy of the reader; returns the mean of its old and its new weights."""
        trained = copy.deepcopy(model).train()
        trained.encoder.tokens.weight.requires_grad_(False)
        drop_inside(trained, settings.dropout)
        optimizer = RoundedAdam(trained, self.device, settings.average)
        for step, done in progress(settings.steps, settings.seconds):
            optimizer.step(loss(trained), settings.rate * min(1.0, step / 60) * (1 - done))
        optimizer.finish()
        old, new = model.state_dict(), trained.state_dict()
        return {name: torch.lerp(each.float(), new[name].float(), settings.mean) for name, each in old.items()}

    def of_relations(self, rows: Sequence[Row], settings: LongerSettings) -> Callable[[Reader], Tensor]:
        """How wrong a reader is about statements."""
        examples = Examples([row for row in rows if row["task"] == "relation" and row["label"] in RELATIONS])

        def loss(model: Reader) -> Tensor:
            drawn = examples.take(settings.examples)
            return relation_loss(self.judged(model, drawn), [row["label"] for row in drawn], settings.smoothing)

        return loss

    def of_answers(
        self, before: Reader, rows: Sequence[Row], answers: Sequence[Row], settings: LongerSettings
    ) -> Callable[[Reader], Tensor]:
        """How wrong a reader is about answers, and how far from what was said before about sentences worth keeping."""
        questions, sentences = Questions(answers), Examples([row for row in rows if row["task"] == "keep"])

        def loss(model: Reader) -> Tensor:
            drawn, kept = questions.take(settings.examples), sentences.take(settings.sentences)
            asked = answer_loss(self.judged(model, drawn), [row["label"] for row in drawn])
            with torch.no_grad():
                wanted = self.judged(before, kept)[:, KEEP:ANSWER]
            return asked + F.smooth_l1_loss(self.judged(model, kept)[:, KEEP:ANSWER], wanted)

        return loss

    def of_sentences(
        self, before: Reader, rows: Sequence[Row], answers: Sequence[Row], settings: LongerSettings
    ) -> Callable[[Reader], Tensor]:
        """How wrong a reader is about sentences worth keeping, and how far from what was said before of other tasks."""
        kept = [row for row in rows if row["task"] == "keep"]
        parts = [Examples([row for row in kept if row["with_agent"] is wanted]) for wanted in (True, False)]
        with_agents = round(_WITH_AGENTS * settings.sentences)
        asked = [{"task": "answer", "a": row["q"], "b": text} for row in answers for text in (*row["pos"], *row["neg"])]
        related = [{"task": "relation", "a": row["a"], "b": row["b"]} for row in rows if row["task"] == "relation"]
        held = ((Examples(asked), slice(ANSWER, ANSWER + 1)), (Examples(related), slice(0, KEEP)))

        def loss(model: Reader) -> Tensor:
            drawn = [*parts[0].take(with_agents), *parts[1].take(settings.sentences - with_agents)]
            read = keep_loss(self.judged(model, drawn), [row["label"] for row in drawn], settings.smoothing)
            return read + settings.hold * sum((self._moved(model, before, *each, settings) for each in held), read * 0)

        return loss

    def _moved(
        self, model: Reader, before: Reader, pairs: Examples, outputs: slice, settings: LongerSettings
    ) -> Tensor:
        """How far a reader is from what was said before, in some of its outputs."""
        some = pairs.take(settings.examples)
        with torch.no_grad():
            wanted = self.judged(before, some)[:, outputs]
        return F.smooth_l1_loss(self.judged(model, some)[:, outputs], wanted)

    def judged(self, model: Reader, rows: Sequence[Row]) -> Tensor:
        """What a reader says of examples of one task."""
        ids, mask = self._padded([self.texts.pair(row["task"], row["a"], row["b"]) for row in rows])
        with mixed_precision(self.device):
            found: Tensor = model(ids, mask)
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=tuple(TASKS))
    parser.add_argument("--rows", type=Path, required=True, help="what training/reader_rows.py wrote")
    parser.add_argument("--answers", type=Path, help="what training/answer_rows.py wrote")
    parser.add_argument("--models", type=Path, required=True, help="the folder of the shipped model")
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--seconds", type=float, default=math.inf)
    options = parser.parse_args()
    settings = replace(TASKS[options.task], seconds=options.seconds)
    settings = replace(settings, steps=options.steps or settings.steps)
    rows, answers = read_rows(options.rows), read_rows(options.answers) if options.answers else []
    torch.manual_seed(2)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    asked = (text for row in answers for text in (row["q"], *row["pos"], *row["neg"]))
    texts = HiddenTexts(options.tokenizer, [*(row[name] for row in rows for name in "ab"), *asked], settings.hidden)
    training = LongerTraining(texts, (options.models, options.models), device)
    model = read_reader(options.models / settings.file, options.models / "tokens.bin").to(device).eval()
    log(f"{len(rows)} rows, {len(answers)} questions")
    losses = {
        "relation": lambda: training.of_relations(rows, settings),
        "answer": lambda: training.of_answers(model, rows, answers, settings),
        "keep": lambda: training.of_sentences(model, rows, answers, settings),
    }
    loss = losses[options.task]()
    model.load_state_dict(training.further(model, loss, settings))
    options.out.mkdir(parents=True, exist_ok=True)
    write_reader(options.out / settings.file, model)
    log(f"{settings.file} written")


if __name__ == "__main__":
    main()
