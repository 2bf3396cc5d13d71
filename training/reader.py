"""Trains the reader: a small transformer that reads two texts together and judges them in one of three ways.

python -m training.reader --rows training/work/reader.jsonl.xz --models FOLDER BASE --tokenizer FILE --out OUT --folds 3

Tasks: how does a newer statement relate to an older one; is a sentence worth keeping; does a passage answer a question.
A teacher with 12 layers starts from `base`, the reader with 6 from `small`; both use the token table of the embedding
model. Both first learn from public sets: to tell contradictions (`--inference`) and answers (`--answers`). The reader
learns from the labels and from what the teacher says of the same examples. With `--folds` the same is done without a
part of the pairs and sentences, and the judgements of the parts left out are written to `left_out.jsonl`: what uses the
reader is fitted on these.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import json
import lzma
import math
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from torch import Tensor, nn

from holdfast.models.reader import ANSWER, ANSWERING, KEEP, KEEPING, LABELS, OUTPUTS, RELATION, RELATIONS
from training.encoder import CLS, SEP, WIDTH, Transformer
from training.graph import write_graph
from training.optimizer import RoundedAdam
from training.own_weights import read_encoder
from training.texts_on_device import mixed_precision, progress

Row = Mapping[str, Any]

_START = time.time()
TASKS = {"relation": RELATION, "keep": KEEPING, "answer": ANSWERING}
# What a label of inference means for two statements: the relations that it may be.
_INFERRED = {"entailment": (3,), "paraphrase": (3,), "conflict": (1, 2), "neutral": (0,), "not_paraphrase": (0,)}
# The pairs of inference that are judged, not trained on, and those that the teacher of all tasks judges for the reader.
_SET_ASIDE, _UNLABELLED = 2_000, 20_000
# The reader is trained for more steps than its teacher, in about the same time each.
_LONGER = 1.6
# Relations that stay the same if the statements change places, and how often they do.
_SYMMETRIC, _SWAPPED = ("different", "contradiction", "same"), 0.3
# Passages beside each question, of which at most the first answers it; how often a question loses its answer.
_PASSAGES, _UNANSWERED = 5, 0.08
# The shares of the questions by their origin: public sets, written worlds, and the others of ours.
_SHARES = {"public": 0.35, "worlds": 0.4, "own": 0.25}
# The authors of pairs by fold; conversations and the sources of real statements are spread by their hash.
_FOLDS = {
    **dict.fromkeys(
        "written dev worlds0 worlds5 plain0 plain4 plain5 plain8 plain11 plain13 follow0 passing0".split(), 0
    ),
    **dict.fromkeys(
        "near personal worlds1 worlds2 worlds6 plain1 plain6 plain9 plain12 plain14 follow1 passing1".split(), 1
    ),
    **dict.fromkeys(
        "project train test more fresh worlds3 worlds4 plain2 plain3 plain7 plain10 plain15 plain16 follow2 "
        "passing2".split(),
        2,
    ),
}


@dataclass(frozen=True)
class ReaderSettings:
    """The number of steps, or the seconds after which they end; sizes of the batches, and of the steps."""

    steps: int = 800
    seconds: float = math.inf
    pairs: int = 128
    sentences: int = 64
    unlabelled: int = 128
    questions: int = 128
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
        scores: Tensor = self.head(self.dropout(self.encoder.first_states(ids, mask))).float()
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
    """Draws examples without end, each once in every pass."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self._queue: list[Row] = []
        self._draw = random.Random(torch.initial_seed())

    def take(self, count: int) -> list[Row]:
        found: list[Row] = []
        while len(found) < count:
            self._queue = self._queue or self._draw.sample(self.rows, len(self.rows))
            found.append(self._maybe_swapped(self._queue.pop()))
        return found

    def _maybe_swapped(self, row: Row) -> Row:
        if row.get("label") in _SYMMETRIC and self._draw.random() < _SWAPPED:
            return {**row, "a": row["b"], "b": row["a"]}
        return row


class Questions:
    """Draws questions without end; each gives some rows, of which at most the first answers it (label `yes`)."""

    def __init__(self, rows: Sequence[Row]) -> None:
        kinds = {kind: [row for row in rows if _origin(row) == kind] for kind in _SHARES}
        self._kinds = {kind: Examples(found) for kind, found in kinds.items() if found}
        self._all = sum(_SHARES[kind] for kind in self._kinds)
        self._draw = random.Random(torch.initial_seed() + 1)

    def take(self, count: int) -> list[Row]:
        sizes = {kind: round(count * _SHARES[kind] / self._all) for kind in self._kinds}
        drawn = [row for kind, size in sizes.items() for row in self._kinds[kind].take(size)]
        others = [row["neg"][0] for row in drawn]
        return [example for row in drawn for example in self._examples(row, others)]

    def _examples(self, row: Row, others: Sequence[str]) -> list[Row]:
        answered = bool(row["pos"]) and self._draw.random() >= _UNANSWERED
        right = [self._draw.choice(row["pos"])] if answered else []
        wrong = self._draw.sample(row["neg"], len(row["neg"])) + self._draw.sample(others, len(others))
        wrong = [text for text in wrong if text not in row["pos"]]
        passages = [*right, *wrong, *wrong][:_PASSAGES]
        labels = ["yes" if answered and not n else "no" for n in range(_PASSAGES)]
        return [
            {"task": "answer", "label": label, "a": row["q"], "b": text}
            for label, text in zip(labels, passages, strict=True)
        ]


def _origin(row: Row) -> str:
    if row["public"]:
        return "public"
    return "worlds" if row["group"] == "worlds" else "own"


class Training:
    """Trains readers on one device."""

    def __init__(self, texts: Texts, models: Sequence[Path], device: str) -> None:
        self.texts, self.models, self.device = texts, models, device
        torch.backends.cuda.matmul.allow_tf32 = True
        torch.backends.cuda.enable_cudnn_sdp(False)

    def start(
        self, inference: Sequence[Row], answers: Sequence[Row], kept: Path | None, seconds: float
    ) -> Sequence[Reader]:
        """The teacher and the reader before they see an example of ours; trained on public sets, if there are any."""
        found = [Reader(read_encoder(file, self.models[0] / "tokens.bin")).to(self.device) for file in self._files]
        if kept and kept.exists():
            for model, weights in zip(found, torch.load(kept, map_location=self.device), strict=True):
                model.load_state_dict(weights)
        elif inference:
            settings = ReaderSettings(1_500, seconds, pairs=192, questions=160, rate=1e-4)
            rows = [*inference[_SET_ASIDE:], *(row for row in answers if row["public"])]
            teacher = self._train(found[0], rows, settings)
            log("teacher, public sets")
            reader = self._train(found[1], rows, _longer(settings), teacher)
            for name, model in (("teacher", teacher), ("reader", reader)):
                log(f"inference, {name}", figures(inference[:_SET_ASIDE], self.scores(model, inference[:_SET_ASIDE])))
            if kept:
                torch.save([model.state_dict() for model in found], kept)
        return found

    def trained(
        self, start: Sequence[Reader], rows: Sequence[Row], settings: ReaderSettings, name: str, judged: Sequence[Row]
    ) -> tuple[Reader, Reader]:
        """Trains a teacher, then the reader; logs their figures on `judged`."""
        teacher = self._train(copy.deepcopy(start[0]), rows, settings)
        self._log_figures(f"{name}, teacher", teacher, judged)
        model = self._train(copy.deepcopy(start[1]), rows, _longer(settings), teacher)
        self._log_figures(f"{name}, reader", model, judged)
        return teacher, model

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

    @property
    def _files(self) -> tuple[Path, Path]:
        return self.models[1] / "base.onnx", self.models[0] / "small.onnx"

    def _train(
        self, model: Reader, rows: Sequence[Row], settings: ReaderSettings, teacher: Reader | None = None
    ) -> Reader:
        model.train()
        model.encoder.tokens.weight.requires_grad_(False)
        optimizer = RoundedAdam(model, self.device, settings.average)
        sources = _sources(rows, settings, teacher is not None)
        for step, done in progress(settings.steps, settings.seconds):
            batches = [source.take(size) for source, size in sources]
            loss = sum((self._loss(model, teacher, batch) for batch in batches), torch.zeros((), device=self.device))
            optimizer.step(loss, settings.rate * min(1.0, step / 60) * (1 - done))
        optimizer.finish()
        return model.eval()

    def _loss(self, model: Reader, teacher: Reader | None, rows: Sequence[Row]) -> Tensor:
        ids, mask = self._padded([self.texts.pair(row["task"], row["a"], row["b"]) for row in rows])
        with mixed_precision(self.device):
            found = model(ids, mask)
        labels = [row["label"] for row in rows]
        task = rows[0]["task"]
        loss = torch.zeros((), device=self.device)
        if labels[0]:
            loss = _LOSSES[task](found, labels)
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
        for task in ("relation", "keep"):
            own = [row for row in judged if row["task"] == task]
            if own:
                log(f"{name}, {task}", figures(own, self.scores(model, own)))


def _longer(settings: ReaderSettings) -> ReaderSettings:
    return replace(settings, steps=int(_LONGER * settings.steps), seconds=_LONGER * settings.seconds)


def _sources(rows: Sequence[Row], settings: ReaderSettings, taught: bool) -> list[tuple[Examples | Questions, int]]:
    """What every step takes, and how much: pairs, sentences, with a teacher pairs without a label, and questions."""
    pairs = [row for row in rows if row["task"] != "answer"]
    labelled = [row for row in pairs if row["label"]]
    parts = [
        ([row for row in labelled if row["task"] == "relation"], settings.pairs),
        ([row for row in labelled if row["task"] == "keep"], settings.sentences),
        ([row for row in pairs if not row["label"]] if taught else [], settings.unlabelled),
    ]
    questions = [row for row in rows if row["task"] == "answer"]
    found: list[tuple[Examples | Questions, int]] = [(Examples(part), size) for part, size in parts if part]
    return [*found, (Questions(questions), settings.questions)] if questions else found


def relation_loss(found: Tensor, labels: Sequence[str], smoothing: float = 0.05) -> Tensor:
    """The cross-entropy; a label of inference stands for one or two relations."""
    if labels[0] not in RELATIONS:
        allowed = torch.zeros(len(labels), KEEP, device=found.device)
        for n, label in enumerate(labels):
            allowed[n, list(_INFERRED[label])] = 1
        return -(F.softmax(found[:, :KEEP], -1) * allowed).sum(-1).clamp_min(1e-6).log().mean()
    target = torch.tensor([RELATIONS.index(label) for label in labels], device=found.device)
    return F.cross_entropy(found[:, :KEEP], target, label_smoothing=smoothing)


def keep_loss(found: Tensor, labels: Sequence[str], smoothing: float = 0.0) -> Tensor:
    """The cross-entropy of being kept, and a share of that of the label of kept sentences."""
    kept = torch.tensor([label != "n" for label in labels], device=found.device)
    target = kept.float() * (1 - smoothing) + smoothing / 2
    loss = F.binary_cross_entropy_with_logits(found[:, KEEP], target)
    kinds = torch.tensor([LABELS.index(label) for label in labels if label != "n"], device=found.device)
    return loss + 0.3 * F.cross_entropy(found[kept, KEEP + 1 : ANSWER], kinds) if len(kinds) else loss


def answer_loss(found: Tensor, labels: Sequence[str]) -> Tensor:
    """The cross-entropy over the passages of a question, and of saying that none answers, whose score is 0."""
    first = labels[::_PASSAGES]
    target = torch.tensor([0 if label == "yes" else _PASSAGES for label in first], device=found.device)
    return F.cross_entropy(_with_none(found), target, label_smoothing=0.02)


def _with_none(found: Tensor) -> Tensor:
    scores = found[:, ANSWER].view(-1, _PASSAGES)
    return F.pad(scores, (0, 1))


_LOSSES = {"relation": relation_loss, "keep": keep_loss, "answer": answer_loss}


def _distance(found: Tensor, wanted: Tensor, task: str) -> Tensor:
    """How far the judgements are from the teacher's."""
    if task == "keep":
        return F.smooth_l1_loss(found[:, KEEP], wanted[:, KEEP])
    if task == "answer":
        scores = F.log_softmax(_with_none(found), -1), F.log_softmax(_with_none(wanted), -1)
        return F.kl_div(*scores, log_target=True, reduction="batchmean")
    own, other = F.log_softmax(found[:, :KEEP], -1), F.log_softmax(wanted[:, :KEEP], -1)
    return F.kl_div(own, other, log_target=True, reduction="batchmean")


def figures(rows: Sequence[Row], scores: NDArray[np.float32]) -> dict[str, float]:
    """Average precision, and recall at a precision of 0.8 (keep) or at 2 % of the others (conflicts)."""
    if rows[0]["task"] == "keep":
        ranked, right = scores[:, KEEP], np.array([row["label"] != "n" for row in rows])
    else:
        ranked = np.logaddexp(scores[:, 1], scores[:, 2]) - np.logaddexp(scores[:, 0], scores[:, 3])
        right = np.array([row["label"] in ("update", "contradiction", "conflict") for row in rows])
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
    if row["task"] == "relation" and row["group"] in _FOLDS:
        return _FOLDS[row["group"]] % folds
    return int(hashlib.sha256(row["group"].encode()).hexdigest(), 16) % folds


def read_rows(file: Path) -> list[Row]:
    with lzma.open(file, "rt", encoding="utf-8") as opened:
        return [json.loads(line) for line in opened]


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
    parser.add_argument("--inference", type=Path, help="pairs of sentences of public sets, to begin with")
    parser.add_argument("--answers", type=Path, nargs="*", default=[], help="questions with passages, public and ours")
    parser.add_argument("--start", type=Path, help="where what was learned from these is kept, for further runs")
    parser.add_argument("--models", type=Path, nargs=2, required=True, help="the folders of small and of base")
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--fold", type=int, help="only this one of the folds, for runs beside each other")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--steps", type=int, default=ReaderSettings.steps)
    parser.add_argument("--fold-steps", type=int, default=600)
    parser.add_argument("--seconds", type=float, default=math.inf, help="the most for a teacher; a reader gets more")
    parser.add_argument("--start-seconds", type=float, default=math.inf, help="the same for public sets")
    options = parser.parse_args()
    rows = read_rows(options.rows)
    inference = read_rows(options.inference) if options.inference else []
    rows += [{**row, "label": ""} for row in inference[:_UNLABELLED]]
    answers = [row for file in options.answers for row in read_rows(file)]
    torch.manual_seed(options.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    asked = (text for row in answers for text in (row["q"], *row["pos"], *row["neg"]))
    texts = Texts(options.tokenizer, [*(row[name] for row in (*rows, *inference) for name in "ab"), *asked])
    training = Training(texts, options.models, device)
    options.out.mkdir(parents=True, exist_ok=True)
    log(f"{len(rows)} rows, {len(answers)} questions")
    start = training.start(inference, answers, options.start, options.start_seconds)
    if options.steps:
        trained = training.trained(start, [*rows, *answers], ReaderSettings(options.steps, options.seconds), "all", ())
        for name, model in zip(("relations", "reader"), trained, strict=True):
            write_reader(options.out / f"{name}.onnx", model)
        log("teacher and reader written")
    with (options.out / "left_out.jsonl").open("w") as written:
        for fold in range(options.folds) if options.fold is None else (options.fold,):
            own = [row for row in rows if row["label"] and fold_of(row, options.folds) == fold]
            others = [row for row in rows if fold_of(row, options.folds) != fold]
            _, model = training.trained(
                start, others, ReaderSettings(options.fold_steps, options.seconds), f"fold {fold}", own
            )
            for task in ("relation", "keep"):
                chosen = [row for row in own if row["task"] == task]
                for row, found in zip(chosen, training.scores(model, chosen).tolist(), strict=True):
                    values = [round(value, 3) for value in found]
                    written.write(json.dumps({"task": task, "a": row["a"], "b": row["b"], "scores": values}) + "\n")


if __name__ == "__main__":
    main()
