"""Gradient boosting with small trees for a yes-or-no question, in numpy: for fits on a few thousand rows.

A tree of depth three is stored as seven splits and eight leaves. Split n has the splits 2n+1 and 2n+2 below it; a row
goes right if its measure is greater than the threshold.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
DEPTH = 3
_SPLITS = 2**DEPTH - 1


@dataclass(frozen=True, slots=True)
class BoostingSettings:
    """How much is fitted. Each tree sees a share of the rows and of the measures."""

    trees: int = 220
    rate: float = 0.06
    rows: float = 0.5
    measures: float = 0.2
    shrink: float = 2.0
    least_rows: float = 6.0
    seed: int = 1


@dataclass(frozen=True, slots=True)
class BoostedTrees:
    """The log-odds before any tree, and the trees: (measures, thresholds, leaves) of each."""

    bias: float
    trees: tuple[tuple[NDArray[np.int64], Floats, Floats], ...]

    def log_odds(self, rows: Floats) -> Floats:
        total = np.full(len(rows), self.bias)
        for measures, thresholds, leaves in self.trees:
            total += leaves[_leaf_numbers(rows, measures, thresholds)]
        return total


def boosted(rows: Floats, answers: Floats, weights: Floats, settings: BoostingSettings | None = None) -> BoostedTrees:
    """Fits trees, one after another, to what the ones before left unexplained."""
    settings = settings or BoostingSettings()
    random = np.random.default_rng(settings.seed)
    mean = float(np.average(answers, weights=weights))
    bias = float(np.log(mean / (1 - mean)))
    edges = [_edges(column) for column in rows.T]
    score = np.full(len(rows), bias)
    trees = []
    for _ in range(settings.trees):
        likely = 1 / (1 + np.exp(-score))
        seen = weights * (random.random(len(rows)) < settings.rows)
        gradient, curvature = (answers - likely) * seen, likely * (1 - likely) * seen
        used = np.flatnonzero(random.random(rows.shape[1]) < settings.measures)
        tree = _tree(rows, gradient, curvature, seen, [(int(n), edges[n]) for n in used], settings)
        score += tree[2][_leaf_numbers(rows, tree[0], tree[1])]
        trees.append(tree)
    return BoostedTrees(bias, tuple(trees))


def _edges(column: Floats, most: int = 12) -> Floats:
    """The thresholds tried for a measure: between its values, at most a dozen."""
    values = np.unique(column)
    between = (values[1:] + values[:-1]) / 2
    return between if len(between) <= most else np.unique(np.quantile(column, np.linspace(0.05, 0.95, most)))


def _tree(
    rows: Floats,
    gradient: Floats,
    curvature: Floats,
    seen: Floats,
    candidates: list[tuple[int, Floats]],
    settings: BoostingSettings,
) -> tuple[NDArray[np.int64], Floats, Floats]:
    measures, thresholds = np.zeros(_SPLITS, np.int64), np.full(_SPLITS, np.inf)
    node = np.zeros(len(rows), np.int64)
    for number in range(_SPLITS):
        inside = np.flatnonzero(node == number)
        best = _split(rows[inside], gradient[inside], curvature[inside], seen[inside], candidates, settings)
        if best is not None:
            measures[number], thresholds[number] = best
        node[inside] = 2 * number + 1 + (rows[inside, measures[number]] > thresholds[number])
    leaves = np.zeros(_SPLITS + 1)
    for leaf in range(_SPLITS + 1):
        inside = node == _SPLITS + leaf
        leaves[leaf] = settings.rate * gradient[inside].sum() / (curvature[inside].sum() + settings.shrink)
    return measures, thresholds, leaves


def _split(
    rows: Floats,
    gradient: Floats,
    curvature: Floats,
    seen: Floats,
    candidates: list[tuple[int, Floats]],
    settings: BoostingSettings,
) -> tuple[int, float] | None:
    """The measure and the threshold that explain most; None if none leaves enough rows on both sides."""
    best, found = 1e-6, None
    whole = gradient.sum() ** 2 / (curvature.sum() + settings.shrink)
    for measure, edges in candidates:
        right = rows[:, measure, None] > edges
        sums = [part @ right for part in (gradient, curvature, seen)]
        rest = [part.sum() - side for part, side in zip((gradient, curvature, seen), sums, strict=True)]
        gains = sum(side[0] ** 2 / (side[1] + settings.shrink) for side in (sums, rest)) - whole
        gains = np.where((sums[2] >= settings.least_rows) & (rest[2] >= settings.least_rows), gains, 0.0)
        if len(gains) and gains.max() > best:
            best, found = float(gains.max()), (measure, float(edges[gains.argmax()]))
    return found


def _leaf_numbers(rows: Floats, measures: NDArray[np.int64], thresholds: Floats) -> NDArray[np.int64]:
    node = np.zeros(len(rows), np.int64)
    for _ in range(DEPTH):
        node = 2 * node + 1 + (rows[np.arange(len(rows)), measures[node]] > thresholds[node])
    leaves: NDArray[np.int64] = node - _SPLITS
    return leaves
