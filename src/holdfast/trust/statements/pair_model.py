"""Estimates from the measures of two statements how likely they cannot both hold: boosted trees of depth three."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from holdfast.core.frozen import frozen

FOLDER = Path(__file__).parent / "data"
WORDS, READ = FOLDER / "pairs.json", FOLDER / "read_pairs.json"
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


def reader_measures(scores: Sequence[float], near: float) -> dict[str, float]:
    """The measures of the reader's scores of the relations `different`, `update`, `contradiction` and `same`.

    `near` is the cosine of the statements: the reader has seen few statements that have nothing to do with each other.
    """
    total = math.log(sum(map(math.exp, scores)))
    different, update, contradiction, same = (score - total for score in scores)
    conflict = math.log(math.exp(update) + math.exp(contradiction)) - math.log(math.exp(different) + math.exp(same))
    return {
        "near": near,
        "reader: conflict": conflict,
        "reader: different": different,
        "reader: update": update,
        "reader: contradiction": contradiction,
        "reader: same": same,
    }


@cache
def bundled_pair_model(file: Path = WORDS) -> PairModel:
    """A model of the package: by words, or by words and the reader (READ). `bench/pairs_fit.py` fits them."""
    fields = json.loads(file.read_text(encoding="utf-8"))
    trees = tuple((tree["measures"], tree["thresholds"], tree["leaves"]) for tree in fields["trees"])
    return PairModel(fields["bias"], fields["names"], trees, fields["least"])
