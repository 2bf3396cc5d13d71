"""Logistic regression on sparse and dense numbers, with numpy only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Numbers = NDArray[np.int64]

_REMEMBERED = 8
_STEPS = 60
_ENOUGH = 1e-6


@dataclass(frozen=True, slots=True)
class Rows:
    """Examples: the numbers of the features that each has, and dense columns after them."""

    columns: Numbers
    owners: Numbers
    count: int
    width: int
    dense: NDArray[np.float32] | None = None

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]], width: int, dense: NDArray[np.float32] | None = None) -> Rows:
        columns = np.array([column for row in rows for column in row], np.int64)
        return cls(columns, np.repeat(np.arange(len(rows)), [len(row) for row in rows]), len(rows), width, dense)

    @classmethod
    def of_dense(cls, dense: NDArray[np.float32]) -> Rows:
        nothing = np.zeros(0, np.int64)
        return cls(nothing, nothing, len(dense), 0, dense)

    @property
    def total_width(self) -> int:
        return self.width + (self.dense.shape[1] if self.dense is not None else 0)

    def take(self, use: NDArray[np.bool_]) -> Rows:
        """The examples of a mask."""
        own = use[self.owners]
        number = np.cumsum(use) - 1
        dense = self.dense[use] if self.dense is not None else None
        return Rows(self.columns[own], number[self.owners[own]], int(use.sum()), self.width, dense)

    def sparse(self) -> Rows:
        """The same examples without the dense columns."""
        return Rows(self.columns, self.owners, self.count, self.width)

    def dot(self, weights: Floats) -> Floats:
        """The sum of the weights of each example."""
        sums = np.bincount(self.owners, weights=weights[self.columns], minlength=self.count).astype(np.float64)
        return sums if self.dense is None else sums + self.dense @ weights[self.width :].astype(np.float32)

    def gradient(self, wrong: Floats) -> Floats:
        """The sum over the examples of each feature."""
        sums = np.bincount(self.columns, weights=wrong[self.owners], minlength=self.width).astype(np.float64)
        return sums if self.dense is None else np.concatenate([sums, wrong.astype(np.float32) @ self.dense])


def sigmoid(scores: Floats) -> Floats:
    result: Floats = 1 / (1 + np.exp(-np.clip(scores, -30, 30)))
    return result


def logistic(rows: Rows, labels: Floats, penalty: float, importance: Floats | None = None) -> Floats:
    """The weights that make the labels most probable, with a penalty on the squares of the weights."""
    weight = np.ones(len(labels)) if importance is None else importance

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = rows.dot(weights)
        value = (weight * (np.logaddexp(0, scores) - labels * scores)).sum() + penalty / 2 * (weights @ weights)
        return float(value), rows.gradient(weight * (sigmoid(scores) - labels)) + penalty * weights

    return _minimum(loss, np.zeros(rows.total_width))


def _minimum(loss: Callable[[Floats], tuple[float, Floats]], at: Floats) -> Floats:
    """L-BFGS with backtracking."""
    value, slope = loss(at)
    moves: list[tuple[Floats, Floats]] = []
    for _ in range(_STEPS):
        direction = -_curved(slope, moves)
        step = 1.0 if moves else min(1.0, 1 / float(np.abs(slope).sum()))
        while True:
            there = at + step * direction
            new_value, new_slope = loss(there)
            if new_value <= value + 1e-4 * step * float(slope @ direction) or step < 1e-10:
                break
            step /= 2
        move, change = there - at, new_slope - slope
        if move @ change > 1e-12:
            moves = [*moves[-_REMEMBERED + 1 :], (move, change)]
        finished = abs(value - new_value) < _ENOUGH * max(1.0, abs(value))
        at, value, slope = there, new_value, new_slope
        if finished:
            break
    return at


def _curved(slope: Floats, moves: Sequence[tuple[Floats, Floats]]) -> Floats:
    """The slope times the inverse of the curvature that the last moves showed."""
    result = slope.copy()
    parts = []
    for move, change in reversed(moves):
        part = (move @ result) / (change @ move)
        parts.append(part)
        result -= part * change
    if moves:
        move, change = moves[-1]
        result *= (move @ change) / (change @ change)
    for (move, change), part in zip(moves, reversed(parts), strict=True):
        result += move * (part - (change @ result) / (change @ move))
    return result
