"""PageRank of documents by the links between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import mul, sub

DAMPING = 0.85
TOLERANCE = 1e-6
ITERATIONS = 50


def pagerank(documents: Sequence[str], links: Iterable[tuple[str, str]]) -> dict[str, float]:
    """Returns the probability that a reader who follows links is at each document; the sum is 1.

    Ignores repeated links and links to or from unknown documents. Spreads the rank of a document without outgoing links
    over all documents. Stops when a round changes the ranks by less than 1e-6 in total, at the latest after 50 rounds.
    """
    if not documents:
        return {}
    number = {document: place for place, document in enumerate(documents)}
    pairs = {(number[a], number[b]) for a, b in links if a != b and a in number and b in number}
    incoming: list[list[int]] = [[] for _ in documents]
    degrees = [0] * len(documents)
    for source, target in sorted(pairs):
        incoming[target].append(source)
        degrees[source] += 1
    return dict(zip(documents, _ranks(incoming, degrees), strict=True))


def _ranks(incoming: Sequence[Sequence[int]], degrees: Sequence[int]) -> list[float]:
    """Iterates until the ranks converge. Importing numpy would take longer than ranking ten thousand documents."""
    count = len(degrees)
    ranks = [1 / count] * count
    shares = [DAMPING / degree if degree else 0.0 for degree in degrees]
    ends = [place for place, degree in enumerate(degrees) if not degree]
    for _ in range(ITERATIONS):
        spread = (1 - DAMPING + DAMPING * sum(map(ranks.__getitem__, ends))) / count
        passed = list(map(mul, ranks, shares))
        after = [spread + sum(map(passed.__getitem__, sources)) for sources in incoming]
        moved = sum(map(abs, map(sub, after, ranks)))
        ranks = after
        if moved < TOLERANCE:
            break
    return ranks
