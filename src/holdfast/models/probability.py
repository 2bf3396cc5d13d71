"""Turns the raw score of a model into a probability."""

from __future__ import annotations

import math


def logistic(score: float) -> float:
    """Returns `1 / (1 + e^-score)`; 0 where that would overflow."""
    return 1 / (1 + math.exp(-score)) if score > -700 else 0.0
