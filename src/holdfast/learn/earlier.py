"""Quotes behind a statement the older one that it replaces, where that one says more than what changed.

`I've moved to Rotterdam. (Before: I live in Utrecht with my cat Luna.)` Otherwise the cat would be lost: no rule knows
which part of a statement still holds, but whoever reads both does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdfast.statements.parsing import read
from holdfast.text.similarity import content_words

if TYPE_CHECKING:
    from holdfast.core.memory import Memory

# An older statement is quoted if it has this many words of content that the newer one lacks: one is the outdated value.
_LEAST_LOST = 3
_LONGEST = 300
_QUOTED = re.compile(r" \((?:Before:|Avant :) .*\)$", re.DOTALL)
_DUE = re.compile(r" \(due \d{4}-\d\d-\d\d\)$")  # the day that was added to a commitment


def with_earlier(text: str, replaced: Sequence[Memory]) -> str:
    """The text, with the statements that it replaces quoted behind it if they say more."""
    older = [_DUE.sub("", without_earlier(memory.content)) for memory in replaced]
    quoted = " / ".join(old for old in older if len(old) <= _LONGEST and _says_more(old, text))
    if not quoted:
        return text
    # Both texts: a short statement often has no word that tells its language.
    return f"{text} (Avant : {quoted})" if read(f"{text} {quoted}").french else f"{text} (Before: {quoted})"


def without_earlier(text: str) -> str:
    """What a memory states now, without the older statement quoted behind it."""
    return _QUOTED.sub("", text)


def _says_more(old: str, new: str) -> bool:
    return len(content_words(old) - content_words(new)) >= _LEAST_LOST
