"""Estimates from the measures of two statements how likely they cannot both hold: boosted trees of depth three."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from holdfast.core.frozen import frozen

WORDS = Path(__file__).parent / "data" / "pairs.json"
_SPLITS = 7  # of a tree; its eight leaves follow them


@frozen
class PairModel:
    """The trees with the names of their measures, and the log-odds before any tree.

    `least` are the probabilities from which a pair is doubtful, a contradiction, and a replacement.
    """

    bias: float
    names: Sequence[str]
    trees: Sequence[tuple[Sequence[int], Sequence[float], Sequence[float]]]
    least: Mapping[str, float]

    def likely(self, measures: Mapping[str, float]) -> float:
        """The probability that the two statements cannot both hold; a missing measure counts as 0."""
        row = [measures.get(name, 0.0) for name in self.names]
        total = self.bias
        for numbers, thresholds, leaves in self.trees:
            place = 0
            while place < _SPLITS:
                place = 2 * place + 1 + (row[numbers[place]] > thresholds[place])
            total += leaves[place - _SPLITS]
        return 1 / (1 + math.exp(-total))


@cache
def bundled_pair_model() -> PairModel:
    """The model of the package, which compares words. `bench/pairs_fit.py` fits it."""
    fields = json.loads(WORDS.read_text(encoding="utf-8"))
    trees = tuple((tree["measures"], tree["thresholds"], tree["leaves"]) for tree in fields["trees"])
    return PairModel(fields["bias"], fields["names"], trees, fields["least"])
