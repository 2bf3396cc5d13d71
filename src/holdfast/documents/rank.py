"""PageRank: which documents the others lead to (R-D4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

DAMPING = 0.85
TOLERANCE = 1e-6
ITERATIONS = 50


def pagerank(documents: Sequence[str], links: Iterable[tuple[str, str]]) -> dict[str, float]:
    """How likely a reader who follows links is at each document; all together 1.

    Links to and from others are left out, a link counts once. What a document without links would pass on is spread
    over all. Ends when a round changes less than 1e-6 in all, after 50 rounds at the latest.
    """
    import numpy as np

    if not documents:
        return {}
    number = {document: place for place, document in enumerate(documents)}
    pairs = sorted({(number[a], number[b]) for a, b in links if a != b and a in number and b in number})
    sources, targets = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
    count = len(documents)
    degrees = np.bincount(sources, minlength=count)
    shares = DAMPING / np.maximum(degrees, 1)
    ranks = np.full(count, 1 / count)
    for _ in range(ITERATIONS):
        spread = (1 - DAMPING + DAMPING * ranks[degrees == 0].sum()) / count
        after = spread + np.bincount(targets, (ranks * shares)[sources], minlength=count)
        moved = np.abs(after - ranks).sum()
        ranks = after
        if moved < TOLERANCE:
            break
    return dict(zip(documents, ranks.tolist(), strict=True))
