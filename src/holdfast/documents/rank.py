"""PageRank: which documents the others lead to (R-D4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import mul, sub

DAMPING = 0.85
TOLERANCE = 1e-6
ITERATIONS = 50


def pagerank(documents: Sequence[str], links: Iterable[tuple[str, str]]) -> dict[str, float]:
    """How likely a reader who follows links is at each document; all together 1.

    Links to and from others are left out, a link counts once. What a document without links would pass on is spread
    over all. Ends when a round changes less than 1e-6 in all, after 50 rounds at the latest.
    """
    if not documents:
        return {}
    number = {document: place for place, document in enumerate(documents)}
    pairs = {(number[a], number[b]) for a, b in links if a != b and a in number and b in number}
    leading: list[list[int]] = [[] for _ in documents]
    degrees = [0] * len(documents)
    for source, target in sorted(pairs):
        leading[target].append(source)
        degrees[source] += 1
    return dict(zip(documents, _settled(leading, degrees), strict=True))


def _settled(leading: Sequence[Sequence[int]], degrees: Sequence[int]) -> list[float]:
    """The ranks after enough rounds. Why without numpy: importing it takes longer than ranking ten thousand."""
    count = len(degrees)
    ranks = [1 / count] * count
    shares = [DAMPING / degree if degree else 0.0 for degree in degrees]
    ends = [place for place, degree in enumerate(degrees) if not degree]
    for _ in range(ITERATIONS):
        spread = (1 - DAMPING + DAMPING * sum(map(ranks.__getitem__, ends))) / count
        passed = list(map(mul, ranks, shares))
        after = [spread + sum(map(passed.__getitem__, sources)) for sources in leading]
        moved = sum(map(abs, map(sub, after, ranks)))
        ranks = after
        if moved < TOLERANCE:
            break
    return ranks
