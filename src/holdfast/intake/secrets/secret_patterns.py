"""Shared by all searches for secrets: patterns compiled on first use, and the spans of secrets."""

from __future__ import annotations

import re
from functools import cache

from holdfast.core.local_text import REMOVED_MARK


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    # ASCII, so that a Chinese sentence, which has no spaces, is not taken for the rest of a key.
    return re.compile(pattern, re.ASCII)


class SecretSpan:
    """The place of a secret in a text, its kind, and its rank: the lower, the more specific.

    Not a named tuple: creating that class takes longer than loading all rules, in every new process.
    """

    __slots__ = ("end", "kind", "rank", "start")

    def __init__(self, start: int, end: int, rank: int, kind: str) -> None:
        self.start, self.end, self.rank, self.kind = start, end, rank, kind

    @property
    def placeholder(self) -> str:
        return f"{REMOVED_MARK}{self.kind}]"
