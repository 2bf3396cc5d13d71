"""Contrastive fine-tuning on pairs of a question and the passage that answers it.

Every batch comes from one source, so that the other passages of the batch are hard to tell from the right one; pairs of
a written world are in a batch together. Another answer to the same question is not counted as wrong. The model is held
near the original on unlabelled text, so that it keeps what no pair teaches.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from training.encoder import Transformer
from training.optimizer import RoundedAdam
from training.texts_on_device import Packed, Tokens, encoded, forever, mixed_precision, progress
from training.written_pairs import WORLDS

_GROUPS = 4
_DOCUMENT_KINDS = ("heading", "faq", "commit", "translation")


@dataclass(frozen=True)
class ContrastSettings:
    """Settings of one fine-tuning.

    It ends after `steps` or `seconds`, whichever comes first. `keep` weighs the distance to the original; `average` is
    the decay of the mean of the weights over the steps; `worlds` is the share of batches of written worlds. Of the
    other batches, `talk` and `code` are the shares of conversations and of functions, the rest are documents.
    """

    steps: int
    seconds: float = 1e9
    batch: int = 256
    rate: float = 2e-5
    temperature: float = 0.03
    keep: float = 8.0
    negatives: int = 3
    average: float = 0.0
    evenness: float = 0.5
    train_tokens: bool = True
    talk: float = 0.55
    code: float = 0.15
    worlds: float = 0.05


@dataclass(frozen=True)
class PairData:
    """Pairs as token ids. `positives`, `negatives` and `other_answers` are rows of `passages`.

    `worlds` names the world of a pair, `other_answers` the other answers to its question, if it has any.
    """

    sources: Sequence[str]
    questions: Packed
    passages: Packed
    positives: Sequence[int]
    negatives: Sequence[Sequence[int]]
    worlds: Mapping[int, str] = field(default_factory=dict)
    other_answers: Mapping[int, Collection[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, object]], tokens: Tokens, device: str) -> PairData:
        numbers: dict[str, int] = {}

        def number(text: str) -> int:
            return numbers.setdefault(text, len(numbers))

        positives = [number(str(row["passage"])) for row in rows]
        negatives = [[number(str(text)) for text in row["negatives"][:4]] for row in rows]  # type: ignore[index]
        answers: dict[object, set[int]] = {}
        for row, positive in zip(rows, positives, strict=True):
            answers.setdefault((row["source"], row["question"]), set()).add(positive)
        others = [answers[row["source"], row["question"]] - {positives[n]} for n, row in enumerate(rows)]
        return cls(
            [f"{row['source']}/{str(row['kind']).partition(':')[0]}" for row in rows],
            Packed(tokens.queries([str(row["question"]) for row in rows]), device),
            Packed(tokens.passages(list(numbers)), device),
            positives,
            negatives,
            {n: str(row["kind"]) for n, row in enumerate(rows) if row["source"] == WORLDS},
            {n: found for n, found in enumerate(others) if found},
        )


def fine_tune(
    model: Transformer,
    pairs: PairData,
    settings: ContrastSettings,
    kept: tuple[Packed, Tensor],
    device: str,
) -> Transformer:
    """Trains a model on pairs. `kept` are texts and the vectors they should keep."""
    model.train()
    model.tokens.weight.requires_grad_(settings.train_tokens)
    optimizer = RoundedAdam(model, device, settings.average)
    batches = _batches(pairs, settings)
    texts, targets = kept
    keep_batches = forever(lambda: texts.batches(16_384))
    for step, done in progress(settings.steps, settings.seconds):
        rows, length = next(keep_batches)
        with mixed_precision(device):
            loss = _contrast(model, pairs, next(batches), settings)
            near = model(texts.equal(rows, length))
        loss = loss + settings.keep * (1 - (near * targets[torch.as_tensor(rows, device=device)]).sum(-1)).mean()
        optimizer.step(loss, settings.rate * min(1.0, step / 50) * (1 - done))
    optimizer.finish()
    model.tokens.weight.requires_grad_(True)
    return model.eval()


def mine(
    model: Transformer, pairs: PairData, device: str, *, each: int, below: float = 0.95, pool: int = 20_000
) -> list[list[int]]:
    """Returns for each pair the passages of its source that the model ranks highest, except likely answers.

    A passage that scores more than `below` of the right one may be an answer nobody marked.
    """
    passages = encoded(model, pairs.passages, device)
    questions = encoded(model, pairs.questions, device)
    by_source: dict[str, list[int]] = {}
    for row, source in enumerate(pairs.sources):
        by_source.setdefault(source, []).append(row)
    mined: list[list[int]] = [list(row) for row in pairs.negatives]
    positives = torch.tensor(pairs.positives, device=device)
    for rows in by_source.values():
        known = sorted({pairs.positives[row] for row in rows} | {n for row in rows for n in pairs.negatives[row][:2]})
        known = random.sample(known, min(pool, len(known)))
        among = torch.tensor(known, device=device)
        for start in range(0, len(rows), 2_048):
            part = torch.tensor(rows[start : start + 2_048], device=device)
            scores = questions[part] @ passages[among].T
            right = (questions[part] * passages[positives[part]]).sum(-1, keepdim=True)
            scores = scores.masked_fill((scores > below * right) | (among[None, :] == positives[part][:, None]), -1)
            best = among[scores.topk(min(each, len(known)), dim=1).indices].cpu().tolist()
            for row, found in zip(part.tolist(), best, strict=True):
                mined[row] = found + mined[row]
    return mined


def _contrast(model: Transformer, pairs: PairData, rows: Sequence[int], settings: ContrastSettings) -> Tensor:
    positives = [pairs.positives[row] for row in rows]
    hard = [n for row in rows for n in _some(pairs.negatives[row], settings.negatives)]
    passages = list(dict.fromkeys([*positives, *hard]))
    place = {passage: at for at, passage in enumerate(passages)}
    questions = model(*pairs.questions.padded(rows))
    vectors = _in_groups(model, pairs.passages, passages)
    right = torch.tensor([place[passage] for passage in positives], device=questions.device)
    scores = questions @ vectors.T / settings.temperature
    also_right = [(at, place.get(other)) for at, row in enumerate(rows) for other in pairs.other_answers.get(row, ())]
    if found := [(at, column) for at, column in also_right if column is not None]:
        scores = scores.index_put(tuple(torch.tensor(found, device=scores.device).T), scores.new_tensor(-torch.inf))
    loss: Tensor = F.cross_entropy(scores, right)
    return loss


def _in_groups(model: Transformer, texts: Packed, rows: Sequence[int]) -> Tensor:
    """Encodes rows in groups of similar length, which saves most of the padding."""
    order = np.argsort(texts.lengths[np.asarray(rows)], kind="stable")
    parts = [model(*texts.padded(np.asarray(rows)[part])) for part in np.array_split(order, _GROUPS) if len(part)]
    back = torch.as_tensor(np.argsort(order, kind="stable"), device=parts[0].device)
    return torch.cat(parts)[back]


def _some(values: Sequence[int], count: int) -> Sequence[int]:
    """The first value is the hardest: always taken. The others are drawn."""
    if len(values) <= count:
        return values
    return [values[0], *random.sample(values[1:], count - 1)] if count else []


def _batches(pairs: PairData, settings: ContrastSettings) -> Iterator[list[int]]:
    """Draws batches: a group by its share, a source by its size, then pairs of that source."""
    by_source: dict[str, list[int]] = {}
    for row, source in enumerate(pairs.sources):
        by_source.setdefault(source, []).append(row)
    names = sorted(by_source)
    sizes = {name: len(by_source[name]) ** settings.evenness for name in names}
    shares = {"talk": settings.talk, "code": settings.code, "documents": 1 - settings.talk - settings.code}
    shares = {group: share * (1 - settings.worlds) for group, share in shares.items()} | {WORLDS: settings.worlds}
    totals = {group: sum(size for name, size in sizes.items() if _group(name) == group) for group in shares}
    chances = [shares[_group(name)] * sizes[name] / totals[_group(name)] for name in names]
    queues = {name: forever(partial(_shuffled, rows, pairs.worlds)) for name, rows in by_source.items()}
    while True:
        name = random.choices(names, chances)[0]
        yield [next(queues[name]) for _ in range(min(settings.batch, len(by_source[name])))]


def _shuffled(rows: Sequence[int], worlds: Mapping[int, str]) -> list[int]:
    """All rows in a new order. Those of one world follow each other, so that its passages are in one batch."""
    together: dict[str | int, list[int]] = {}
    for row in random.sample(rows, len(rows)):
        together.setdefault(worlds.get(row, row), []).append(row)
    return [row for those in together.values() for row in those]


def _group(source: str) -> str:
    name, kind = source.rsplit("/", 1)
    if name == WORLDS:
        return WORLDS
    return "code" if kind == "docstring" else "documents" if kind in _DOCUMENT_KINDS else "talk"
