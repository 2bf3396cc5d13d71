"""Chooses the weights of the measures from a small grid, by the mean figure over the data sets.

A grid of simple weights rather than an optimum: the sets do not agree on more than that, and what is fitted closely to
some sets is worse on others. So that this can be seen, each set is also measured with the weights that the other sets
choose, and with the best of those that leave out one of the measures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from bench.recall.figures import reciprocal_rank
from bench.recall.plain import ByMeaning, ByWords, Hybrid
from bench.recall.pool import Pool
from bench.recall.vectors import KeptVectors

from holdfast.recall.weigh.measures import BM25, CONTEXT, MEANING, REPLY, SESSION, SHARE, SPEAKER
from training.fit.stores import Case, FitStore

WeightsOf = Mapping[str, float]
HITS = 10
# BM25 and the matched share, varied together because both measure the same words.
_NO_WORDS = (0.0, 0.0)
_WORDS = (_NO_WORDS, (0.3, 0.3), (0.4, 0.4), (0.6, 0.3), (0.5, 0.5), (0.3, 0.6))
_CONTEXTS = (0.0, 0.3, 0.45, 0.6)
_SESSIONS = (0.0, 0.5, 1.0)
_SPEAKERS = (0.0, 0.2, 0.4)
# Not varied: too few of the questions ask for what the assistant said.
_REPLY = 0.2
_VARIED = (MEANING.name, BM25.name, SHARE.name, CONTEXT.name, SESSION.name, SPEAKER.name)
GRID: tuple[WeightsOf, ...] = tuple(
    {**dict(zip(_VARIED, (meaning, *words, *others), strict=True)), REPLY.name: _REPLY if others[-1] else 0.0}
    for meaning, words, *others in product((1.0, 0.0), _WORDS, _CONTEXTS, _SESSIONS, _SPEAKERS)
    if meaning or words != _NO_WORDS
)
# The measures that the ablation leaves out, and those that the weights must use otherwise.
PARTS = {
    "meaning": (MEANING.name,),
    "words": (BM25.name, SHARE.name),
    "context": (CONTEXT.name,),
    "session": (SESSION.name,),
    "speaker": (SPEAKER.name,),
}


def places(without: str = "") -> list[int]:
    """The places of the grid with every measure that a choice may not leave out, or without one part."""
    needed = [PARTS[part][0] for part in ("meaning", "words") if part != without]
    left_out = PARTS.get(without, ())
    return [
        place
        for place, weights in enumerate(GRID)
        if all(weights[name] for name in needed) and not any(weights[name] for name in left_out)
    ]


@dataclass(frozen=True, slots=True)
class SetFigures:
    """The figures of one set with each of the weights of the grid, with the shipped weights, and of plain hybrid."""

    grid: tuple[float, ...]
    shipped: float
    hybrid: float


def figures_of(pool: Pool, stores: Sequence[FitStore], vectors: KeptVectors, shipped: WeightsOf) -> SetFigures:
    """Ranks the candidates of each question of a set with each of the weights."""
    first, cases, hybrid = pool.kind == "code", [], []
    for store in stores:
        plain = Hybrid(store.pool, (ByWords(store.pool), ByMeaning(store.pool, vectors)))
        rows = {unit.key: row for row, unit in enumerate(store.pool.units)}
        for question in store.pool.answerable:
            if right := store.right(question):
                cases.append(store.case(question.text, right, store.near(question.text)))
                hybrid.append(figure([rows[key] for key in plain.rank(question)[:HITS]], right, first))
    grid = tuple(mean_figure(cases, weights, first) for weights in GRID)
    return SetFigures(grid, mean_figure(cases, shipped, first), float(np.mean(hybrid)))


def mean_figure(cases: Iterable[Case], weights: WeightsOf, first: bool) -> float:
    """The mean figure of these questions with those weights."""
    ranked = ((case.rows[case.order(weights)[:HITS]].tolist(), case.right) for case in cases)
    return float(np.mean([figure(rows, right, first) for rows, right in ranked]))


def figure(ranked: Sequence[int], right: frozenset[int], first: bool) -> float:
    """The reciprocal rank of the first answer if only that counts, else the share of the answers in the first ten."""
    if first:
        return reciprocal_rank(right, ranked, HITS)
    return len(right.intersection(ranked[:HITS])) / min(len(right), HITS)


def best(sets: Mapping[str, SetFigures], without: str = "", part: str = "") -> int:
    """The place in the grid of the weights with the highest mean over all sets except one; the first of equals.

    With `part`, among the weights that leave that part out.
    """
    among = places(part)
    means = np.mean([of.grid for name, of in sets.items() if name != without], axis=0)
    return among[int(np.argmax(means[among]))]
