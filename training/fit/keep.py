"""Fits the model that decides what is worth keeping: `python -m training.fit.keep --write`.

Reads the labelled conversations of `bench/sets/kept` (never a test part), prints cross-validated figures, in which the
sentences of one conversation are left out together, and writes the model into the package.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from bench.conversation.extract import DATA
from bench.conversation.kept import TALKS

from holdfast.bench.reports import aligned
from holdfast.learn.keep.keep_features import is_binding
from holdfast.learn.keep.keep_model import FEATURES, KINDS, WEIGHTS, KeepModel, TalkKind, context_rows
from holdfast.models.choice import bundled_embedder
from training.fit.keep_pages import LABELS, FitPage, opinion, pages, understood
from training.fit.logistic import logistic, sigmoid, sparse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

_LEAST_COUNT = 3
_PENALTY, _CONTEXT_PENALTY, _LABEL_PENALTY = 5.0, 15.0, 2.0
# A vector has length one; its numbers are small beside features, so they are scaled before the penalty.
_VECTOR_SCALE = 2.5
_WEIGHT_OF = {"forms": 3.0, "chats": 2.0}
# Labellers differ in strictness; the estimates in context are to be those of the one who labelled the measured parts.
_WEIGHT_OF_FIRST_LABELLER = 4.0
_FOLDS, _INNER = 5, 3
# Required precision on left-out conversations; that of others is lower.
_PRECISION, _BRIEF_PRECISION = {"project": 0.80, "personal": 0.79}, 0.93
# Sessions with coding agents have a precision of their own: at 0.80 hardly anything would be learned from them.
_AGENT_PRECISION, _AGENT = 0.65, KINDS.index("project, agent")
_LEAST_BRIEF = 0.38
# Limits of thresholds, by the place of the kind of talk and whether the sentence binds. What was measured is not what
# people import: few of the chats decide nothing (the decoys of sde-bench), few scenes among friends are in the part
# that chooses, and what is said in passing in meetings is seldom understood alone.
_BOUNDS = {
    2 * KINDS.index("project, chat"): (0.75, 1.0),
    2 * KINDS.index("project, chat") + 1: (0.5, 1.0),
    2 * KINDS.index("project, people"): (0.4, 1.0),
    2 * KINDS.index("personal, people"): (0.75, 0.8),
}
_STEPS = [round(0.95 - 0.025 * n, 3) for n in range(27)]
_SMALLEST, _SMALLEST_OF_LABEL = 0.05, 0.15
# Log-odds by features from which a sentence is read: about one of twenty kept sentences is below. In project talk more
# is said in passing, so more is read there.
_READ_FROM = {"project": -4.0, "personal": -3.0}


@dataclass(frozen=True, slots=True)
class Examples:
    """All sentences of the pages as numbers, in their order."""

    pages: Sequence[FitPage]
    vocabulary: Mapping[str, int]
    rows: Any
    kept: Floats
    known: Bools
    weight: Floats
    read: Floats
    understood: Bools

    def of_page(self, values: Sequence[Any]) -> Any:
        """One value of each page, repeated for its sentences."""
        return np.repeat(np.array(values), [len(page.views) for page in self.pages])


def examples(
    found: Sequence[FitPage],
    drop: Callable[[str], bool] = lambda _: False,
    vectors: bool = True,
    reader: bool = True,
) -> Examples:
    """The pages as numbers; `drop` leaves out features by name."""
    known = [(own, label) for page in found for own, label in zip(page.names, page.labels, strict=True)]
    counts = Counter(name for own, label in known if label for name in own if not drop(name))
    vocabulary = {name: n for n, name in enumerate(sorted(name for name in counts if counts[name] >= _LEAST_COUNT))}
    numbered = [[vocabulary[name] for name in own if name in vocabulary] for own, _ in known]
    texts = [view.sentence.text for page in found for view in page.views]
    dense = np.asarray(bundled_embedder("static").embed(texts)) * np.float32(_VECTOR_SCALE) if vectors else None
    labels = [label for _, label in known]
    weights = [_WEIGHT_OF.get(page.chat.origin, 1.0) for page in found for _ in page.views]
    return Examples(
        found,
        vocabulary,
        sparse(numbered, len(vocabulary), dense),
        np.array([float(label not in ("", "n")) for label in labels]),
        np.array([label != "" for label in labels]),
        np.array(weights),
        np.array([opinion(page, n) if reader else 0.0 for page in found for n in range(len(page.views))]),
        np.array([one for page in found for one in understood(page)]),
    )


@dataclass(frozen=True, slots=True)
class Fitted:
    """The weights of the features, of the reader, of project talk and of the context."""

    alone: Floats
    reading: Mapping[str, float]
    project: Mapping[str, float]
    context: Floats


def fit(all: Examples, use: Bools) -> Fitted:
    """Fits on the sentences of `use`; the estimates that are weighed and read in context come from left-out pages."""
    project = _fit_project([page for page, used in zip(all.pages, _by_page(all, use), strict=True) if used])
    inner = all.of_page([page.fold(_INNER, "inner") for page in all.pages])
    first = np.zeros(len(use))
    for fold in range(_INNER):
        weights = _fit_alone(all, use & (inner != fold))
        first[inner == fold] = all.rows[inner == fold] @ weights
    train = use & all.known
    reading = _fit_reading(all, first, train, project)
    context = np.array(_context(all, _weighed(all, first, reading, project), project), np.float32)
    return Fitted(
        _fit_alone(all, use),
        reading,
        project,
        logistic(context[train], all.kept[train], _CONTEXT_PENALTY, _context_weight(all)[train]),
    )


def _context_weight(all: Examples) -> Floats:
    first = all.of_page([page.part == "train" for page in all.pages])
    return np.asarray(all.weight * np.where(first, _WEIGHT_OF_FIRST_LABELLER, 1.0))


def estimate(all: Examples, fitted: Fitted, use: Bools) -> Floats:
    """The probabilities of the sentences of whole pages."""
    first = np.zeros(len(use))
    first[use] = all.rows[use] @ fitted.alone
    rows = np.array(
        _context(all, _weighed(all, first, fitted.reading, fitted.project), fitted.project, _by_page(all, use))
    )
    estimates = np.zeros(len(use))
    estimates[use] = sigmoid(rows[use] @ fitted.context)
    return estimates


def left_out(all: Examples) -> Floats:
    """The probability of each sentence from a model that has not seen its conversation."""
    fold = all.of_page([page.fold(_FOLDS) for page in all.pages])
    found = np.zeros(len(fold))
    for number in range(_FOLDS):
        test = fold == number
        found[test] = estimate(all, fit(all, ~test), test)[test]
    return found


def least(all: Examples, found: Floats) -> list[list[float]]:
    """The probabilities required in each kind of talk, of sentences that do not bind and of those that do.

    Those with the highest recall at the required precision of learned lines on left-out conversations.
    """
    found = np.where(all.understood, found, 0.0)
    group = 2 * _kinds(all).argmax(axis=1) + np.array([is_binding(own) for page in all.pages for own in page.names])
    brief = all.known & (group >= 2 * KINDS.index("brief"))
    written = all.of_page([page.part == "written" for page in all.pages])
    own = {talk: np.array([kind.startswith(talk) for kind in KINDS])[group // 2] for talk in TALKS}
    agents = group // 2 == _AGENT
    parts = [(mask & own[talk] & ~agents, _PRECISION[talk]) for talk, mask in _masks(all).items()]
    parts.append((brief & written, _BRIEF_PRECISION))
    published = all.of_page([page.part == "published" for page in all.pages])
    if published.any():
        parts.append((all.known & agents & published, _AGENT_PRECISION))
    required = np.ones(2 * len(KINDS))
    for mask, precision in parts:
        for number, value in _thresholds(found[mask], all.kept[mask], group[mask], precision).items():
            required[number] = value
    # Few written sentences of this kind are of the moment, fewer than people say.
    required[2 * KINDS.index("brief") :] = np.maximum(required[2 * KINDS.index("brief") :], _LEAST_BRIEF)
    return [[round(float(value), 3) for value in pair] for pair in required.reshape(-1, 2)]


def _thresholds(found: Floats, kept: Floats, group: NDArray[np.int64], precision: float) -> dict[int, float]:
    """One threshold for each group: the highest recall of all groups together at the required precision."""
    # For each number of chosen sentences the most right ones, and the thresholds that choose them.
    best: dict[int, tuple[int, dict[int, float]]] = {0: (0, {})}
    for number in np.unique(group):
        more: dict[int, tuple[int, dict[int, float]]] = {}
        low, high = _BOUNDS.get(int(number), (0.0, 1.0))
        for at in (step for step in _STEPS if low <= step <= high):
            chosen = (group == number) & (found >= at)
            for count, (right, thresholds) in best.items():
                all_right = right + int(kept[chosen].sum())
                if all_right > more.get(count + int(chosen.sum()), (-1, {}))[0]:
                    more[count + int(chosen.sum())] = all_right, {**thresholds, int(number): at}
        best = more
    enough = [(right, -count, thresholds) for count, (right, thresholds) in best.items() if right >= precision * count]
    return max(enough, key=lambda each: each[:2])[2]


def figures(all: Examples, found: Floats) -> list[tuple[str, ...]]:
    """Precision and recall of learned lines on left-out conversations at the thresholds."""
    learned = np.where(all.understood, found, 0.0)
    binding = np.array([int(is_binding(own)) for page in all.pages for own in page.names])
    required = np.array(least(all, found))[_kinds(all).argmax(axis=1), binding]
    rows: list[tuple[str, ...]] = [("talk", "precision", "recall", "average precision")]
    for talk, mask in _masks(all).items():
        rows.append((talk, *_scores(found[mask], learned[mask], all.kept[mask], required[mask])))
        for origin in dict.fromkeys(page.chat.origin for page in all.pages if page.chat.talk == talk):
            part = mask & all.of_page([page.chat.origin == origin for page in all.pages])
            if part.any():
                rows.append((f"  {origin}", *_scores(found[part], learned[part], all.kept[part], required[part])))
    for origin in ("published", "chats", "forms"):
        part = all.known & all.of_page([page.chat.origin == origin for page in all.pages])
        if part.any():
            rows.append((f"all {origin}", *_scores(found[part], learned[part], all.kept[part], required[part])))
    return rows


def _kinds(all: Examples) -> Floats:
    """The share of each kind of talk for each sentence."""
    project = _fit_project(all.pages)
    talk = KeepModel({}, (), project, (), {}, {}, ())
    shares = [TalkKind.of(page.views, talk.project_talk(page.names)).shares for page in all.pages for _ in page.views]
    return np.array(shares)


def model(all: Examples, required: Sequence[Sequence[float]]) -> KeepModel:
    """Fits on everything."""
    fitted = fit(all, np.ones(len(all.kept), np.bool_))
    width = len(all.vocabulary)
    return KeepModel(
        _named(all.vocabulary, fitted.alone[:width]),
        [round(float(value) * _VECTOR_SCALE, 2) for value in fitted.alone[width:]],
        fitted.project,
        [round(float(value), 4) for value in fitted.context],
        _fit_labels(all),
        {name: round(value, 4) for name, value in fitted.reading.items()},
        required,
    )


def _fit_alone(all: Examples, use: Bools) -> Floats:
    train = use & all.known
    return logistic(all.rows[train], all.kept[train], _PENALTY, all.weight[train])


def _fit_reading(all: Examples, odds: Floats, train: Bools, project: Mapping[str, float]) -> dict[str, float]:
    """The weights of the log-odds by features and of the reader's."""
    chosen = train & (odds >= _read_from(all, project)) & ~np.isnan(all.read)
    rows = np.stack([np.ones(len(odds)), odds, all.read], 1)[chosen].astype(np.float32)
    weights = logistic(rows, all.kept[chosen], 1.0, all.weight[chosen])
    return {**_READ_FROM, **dict(zip(("bias", "words", "reader"), map(float, weights), strict=True))}


def _read_from(all: Examples, project: Mapping[str, float]) -> Floats:
    """The log-odds by features from which each sentence is read."""
    talk = KeepModel({}, (), project, (), {}, {}, ())
    kinds = (TalkKind.of(page.views, talk.project_talk(page.names)) for page in all.pages)
    return np.asarray(all.of_page([_READ_FROM[kind.talk] for kind in kinds]))


def _weighed(all: Examples, odds: Floats, reading: Mapping[str, float], project: Mapping[str, float]) -> Floats:
    """The probabilities by features and the reader."""
    read = reading["bias"] + reading["words"] * odds + reading["reader"] * all.read
    return np.asarray(sigmoid(np.where((odds < _read_from(all, project)) | np.isnan(read), odds, read)))


def _fit_project(found: Sequence[FitPage]) -> dict[str, float]:
    """The weight of each word for talk about a project; that of the empty word is the bias."""
    known = [page for page in found if page.chat.talk]
    texts = [{name for own in page.names for name in own if " " not in name} for page in known]
    counts = Counter(word for text in texts for word in text)
    words = {word: n for n, word in enumerate(sorted(word for word in counts if counts[word] >= _LEAST_COUNT))}
    dense = np.zeros((len(known), len(words) + 1), np.float32)
    dense[:, -1] = 1
    for n, text in enumerate(texts):
        present = [words[word] for word in text if word in words]
        dense[n, present] = 3 / np.sqrt(max(1, len(present)))
    weights = logistic(dense, np.array([float(page.chat.talk == "project") for page in known]), 1.0)
    return {**_named(words, weights[:-1]), "": round(float(weights[-1]), 3)}


def _fit_labels(all: Examples) -> dict[str, dict[str, float]]:
    """The weights of each label against the others, fitted on kept sentences."""
    kept = all.known & (all.kept > 0)
    labels = np.array([label for page in all.pages for label in page.labels])[kept]
    rows = all.rows[kept][:, : len(all.vocabulary)]
    return {
        label: _named(
            all.vocabulary, logistic(rows, (labels == label).astype(float), _LABEL_PENALTY), _SMALLEST_OF_LABEL
        )
        for label in LABELS
    }


def _named(names: Mapping[str, int], weights: Floats, smallest: float = _SMALLEST) -> dict[str, float]:
    return {name: round(float(weights[n]), 2) for name, n in names.items() if abs(weights[n]) >= smallest}


def _context(
    all: Examples, first: Floats, project: Mapping[str, float], use: Sequence[bool] | None = None
) -> list[list[float]]:
    talk = KeepModel({}, (), project, (), {}, {}, ())
    rows: list[list[float]] = []
    width = len(context_rows([0.5], all.pages[0].views[:1], TalkKind(0.5))[0])
    for n, page in enumerate(all.pages):
        if use is not None and not use[n]:
            rows += [[0.0] * width] * len(page.views)
            continue
        alone = [float(value) for value in first[len(rows) : len(rows) + len(page.views)]]
        if page.views:
            rows += context_rows(alone, page.views, TalkKind.of(page.views, talk.project_talk(page.names)))
    return rows


def _by_page(all: Examples, use: Bools) -> list[bool]:
    starts = np.cumsum([0, *(len(page.views) for page in all.pages)])
    return [bool(use[start:end].any()) for start, end in pairwise(starts)]


def _masks(all: Examples) -> dict[str, Bools]:
    """The labelled sentences of real project and personal talk in the proportions in which they were drawn."""
    train = all.of_page([page.part == "train" for page in all.pages])
    return {talk: all.known & train & all.of_page([page.chat.talk == talk for page in all.pages]) for talk in TALKS}


def _scores(found: Floats, learned: Floats, kept: Floats, required: Floats) -> tuple[str, str, str]:
    chosen = learned >= required
    right = (kept[chosen] > 0).sum()
    order = np.argsort(-found)
    share = np.cumsum(kept[order]) / np.arange(1, len(order) + 1)
    average = (share * kept[order]).sum() / max(1, kept.sum())
    return f"{right / max(1, chosen.sum()):.2f}", f"{right / max(1, kept.sum()):.2f}", f"{average:.3f}"


VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "all": {},
    "without the reader": {"reader": False},
    "without vectors": {"vectors": False},
    "without neighbours": {"drop": lambda name: name.startswith(("before :", "after :"))},
    "without words": {"drop": lambda name: ":" not in name and "≥" not in name and name != "always"},
    "without patterns": {"drop": lambda name: ":" in name},
}


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--clones", type=Path, nargs="*", default=[], help="clones that publish labelled sessions")
    parser.add_argument("--write", action="store_true", help="write the model into the package")
    parser.add_argument("--ablation", action="store_true", help="also leave out each group of features in turn")
    options = parser.parse_args(argv)
    found = pages(options.data, options.clones)
    for name, variant in VARIANTS.items() if options.ablation else [("all", {})]:
        all = examples(found, **variant)
        estimates = left_out(all)
        print(f"{name}\n{aligned(figures(all, estimates))}\n", flush=True)
        if options.write and not variant:
            _write(model(all, least(all, estimates)))


def _write(fitted: KeepModel) -> None:
    names = ("least", "reading", "context", "vector", "labels", "project")
    groups = ",\n".join(f'"{name}":{_compact(getattr(fitted, name))}' for name in names)
    for file, text in ((WEIGHTS, f"{{\n{groups}\n}}\n"), (FEATURES, f"{_compact(fitted.features)}\n")):
        Path(file).write_text(text, encoding="utf-8")
        print(f"{Path(file).name} written, {len(text.encode()):,} bytes")


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    main()
