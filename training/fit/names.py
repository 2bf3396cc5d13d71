"""Fits the model that tells names from words: `python -m training.fit.names --write` writes it into the package.

Prints how many texts about registered people are linked, with all texts about a first name left out of the fit.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench import ROOT
from holdfast.bench.reports import aligned
from holdfast.entities.name_or_word import FILE, FORMS, MEANINGS, features, meaning_of
from training.fit.logistic import logistic, sparse
from training.fit.names_samples import PERSON, TIME, Labelled, Sample, contexts, drawn, first_name, labelled, texts

Figures = NDArray[np.float64]
DATA = ROOT / "src" / "holdfast" / "entities" / "data" / FILE
# How often a written context or text counts as one that was labelled by lists.
_WRITTEN = 8
_KNOWN, _LEAST, _SHRINK = 15, 6, 5.0
_FOLDS, _ROUNDS = 5, 2
_KEPT = 0.5
# Words that the lists call a thing or a word, but that are used like names on average, are names that no list has.
_LIKE_A_NAME = -0.8
# What the biases are drawn towards: thing, time and word, for each meaning. A missed mention weighs more.
_EXPECTED = {
    "word": (-1.0, -3.0, 0.0),
    "place": (0.0, -3.0, -1.0),
    "time": (-1.0, 0.0, 0.0),
    "none": (-2.0, -4.0, -2.0),
}
_MISSED, _BIAS_SHRINK, _BIAS_STEPS, _BIAS_RATE = 1.5, 1.0, 300, 0.05
# Log-odds of a person from which a text would be linked; the package links from zero on.
_SHOWN = (-0.5, -0.25, 0.0, 0.25, 0.5)


@dataclass(frozen=True, slots=True)
class Weights:
    """The features and how much more likely than a person they make a thing, a time and a word."""

    places: dict[str, int]
    values: Figures

    def scores(self, found: Sequence[Sequence[str]]) -> Figures:
        """The sums of the weights of each sample."""
        sums = [self.values[[self.places[f] for f in names if f in self.places]].sum(axis=0) for names in found]
        return np.array(sums).reshape(len(found), 3)


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the figures for left-out names and writes the weights if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    options = parser.parse_args(argv)
    listed, written, people = drawn(texts(), random.Random(1)), list(contexts()), labelled()
    words = known_words(listed, written)
    fit = Fit(words, cleaned(listed, words), written)
    places = [(number, sample) for number, row in enumerate(people) for sample in row.samples]
    scores = fit.left_out(people, places)
    print(figures(people, places, scores))
    weights = fit.weights([sample for _, sample in places])
    biases = fitted_biases(people, places, scores)
    content = {
        "origin": "written for this project: training/fit/names_samples.py",
        "words": " ".join(sorted(words)),
        "biases": {meaning: {form: _tenths(biases[meaning, form]) for form in FORMS} for meaning in MEANINGS},
        "weights": {name: _tenths(weights.values[place]) for name, place in sorted(weights.places.items())},
    }
    print(f"{len(words)} words, {len(weights.places)} features")
    if options.write:
        lines = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        DATA.write_text(lines + "\n", encoding="utf-8")


def known_words(listed: Sequence[Sample], written: Sequence[Sample]) -> frozenset[str]:
    """The words that stand beside the samples often; the others are only known by their ending."""
    counts = Counter[str]()
    for sample in listed:
        near = (sample.case.written(sample.place + step).lower() for step in (-2, -1, 1, 2))
        counts.update(word for word in near if word)
    for sample in written:
        counts.update(dict.fromkeys(re.findall(r"\w+", sample.case.text.lower()), _WRITTEN))
    return frozenset(word for word, count in counts.items() if count >= _KNOWN)


def cleaned(listed: Sequence[Sample], words: frozenset[str]) -> list[Sample]:
    """Leaves out what the lists take for a thing or a word but is used like a name: *Ronke*, *Wiremu*."""
    found = list(listed)
    for _ in range(_ROUNDS):
        weights = fitted([(sample, 1) for sample in found], words)
        doubtful = [s for s in found if s.sense not in (PERSON, TIME) and s.form != "small"]
        by_word = defaultdict[str, list[float]](list)
        for sample, row in zip(doubtful, weights.scores(features_of(doubtful, words)), strict=True):
            by_word[sample.word].append(-float(row.max()))
        names = {word for word, odds in by_word.items() if len(odds) > 1 and np.mean(odds) > _LIKE_A_NAME}
        found = [s for s in found if s.sense in (PERSON, TIME) or s.word not in names]
    return found


def features_of(samples: Sequence[Sample], words: frozenset[str]) -> list[list[str]]:
    """The features of each sample."""
    return [list(features(s.case, s.place, s.place, s.form, words)) for s in samples]


def fitted(samples: Sequence[tuple[Sample, int]], words: frozenset[str]) -> Weights:
    """Fits the weights on samples with their counts."""
    found = features_of([sample for sample, _ in samples], words)
    counts = Counter[str]()
    for names, (_, count) in zip(found, samples, strict=True):
        counts.update(dict.fromkeys(names, count))
    places = {name: place for place, name in enumerate(name for name, count in counts.items() if count >= _LEAST)}
    rows = sparse([[places[name] for name in names if name in places] for names in found], len(places))
    senses = np.array([sample.sense for sample, _ in samples])
    values = logistic(rows, senses, _SHRINK, np.array([float(count) for _, count in samples])).T
    against = np.round(values[:, 1:] - values[:, :1], 1)
    kept = [(name, place) for name, place in places.items() if np.abs(against[place]).max() >= _KEPT]
    return Weights({name: number for number, (name, _) in enumerate(kept)}, against[[place for _, place in kept]])


@dataclass(frozen=True, slots=True)
class Fit:
    """What every fit has in common."""

    words: frozenset[str]
    listed: list[Sample]
    written: list[Sample]

    def weights(self, people: Sequence[Sample]) -> Weights:
        """Fits on everything and these samples of texts about people."""
        often = [(sample, _WRITTEN) for sample in (*self.written, *people)]
        return fitted([*((sample, 1) for sample in self.listed), *often], self.words)

    def left_out(self, people: Sequence[Labelled], places: Sequence[tuple[int, Sample]]) -> Figures:
        """The scores of each place by a fit without the texts about that first name."""
        fold = np.array([fold_of(people[number].person) for number, _ in places])
        scores = np.zeros((len(places), 3))
        for left in range(_FOLDS):
            weights = self.weights([sample for (_, sample), at in zip(places, fold, strict=True) if at != left])
            out = [sample for (_, sample), at in zip(places, fold, strict=True) if at == left]
            scores[fold == left] = weights.scores(features_of(out, self.words))
        return scores


def fold_of(person: str) -> int:
    """The block in which all people with this first name are."""
    return sum(ord(letter) * place for place, letter in enumerate(first_name(person), 3)) % _FOLDS


def fitted_biases(
    people: Sequence[Labelled], places: Sequence[tuple[int, Sample]], scores: Figures
) -> dict[tuple[str, str], Figures]:
    """Fits what to expect of a word by its meaning and form, on texts of which the likeliest place counts."""
    keys = [(meaning_of(sample.word), sample.form) for _, sample in places]
    expected = {(meaning, form): np.array(_EXPECTED[meaning]) for meaning in MEANINGS for form in FORMS}
    biases = {key: value.copy() for key, value in expected.items()}
    for _ in range(_BIAS_STEPS):
        slopes = {key: _BIAS_SHRINK * (biases[key] - expected[key]) for key in biases}
        odds = np.array([person_odds(row + biases[key]) for row, key in zip(scores, keys, strict=True)])
        for at in _likeliest(places, odds):
            mentions = people[places[at][0]].mentions
            error = (1 / (1 + np.exp(-odds[at])) - mentions) * (_MISSED if mentions else 1)
            shares = np.exp(scores[at] + biases[keys[at]])
            slopes[keys[at]] = slopes[keys[at]] - error * shares / shares.sum()
        for key, slope in slopes.items():
            biases[key] -= _BIAS_RATE * slope
    return biases


def person_odds(against: Figures) -> float:
    """The log-odds of a person against all else."""
    return -float(np.log(np.exp(against).sum()))


def _likeliest(places: Sequence[tuple[int, Sample]], odds: Figures) -> list[int]:
    best: dict[int, int] = {}
    for at, (number, _) in enumerate(places):
        if number not in best or odds[at] > odds[best[number]]:
            best[number] = at
    return list(best.values())


def figures(people: Sequence[Labelled], places: Sequence[tuple[int, Sample]], scores: Figures) -> str:
    """The shares that are linked at several thresholds, with biases fitted without the texts about the first name."""
    odds = np.array([np.inf if row.is_linked else -np.inf for row in people])
    folds = [fold_of(people[number].person) for number, _ in places]
    for left in range(_FOLDS):
        kept = [at for at, fold in enumerate(folds) if fold != left]
        biases = fitted_biases(people, [places[at] for at in kept], scores[kept])
        for at in (at for at, fold in enumerate(folds) if fold == left):
            number, sample = places[at]
            found = person_odds(scores[at] + biases[meaning_of(sample.word), sample.form])
            odds[number] = max(odds[number], found)
    mentions, corpus = (np.array([getattr(row, name) for row in people]) for name in ("mentions", "is_corpus"))
    groups = (~corpus & mentions, ~corpus & ~mentions, corpus & mentions, corpus & ~mentions)
    shown = [(f"{least:+.2f}", *(_share(odds[group] > least) for group in groups)) for least in _SHOWN]
    return aligned([("log-odds", "mentions linked", "others linked", "of the corpus", "others of it"), *shown])


def _share(linked: NDArray[np.bool_]) -> str:
    return f"{linked.mean():.3f} ({linked.sum()} of {len(linked)})"


def _tenths(values: Figures) -> list[int]:
    return [round(10 * float(value)) for value in values]


if __name__ == "__main__":
    main()
