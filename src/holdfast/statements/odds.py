"""How likely a newer statement changes an older one, by the readers. All of this may raise ModelError.

What people teach is judged by the reader of statements alone. Of the statements in real conversations that are near
each other hardly one in a hundred changes the other, so there its log-odds are weighed with those of the second reader,
with the nearness of the two, and with the length of the older one. Weights and thresholds are data beside the models
(`relations.json`); `python -m bench.thresholds` prints them for a fixed rate of errors.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache

from holdfast.core.errors import ModelDamaged
from holdfast.core.frozen import frozen
from holdfast.models.reader import limits_of_relations, nearness, read_change, second_opinion
from holdfast.statements.change_words import EVENTS
from holdfast.statements.parsing import read
from holdfast.text.similarity import content_words

_CACHED = 2_048


@frozen
class RelationWeights:
    """The weights of what is known about two statements of a conversation; their sum are the log-odds of a change."""

    bias: float
    first: float
    second: float
    near: float
    length: float

    def odds(self, first: float, second: float, near: float, words: int) -> float:
        """The log-odds, given those of both readers, the nearness, and the number of words of the older statement."""
        read_odds = self.first * first + self.second * second
        return self.bias + read_odds + self.near * near + self.length * math.log(1 + words)


@frozen
class RelationLimits:
    """The thresholds of the readers.

    Statements are read from the nearness `near` on. Of what people teach, the log-odds `update` retire the older
    statement, and `clash` report a contradiction; if words tell it too, `agreed` and `clash_told` are enough. `doubt`
    report a contradiction for a person to check. `near_count` is the minimum nearness of two counts of the same things.
    Of conversations, the weighed log-odds `change` tell a change, `change_doubted` one in words of doubt, and
    `change_sure` one that no word tells; `change_learned` are enough to learn a sentence only for what it changes. If
    words tell it too, `clash` of the first reader is enough. There the log-odds of a reader count at most `most`,
    nothing changed below `least_read` of the first, and what tells a change is at least as near as `near_told`.
    """

    near: float
    update: float
    agreed: float
    clash: float
    doubt: float
    clash_told: float
    near_count: float
    most: float
    least_read: float
    near_told: float
    weights: RelationWeights
    change: float
    change_doubted: float
    change_sure: float
    change_learned: float


@cache
def relation_limits() -> RelationLimits:
    """The thresholds that belong to the readers of the package."""
    found = limits_of_relations()
    try:
        return RelationLimits(**{**found, "weights": RelationWeights(**found["weights"])})
    except (KeyError, TypeError) as error:
        raise ModelDamaged(f"relations.json: {error}") from error


@lru_cache(maxsize=_CACHED)
def overheard_odds(new: str, old: str, told: bool = False, least: float = -math.inf) -> float:
    """The log-odds that a statement of a conversation changes an older one.

    `told` is set if it is known to tell a change, whether or not it names what it changes. Log-odds below `least` may
    be given as -inf: what can only end there is not read, or only by the second reader, which has half as many layers.
    """
    limits, near, words = relation_limits(), nearness(new, old), len(old.split())
    near = max(near, limits.near_told) if told or tells_change(new, old) else near
    odds, most = limits.weights.odds, limits.most
    if odds(most, most, near, words) < least:
        return -math.inf
    second = min(most, second_opinion(new, old))
    if odds(most, second, near, words) < least:
        return -math.inf
    first = read_change(new, old)
    return odds(min(most, first), second, near, words) if first >= limits.least_read else -math.inf


def tells_change(new: str, old: str) -> bool:
    """Does the newer statement say that something changed, and share a word of content with the older one?"""
    return bool(read(new).change.kinds & EVENTS) and not content_words(new).isdisjoint(content_words(old))
