"""Compiles regular expressions when they are first used, because a short command should not wait for all of them."""

from __future__ import annotations

import re
from functools import cache


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Returns the compiled pattern; compiles each pattern once."""
    return re.compile(pattern, flags)
