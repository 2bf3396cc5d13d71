"""Logistic regression by scikit-learn, which is installed only where models are fitted.

The shipped weights of `keep` and `names` were fitted by solvers of our own with the same loss: L-BFGS, and 100 steps of
Adam. A new fit gives other digits, for names other weights too, because Adam was ended early. Measure before you write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_MOST_STEPS = 500


def logistic(rows: Any, labels: NDArray[Any], penalty: float, importance: Floats | None = None) -> Floats:
    """The weights that make the labels most probable, with a penalty on half of their squares and no intercept.

    `rows` is an array or a sparse matrix. Two labels give one weight per column, more give a row of weights for each.
    """
    from sklearn.linear_model import LogisticRegression

    fitted = LogisticRegression(C=1 / penalty, fit_intercept=False, max_iter=_MOST_STEPS)
    weights: Floats = fitted.fit(rows, labels, sample_weight=importance).coef_
    return weights[0] if len(weights) == 1 else weights


def sparse(found: Any, width: int, dense: NDArray[np.float32] | None = None) -> Any:
    """A sparse matrix with the numbers of the features that each row has, and dense columns after them."""
    from scipy.sparse import csr_matrix, hstack

    columns = np.array([column for row in found for column in row], np.int64)
    owners = np.repeat(np.arange(len(found)), [len(row) for row in found])
    made = csr_matrix((np.ones(len(columns)), (owners, columns)), shape=(len(found), width))
    return made if dense is None else hstack([made, csr_matrix(dense)], format="csr")


def sigmoid(scores: Floats) -> Floats:
    shares: Floats = 1 / (1 + np.exp(-np.clip(scores, -30, 30)))
    return shares
