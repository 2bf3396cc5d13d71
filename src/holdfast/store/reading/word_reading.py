"""Looking up words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

# Further words or phrases for some of the words of a query.
Variants = Mapping[str, Sequence[str]]


class WordReading(Protocol):
    """Tells how common words are, and which known words resemble others."""

    def frequencies(self, words: Sequence[str], variants: Variants = ...) -> Mapping[str, int]:
        """How many passages of all projects contain each word or one of its variants.

        Exact up to some hundreds, then estimated. Counts are cached until the store has grown by one percent.
        """
        ...

    def families(self, words: Sequence[str], *, french: bool = False) -> Mapping[str, tuple[str, ...]]:
        """Known words of the same stem as each word, such as `deployments` for `deploy`; only words that have some.

        Leaves out plain inflections, which the index matches anyway. Cached until the store grows.
        """
        ...

    def spelt_like(self, word: str, limit: int = 3) -> tuple[str, ...]:
        """The known words that a misspelt word most likely means, best first; none if the word itself is known.

        Allows one typing error, two from eight letters on. Takes about a millisecond at any size, then is cached.
        """
        ...
