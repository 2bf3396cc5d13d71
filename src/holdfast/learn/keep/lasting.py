"""Finds the sentences of one prompt that may be worth keeping, by their words alone and fast enough for a hook.

An agent that is asked about them decides better than any model that fits into this package (decision 0082).
"""

from __future__ import annotations

from holdfast.core.clock import LONG_AGO
from holdfast.core.conversation import Message
from holdfast.learn.keep.keep_features import features, views
from holdfast.learn.keep.keep_model import bundled_features, odds_by_features
from holdfast.learn.keep.turns import split_into_turns

# The end of the message before, where an agent asks.
_BEFORE = 4_000
# Log-odds that a sentence is worth keeping, from its words; a probability of 0.9.
_LEAST = 2.2
_MOST = 3


def lasting_statements(prompt: str, before: str = "") -> list[str]:
    """The sentences that are likely enough to be worth keeping, in order, at most three: the likeliest.

    `before` is what the agent said last: it makes sense of an answer.
    """
    said = [Message("1", "assistant", before[-_BEFORE:], LONG_AGO)] if before else []
    found = views(split_into_turns([*said, Message("2", "user", prompt, LONG_AGO)]))
    odds = odds_by_features(bundled_features(), features(found))
    likely = sorted(((score, n) for n, score in enumerate(odds) if score >= _LEAST and found[n].is_own), reverse=True)[
        :_MOST
    ]
    return [found[n].sentence.text for _, n in sorted(likely, key=lambda item: item[1])]
