"""Fits the model that estimates how likely the best candidate answers, and measures when recall stays silent.

Each question is asked in stores of different sizes: with some of its answers, with all of them removed, and to a store
of another set ("foreign"). A question whose answers are in the store but not among the first ten teaches nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from bench.recall.pool import Question, spread

from holdfast.recall.evidence.answerability import mean_of_best, signals
from holdfast.recall.weigh.measures import MEANING, REPLY, SPEAKER
from training.fit.ranking import HITS, WeightsOf
from training.fit.stores import Case, FitStore

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]

Model = Mapping[str, float]
ASKED, WITHHELD, FOREIGN = "asked", "withheld", "foreign"
# Passages of a store; ALL is the complete store.
ALL = 0
SIZES = (1, 3, 10, 40, 200, 1000, ALL)
_FOREIGN_SIZES = (3, 40, 1000, ALL)
# The signals of each model, as in the data file: for candidates with a vector and for those without.
MODELS = {"near": ("near", "matched", "near above", "matched above"), "words": ("matched", "matched above")}
# At most this many questions of a set, foreign questions of each other set, and answers in a store.
_QUESTIONS, _FOREIGN_QUESTIONS, _ANSWERS = 300, 25, 3
_RIDGE = 0.01
# Added to the bias: hits without vectors are right less often, and one threshold serves both models.
_ADDED = {"near": 0.0, "words": -0.3}
_NOT_WORDS = {MEANING.name: 0.0, SPEAKER.name: 0.0, REPLY.name: 0.0}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question asked to a store: of which set and size, whether an answer is among the hits, and their signals.

    `signals` has a row for each of the first ten hits, the best first, and a column for each signal of the model.
    """

    model: str
    name: str
    size: int
    how: str
    found: bool
    signals: Floats

    @property
    def teaches(self) -> bool:
        return self.found or self.how != ASKED


def ask_all(stores: Mapping[str, Sequence[FitStore]], weights: Mapping[str, WeightsOf], seed: int = 1) -> list[Asked]:
    """Asks the questions of all sets. `weights` are those that rank the candidates of each set."""
    chance = np.random.default_rng(seed)
    rows: list[Asked] = []
    for name, of_set in stores.items():
        rows += _own(name, of_set, weights[name], chance)
        others = [
            question
            for other, found in stores.items()
            if other != name
            for question in spread([q for store in found for q in store.pool.answerable], _FOREIGN_QUESTIONS)
        ]
        rows += _foreign(name, of_set, others, weights[name], chance)
    return rows


def _own(name: str, stores: Sequence[FitStore], weights: WeightsOf, chance: np.random.Generator) -> Iterator[Asked]:
    pairs = [(store, question) for store in stores for question in store.pool.answerable if store.right(question)]
    for store, question in spread(pairs, _QUESTIONS):
        right, near = store.right(question), store.near(question.text)
        for size in _sizes(SIZES, store):
            for how in (ASKED, WITHHELD):
                present = drawn(len(store), right, size, how == ASKED, chance)
                if present.any():
                    case = store.case(question.text, right, near, present)
                    yield from _judged(name, size, how, case, weights)


def _foreign(
    name: str,
    stores: Sequence[FitStore],
    questions: Sequence[Question],
    weights: WeightsOf,
    chance: np.random.Generator,
) -> Iterator[Asked]:
    for place, question in enumerate(questions):
        store = stores[place % len(stores)]
        near = store.near(question.text)
        for size in _sizes(_FOREIGN_SIZES, store):
            present = drawn(len(store), frozenset(), size, False, chance)
            case = store.case(question.text, frozenset(), near, present)
            yield from _judged(name, size, FOREIGN, case, weights)


def _sizes(sizes: Sequence[int], store: FitStore) -> list[int]:
    return [size for size in sizes if size <= len(store)]


def drawn(total: int, right: frozenset[int], size: int, answered: bool, chance: np.random.Generator) -> Mask:
    """Draws the units of a store of that size: with up to three of the answers, or with none of them."""
    others = chance.permutation([row for row in range(total) if row not in right])
    kept = chance.permutation(sorted(right))[: min(_ANSWERS, max(1, size // 10) if size else _ANSWERS)]
    if not answered:
        kept = kept[:0]
    present = np.zeros(total, bool)
    present[others[: max(0, size - len(kept)) if size else total].astype(int)] = True
    present[kept.astype(int)] = True
    return present


def _judged(name: str, size: int, how: str, case: Case, weights: WeightsOf) -> Iterator[Asked]:
    """The hits with vectors, and those without, which are ranked by their words and must contain one of the query's."""
    by_words = [at for at in case.order({**weights, **_NOT_WORDS}) if case.matched[at] > 0]
    nothing = np.full(len(case.near), np.nan)
    for model, order, near in (("near", case.order(weights), case.near), ("words", by_words, nothing)):
        first = list(order[:HITS])
        if first:
            usual = mean_of_best(case.matched.tolist()), mean_of_best(near.tolist())
            found = [signals(float(case.matched[at]), float(near[at]), *usual) for at in first]
            values = np.array([[of[signal] for signal in MODELS[model]] for of in found])
            answered = not case.right.isdisjoint(case.rows[first].tolist())
            yield Asked(model, name, size, how, answered, values)


def fitted(rows: Sequence[Asked]) -> Model:
    """Fits a model to the best hit of each question; sets, sizes and kinds of question have the same weight."""
    model, used = rows[0].model, [row for row in rows if row.teaches]
    counts = Counter((row.name, row.size, row.how) for row in used)
    worth = np.array([1 / counts[row.name, row.size, row.how] for row in used])
    best = np.array([row.signals[0] for row in used])
    slope, bias = logistic(best, np.array([row.found for row in used], float), worth * len(used) / worth.sum())
    return {**dict(zip(MODELS[model], slope.tolist(), strict=True)), "bias": bias + _ADDED[model]}


def logistic(signals: Floats, true: Floats, weight: Floats, steps: int = 40) -> tuple[Floats, float]:
    """Fits a logistic model by Newton's method."""
    wide = np.column_stack((signals, np.ones(len(signals))))
    slope = np.zeros(wide.shape[1])
    for _ in range(steps):
        sure = 1 / (1 + np.exp(-(wide @ slope)))
        curve = wide.T @ (wide * (weight * sure * (1 - sure))[:, None]) + _RIDGE * np.eye(wide.shape[1])
        slope += np.linalg.solve(curve, wide.T @ (weight * (true - sure)) - _RIDGE * slope)
    return slope[:-1], float(slope[-1])


def evidence(row: Asked, model: Model) -> float:
    """The highest evidence of the first ten hits: recall answers if one of them has enough."""
    slope = np.array([model[name] for name in MODELS[row.model]])
    return float((1 / (1 + np.exp(-(row.signals @ slope + model["bias"])))).max())


@dataclass(frozen=True, slots=True)
class Silence:
    """How often recall is silent in stores of one size: with a right hit, with the answers removed, if foreign."""

    size: int
    shares: tuple[float, ...]


def apart(rows: Sequence[Asked]) -> dict[str, Model]:
    """For each set, the model that was fitted without it."""
    return {name: fitted([row for row in rows if row.name != name]) for name in {row.name for row in rows}}


def silences(rows: Sequence[Asked], models: Mapping[str, Model], threshold: float) -> list[Silence]:
    """The figures by size of the store, with the model of each set."""
    silent: dict[tuple[int, str], list[bool]] = {}
    for row in rows:
        if row.teaches:
            silent.setdefault((row.size, row.how), []).append(evidence(row, models[row.name]) < threshold)
    hows = (ASKED, WITHHELD, FOREIGN)
    return [Silence(size, tuple(_share(silent.get((size, how), [])) for how in hows)) for size in SIZES]


def _share(silent: Sequence[bool]) -> float:
    return float(np.mean(silent)) if silent else float("nan")
