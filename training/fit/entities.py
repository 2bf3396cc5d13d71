"""Fits the model of the statistical name reader: prints cross-validated figures, and writes the model with `--write`.

    python -m training.fit.entities --data FOLDER [--write]

A linear-chain conditional random field over hashed features, fitted by AdaGrad on small batches with half of the
features dropped at random, which scikit-learn does not have. Names are rare in the data, so the fitted model prefers to
predict none; a bias against this was chosen by cross-validation.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from bench.entities import FOLDS, SET, Sentence, blocks, by_type, read

from holdfast.bench.reports import table_text
from holdfast.core.entity import Mention
from holdfast.entities.statistical import CLAIMED, OUTSIDE, WEIGHTS, StatisticalReader, TaggerModel, save
from holdfast.entities.strategies import NameExtractor
from holdfast.entities.tag_features import ALWAYS, SIZE, features, number, tokens

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Numbers = NDArray[np.int64]

TAGS = (OUTSIDE, *(f"{part}-{label}" for label in CLAIMED for part in "BI"))
_ROUNDS = 14
_BATCH = 32
_LEFT_OUT = 0.5
_RATE, _LAST_RATE = 0.1, 0.01
_RIDGE = 1e-4
_ENCOURAGED = 1.75


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence as numbers: the padded features of each word, and its tags."""

    seen: Numbers
    tags: Numbers


@dataclass(slots=True)
class Fitting:
    """The current weights and their accumulated squared gradients."""

    of_features: Floats = field(default_factory=lambda: np.zeros((SIZE, len(TAGS)), np.float32))
    between: Floats = field(default_factory=lambda: np.zeros((len(TAGS), len(TAGS)), np.float32))
    first: Floats = field(default_factory=lambda: np.zeros(len(TAGS), np.float32))
    moved: Floats = field(default_factory=lambda: np.full((SIZE, len(TAGS)), 0.01, np.float32))
    moved_between: Floats = field(default_factory=lambda: np.full((len(TAGS), len(TAGS)), 0.01, np.float32))


def fit(sentences: Sequence[Sentence]) -> TaggerModel:
    """Fits a model on sentences."""
    chance = np.random.default_rng(0)
    examples = [example for example in map(numbered, sentences) if len(example.tags)]
    fitting = Fitting()
    for done in range(_ROUNDS):
        rate = _RATE * (1 - done / _ROUNDS) + _LAST_RATE
        for batch in _batches(examples, chance):
            _learn(fitting, batch, rate, chance)
    fitting.of_features[number(ALWAYS), 0] -= _ENCOURAGED
    return TaggerModel(TAGS, fitting.of_features, fitting.between, fitting.first)


def validated(sentences: Sequence[Sentence]) -> list[list[Mention]]:
    """The names in each sentence, by a model that was fitted without its block of documents."""
    folds = blocks(sentences)
    found: list[list[Mention]] = [[] for _ in sentences]
    for fold in range(FOLDS):
        table = fit([one for one, of in zip(sentences, folds, strict=True) if of != fold])
        extract = NameExtractor((StatisticalReader(table),)).accurate
        for place, of in enumerate(folds):
            if of == fold:
                found[place] = extract(sentences[place].text)
    return found


def numbered(sentence: Sentence) -> Example:
    """Converts a sentence into features and tags."""
    words = tokens(sentence.text)
    rows = features(sentence.text, words)
    width = max((len(row) for row in rows), default=0)
    seen = np.zeros((len(rows), width), np.int64)
    for place, row in enumerate(rows):
        seen[place, : len(row)] = row
    tags = np.zeros(len(words), np.int64)
    for start, end, label in sentence.names:
        if label in CLAIMED:
            inside = [place for place, word in enumerate(words) if start <= word.start and word.end <= end]
            tags[inside] = TAGS.index(f"I-{label}")
            tags[inside[:1]] = TAGS.index(f"B-{label}")
    return Example(seen, tags)


def _batches(examples: Sequence[Example], chance: np.random.Generator) -> list[list[Example]]:
    """Shuffles the examples into batches of similar length."""
    order = chance.permutation(len(examples))
    batches = []
    for start in range(0, len(order), 8 * _BATCH):
        near = sorted((examples[place] for place in order[start : start + 8 * _BATCH]), key=lambda one: len(one.tags))
        batches += [near[at : at + _BATCH] for at in range(0, len(near), _BATCH)]
    return batches


def _learn(fitting: Fitting, batch: Sequence[Example], rate: float, chance: np.random.Generator) -> None:
    """Performs one gradient step on a batch."""
    seen, tags, there = _padded(batch)
    seen *= chance.random(seen.shape) > _LEFT_OUT
    count, length = tags.shape
    heights = fitting.of_features[seen].sum(axis=1).reshape(count, length, -1) / (1 - _LEFT_OUT)
    likely, pairs = _expected(heights, fitting, there)
    likely[np.arange(count)[:, None], np.arange(length)[None], tags] -= 1
    likely *= there[:, :, None] / count
    np.subtract.at(pairs, (tags[:, :-1][there[:, 1:]], tags[:, 1:][there[:, 1:]]), 1)
    _move_features(fitting, seen, likely.reshape(count * length, -1).astype(np.float32), rate)
    wrong = (pairs / count + 1e-3 * fitting.between).astype(np.float32)
    fitting.moved_between += wrong**2
    fitting.between -= rate * wrong / np.sqrt(fitting.moved_between)
    fitting.first -= 0.1 * likely[:, 0].sum(axis=0).astype(np.float32)


def _padded(batch: Sequence[Example]) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
    length, width = max(len(one.tags) for one in batch), max(one.seen.shape[1] for one in batch)
    seen = np.zeros((len(batch), length, width), np.int64)
    tags = np.zeros((len(batch), length), np.int64)
    there = np.zeros((len(batch), length), np.bool_)
    for row, one in enumerate(batch):
        size = len(one.tags)
        seen[row, :size, : one.seen.shape[1]], tags[row, :size], there[row, :size] = one.seen, one.tags, True
    return seen.reshape(-1, width), tags, there


def _expected(
    heights: Floats, fitting: Fitting, there: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The probability of each tag at each word, and of each pair of adjacent tags, with the current weights."""
    fits = np.exp(heights - heights.max(axis=2, keepdims=True)).astype(np.float64)
    follows = np.exp(fitting.between).astype(np.float64)
    count, length, tags = fits.shape
    forward, pairs = np.empty_like(fits), np.zeros((tags, tags))
    forward[:, 0] = _shares(fits[:, 0] * np.exp(fitting.first))
    for place in range(1, length):
        ahead = _shares(forward[:, place - 1] @ follows * fits[:, place])
        forward[:, place] = np.where(there[:, place, None], ahead, forward[:, place - 1])
    backward = np.ones((count, tags))
    likely = np.empty_like(fits)
    likely[:, -1] = forward[:, -1]
    for place in range(length - 2, -1, -1):
        after, goes_on = backward * fits[:, place + 1], there[:, place + 1]
        both = forward[:, place, :, None] * follows[None] * after[:, None, :]
        pairs += (both / both.sum(axis=(1, 2), keepdims=True))[goes_on].sum(axis=0)
        backward = np.where(goes_on[:, None], _shares(after @ follows.T), backward)
        likely[:, place] = _shares(forward[:, place] * backward)
    return likely, pairs


def _move_features(fitting: Fitting, seen: Numbers, wrong: Floats, rate: float) -> None:
    """Updates the weights of the features that occur in the batch."""
    flat = seen.ravel()
    there = np.flatnonzero(flat)
    order = there[np.argsort(flat[there], kind="stable")]
    places, starts = np.unique(flat[order], return_index=True)
    step = np.add.reduceat(wrong[order // seen.shape[1]], starts, axis=0) + _RIDGE * fitting.of_features[places]
    fitting.moved[places] += step**2
    fitting.of_features[places] -= rate * step / np.sqrt(fitting.moved[places])


def _shares(values: NDArray[np.float64]) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = values / values.sum(axis=1, keepdims=True)
    return shares


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m training.fit.entities")
    parser.add_argument("--data", type=Path, required=True, help="folder that contains entities/")
    parser.add_argument("--write", action="store_true", help="write the model into the package")
    options = parser.parse_args(argv)
    path = options.data / SET
    sentences = read(path)
    section = by_type(sentences, validated(sentences), f"cross-validated over {FOLDS} blocks of documents")
    print(f"{section.title}\n{table_text(section)}")
    if options.write:
        save(WEIGHTS, fit(sentences))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        (WEIGHTS.parent / "tagger.sha256").write_text(digest + "\n", encoding="utf-8")
        print(f"{WEIGHTS} written, {WEIGHTS.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
