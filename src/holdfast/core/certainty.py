"""How certainly a hit answers a query, in one word for people and prompts; programs use the evidence itself."""

from __future__ import annotations

from enum import StrEnum

# The lowest evidence of each level. Below LIKELY_FROM a hit is a maybe.
SURE_FROM = 0.75
LIKELY_FROM = 0.4


class Certainty(StrEnum):
    """The levels of certainty."""

    SURE = "sure"
    LIKELY = "likely"
    MAYBE = "maybe"


# From the lowest to the highest.
LEVELS = (Certainty.MAYBE, Certainty.LIKELY, Certainty.SURE)


def certainty(evidence: float) -> Certainty:
    """Returns the level for an evidence: the estimated probability, 0 to 1, that a hit answers the query."""
    if evidence >= SURE_FROM:
        return Certainty.SURE
    return Certainty.LIKELY if evidence >= LIKELY_FROM else Certainty.MAYBE
