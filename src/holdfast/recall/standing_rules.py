"""Tells rules that hold for every task from those that were said about one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.core.memory import Memory

# Of the rules that were only overheard and are meant to last, at most this many are given unasked.
MOST_OVERHEARD = 3
# How people say that a rule is meant to last, beyond the task at hand.
_LASTING = (
    "always", "never", "everywhere", "wherever", "whenever", "from now on", "going forward", "as a rule", "in future",
    "toujours", "jamais", "partout", "désormais", "dorénavant", "à l'avenir",
)  # fmt: skip


def is_meant_to_last(memory: Memory) -> bool:
    """Is it a preference, or worded as a rule for more than the task at hand?"""
    text = memory.content.lower()
    return memory.type == "preference" or any(phrase in text for phrase in _LASTING)


def is_settled(memory: Memory) -> bool:
    return memory.scope == "global" and not memory.needs_review and not memory.contradicts
