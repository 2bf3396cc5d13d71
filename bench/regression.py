"""Logistic regression for the small models that the package ships."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def regression(
    rows: NDArray[np.float64], labels: NDArray[np.float64], shrink: float, steps: int = 60
) -> NDArray[np.float64]:
    """Fits by Newton's method; every weight except the first is regularised by `shrink`."""
    import numpy as np

    weights = np.zeros(rows.shape[1])
    penalty = np.diag([1e-3] + [shrink] * (rows.shape[1] - 1))
    for _ in range(steps):
        likely = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (likely - labels) + penalty @ weights
        curve = (rows * (likely * (1 - likely))[:, None]).T @ rows + penalty
        weights = weights - np.linalg.solve(curve, slope)
    return weights


def softmax_regression(
    rows: Sequence[Sequence[int]],
    labels: NDArray[np.int64],
    counts: NDArray[np.float64],
    shrink: float,
    steps: int = 100,
    rate: float = 0.1,
) -> NDArray[np.float64]:
    """Fits one weight per feature and label by Adam; each row has the numbers of its features and counts `counts`."""
    import numpy as np

    features = np.concatenate([np.array(row, dtype=np.int64) for row in rows])
    owners = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    size, kinds = int(features.max()) + 1, int(labels.max()) + 1
    targets = np.eye(kinds)[labels]
    weights, mean, spread = (np.zeros((size, kinds)) for _ in range(3))
    for step in range(1, steps + 1):
        scores = np.stack([np.bincount(owners, weights[features, k], len(rows)) for k in range(kinds)], 1)
        likely = np.exp(scores - scores.max(axis=1, keepdims=True))
        errors = (likely / likely.sum(axis=1, keepdims=True) - targets) * counts[:, None]
        slope = np.stack([np.bincount(features, errors[owners, k], size) for k in range(kinds)], 1) + shrink * weights
        slope /= len(rows)
        mean, spread = 0.9 * mean + 0.1 * slope, 0.999 * spread + 0.001 * slope**2
        weights = weights - rate * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.999**step)) + 1e-10)
    return weights
