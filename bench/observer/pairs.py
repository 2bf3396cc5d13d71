"""Judges pairs of files by later sessions, and draws random pairs to compare them with."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from itertools import islice

# The number of random pairs drawn for each dependency, and the minimum number of equally popular files to draw from.
_DRAWN, _TRIES, _LEAST_ALIKE = 100, 2_000, 10


def borne_out(pairs: Sequence[tuple[str, ...]], later: Sequence[frozenset[str]]) -> float:
    """The share of pairs that a later session changes together, of those of which one changes either file."""
    judged = [pair for pair in pairs if any(set(pair) & edited for edited in later)]
    kept = sum(any(set(pair) <= edited for edited in later) for pair in judged)
    return kept / len(judged) if judged else 0.0


def random_pairs(pairs: Sequence[tuple[str, ...]], counts: Mapping[str, int]) -> list[tuple[str, ...]]:
    """For each pair a hundred others of files as popular: changed in as many sessions, or nearly where few are.

    Promoted pairs are not drawn: a file that many sessions change has few others like it, and the promoted pair itself
    would be compared with itself.
    """
    draw, promoted = random.Random(0), {frozenset(pair) for pair in pairs}
    drawn: list[tuple[str, ...]] = []
    for pair in (pair for pair in pairs if all(path in counts for path in pair)):
        alike = [_as_popular(path, counts) for path in pair]
        tried = (tuple(draw.choice(paths) for paths in alike) for _ in range(_TRIES))
        others = (other for other in tried if len(set(other)) == 2 and frozenset(other) not in promoted)
        drawn += islice(others, _DRAWN)
    return drawn


def _as_popular(path: str, counts: Mapping[str, int]) -> list[str]:
    same = sorted(other for other in counts if counts[other] == counts[path])
    nearest = sorted(counts, key=lambda other: (abs(math.log(counts[other] / counts[path])), other))
    return same if len(same) >= _LEAST_ALIKE else nearest[:_LEAST_ALIKE]
