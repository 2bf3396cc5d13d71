"""Logistic regression for the small models that the package ships."""

from __future__ import annotations

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
