"""Prints the thresholds of the reader of statements: `python -m bench.thresholds [--errors 0.02] [--sets unseen,…]`.

For each rate of errors (pairs about different things that are called a change) the log-odds from which a change is
applied, and the share of the changes that reach them: of the reader alone, as for what people teach (`update`), and of
the weighed odds of conversations (`change`). After training a reader, write the chosen ones into
`relations.json` in `models/data/holdfast-embed`, and its hash into the card: `python -m training.card FOLDER`. With
`--weights`, the weights of conversations are fitted again first, on pairs of real conversations
(`bench/sets/updates/overheard.jsonl`, measures without texts) and on the written pairs.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.regression import regression
from holdfast.bench.reports import aligned
from holdfast.models.reader import nearness, read_change, second_opinion
from holdfast.statements.odds import RelationWeights, relation_limits

SETS = Path(__file__).parent / "sets" / "updates"
WRITTEN = "unseen,worlds_unseen"
ERRORS = (0.01, 0.02, 0.03, 0.05)
_SHRINK = 0.01
# A pair of a real conversation about different things counts as often as this many written pairs: there are many more.
_REAL = 3


@dataclass(frozen=True, slots=True)
class MeasuredPair:
    """A labelled pair with the log-odds of both readers, the nearness, and the number of words of the older one."""

    real: bool
    relation: str
    first: float
    second: float
    near: float
    words: int

    def odds(self, weights: RelationWeights) -> float:
        """The weighed log-odds of a change; -inf where the first reader sees none."""
        limits = relation_limits()
        read = min(limits.most, self.first), min(limits.most, self.second)
        return weights.odds(*read, self.near, self.words) if self.first >= limits.least_read else -math.inf


def measured(sets: str = WRITTEN) -> Iterator[MeasuredPair]:
    """The pairs of real conversations as they were measured, and the written ones, which are read."""
    for row in _rows("overheard"):
        yield MeasuredPair(True, row["relation"], row["first"], row["second"], row["near"], row["words"])
    for row in (row for name in sets.split(",") for row in _rows(f"pairs_{name}")):
        pair = row["new"], row["old"]
        read = read_change(*pair), second_opinion(*pair), nearness(*pair)
        yield MeasuredPair(False, row["relation"], *read, len(row["old"].split()))


def fitted(pairs: Sequence[MeasuredPair]) -> RelationWeights:
    """The weights of conversations. Pairs that say the same, and those without a conflict, are left out."""
    least = relation_limits().least_read
    used = [pair for pair in pairs if pair.first >= least and pair.relation != "same"]
    used += [pair for pair in used if pair.real and pair.relation == "different"] * (_REAL - 1)
    rows = np.array([[1.0, p.first, p.second, p.near, math.log(1 + p.words)] for p in used])
    labels = np.array([float(p.relation != "different") for p in used])
    return RelationWeights(*(round(float(weight), 3) for weight in regression(rows, labels, _SHRINK)))


def thresholds(
    pairs: Sequence[MeasuredPair], score: Callable[[MeasuredPair], float], errors: Sequence[float]
) -> Iterator[tuple[str, ...]]:
    """For each rate of errors: the threshold, the share of changes applied, and the real pairs that it gets wrong."""
    different = sorted((score(p) for p in pairs if not p.real and p.relation == "different"), reverse=True)
    changes = [score(p) for p in pairs if not p.real and p.relation == "update"]
    for rate in errors:
        least = different[int(rate * len(different))]
        wrong = sum(score(p) > least for p in pairs if p.real and p.relation == "different")
        yield f"{rate:.2f}", f"{least:.2f}", f"{np.mean([odds > least for odds in changes]):.3f}", str(wrong)


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SETS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--errors", type=float, nargs="+", default=ERRORS, help="rates of errors")
    parser.add_argument("--sets", default=WRITTEN, help="the written pairs, by name")
    parser.add_argument("--weights", action="store_true", help="fit the weights of conversations again")
    options = parser.parse_args()
    pairs = list(measured(options.sets))
    weights = fitted(pairs) if options.weights else relation_limits().weights
    head = ("errors", "threshold", "applied", "real pairs wrong")
    print("update", aligned([head, *thresholds(pairs, lambda pair: pair.first, options.errors)]), sep="\n")
    print("change", weights, aligned([head, *thresholds(pairs, lambda p: p.odds(weights), options.errors)]), sep="\n")


if __name__ == "__main__":
    main()
