"""What the searches share: patterns compiled when first used, and the spans that they find."""

from __future__ import annotations

import re
from functools import cache


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    # Why ASCII: a Chinese sentence has no spaces, and must not be taken for the rest of a key.
    return re.compile(pattern, re.ASCII)


class SecretSpan:
    """Where a secret stands in a text, its kind, and how specific that is: the lower the rank, the more.

    Why no named tuple: making the class would take longer than loading all the rules, in every fresh process.
    """

    __slots__ = ("end", "kind", "rank", "start")

    def __init__(self, start: int, end: int, rank: int, kind: str) -> None:
        self.start, self.end, self.rank, self.kind = start, end, rank, kind

    @property
    def placeholder(self) -> str:
        return f"[secret:{self.kind}]"
