"""Plans a search by words: which of the query's words to look for, and what a match is worth.

Engines answer a query of common words slowly, so the rarest words are looked for first. Nothing here reads a store.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

# Words as an engine writes them, each with the number of passages that contain it; the rarest first.
CountedWords = list[tuple[int, str]]

# A word is counted in at most this many of the oldest and of the newest passages; beyond that, its count is estimated.
COUNTED = 300
# BM25 is used while the index has to read no more than this many times the effort.
_POSTINGS = 10


def rarest(counted: CountedWords, effort: int) -> CountedWords:
    """The rarest words whose counts sum up to no more than `effort`."""
    rows = 0
    for at, (count, _) in enumerate(counted):
        rows += count
        if rows > effort:
            return counted[:at]
    return counted


def most_together(counted: CountedWords, total: int, limit: int) -> int:
    """How many of the words, the rarest first, should still occur together in `limit` of `total` passages."""
    together = 1.0
    for at, (count, _) in enumerate(counted):
        together *= count / total
        if total * together < limit:
            return max(1, at)
    return len(counted)


def is_cheap(counted: CountedWords, total: int, effort: int) -> bool:
    """Whether ranking the passages that contain all the words by BM25 stays within the effort."""
    together = total * math.prod(count / total for count, _ in counted)
    return together <= effort and sum(count for count, _ in counted) <= _POSTINGS * effort


def estimated_count(oldest: int, newest: int, total: int) -> int:
    """How many passages contain a word that occurs `COUNTED` times in the `oldest` and in the `newest` passages."""
    return int(COUNTED * total * (1 / oldest + 1 / newest) / 2)


def bm25_weight(counted: CountedWords, total: int) -> float:
    """The BM25 score of a passage of average length that contains each of the words once."""
    return sum(max(1e-6, math.log((total - count + 0.5) / (count + 0.5))) for count, _ in counted if count < total)


def summed_rarity(counted: CountedWords, containing: Iterable[str], total: int) -> dict[str, float]:
    """Sums, per passage, the rarity (IDF) of the words it contains.

    `containing` lists for each word its passages, newest first, as numbers joined by commas: splitting one text is
    faster than reading a row per passage. The keys keep the numbers as text for the same reason.
    """
    sums: dict[str, float] = {}
    for (count, _), passages in zip(counted, containing, strict=True):
        rarity = math.log1p((total + 1) / (count + 0.5))
        found = dict.fromkeys(reversed(passages.split(",")), rarity) if passages else {}
        # Few passages contain two words, so only those are added one by one.
        for passage in found.keys() & sums.keys():
            found[passage] += sums[passage]
        sums |= found
    return sums
