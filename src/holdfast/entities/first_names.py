"""Lists of first names: those that are nothing else, and those that are also words, months, places or products."""

from __future__ import annotations

from functools import cache

from holdfast.entities.known_names import read_data

# Titles before the name of a person, folded.
TITLES = frozenset(
    "mr mrs ms miss dr prof professor doctor mme mlle monsieur madame mademoiselle docteur professeur maitre me m"
    " sr sra herr frau sir senor senora signor signora nurse captain coach judge inspector officer pastor".split()
)

# A name before one of these is a place or a thing.
PLACE_WORDS = frozenset(
    "arbor avenue street st road rd river bay city hotel airport county university college inc gmbh ltd llc park"
    " bridge square station island lake hospital school museum prize award".split()
)


@cache
def first_names() -> frozenset[str]:
    """Returns first names that are hardly used as words, folded."""
    return frozenset(read_data("first_names.txt").split())


@cache
def ambiguous_names() -> frozenset[str]:
    """Returns names that are also common words, months, places or products, folded: mark, may, paris."""
    return frozenset(read_data("ambiguous_names.txt").split())
