"""Reads the files that a task will probably need, so that an agent starts with them instead of looking for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from holdfast.core.answer import Pack, Trace
from holdfast.core.citation import one_line
from holdfast.core.frozen import frozen
from holdfast.system.project import relative

if TYPE_CHECKING:
    from holdfast.models.protocols import TokenCounter

MOST_FILES = 12
BUDGET = 32_000
_MOST_CHARACTERS = 3_000
_CUT = "\n… [cut here; read the file for the rest]"
HEADING = "## Files\nSessions with similar tasks needed these files first.\n"
_TRACE = Trace("prefetch")


@frozen
class Prefetch:
    """Reads predicted files. `predict` returns paths, the most probable first; `redact` removes secrets."""

    predict: Callable[[str, str], Sequence[str]]
    tokens: TokenCounter
    redact: Callable[[str], str]
    root: str

    def build(self, task: str, branch: str = "", budget: int | None = None) -> Pack:
        """The contents of at most twelve files within the budget, each cut at 3,000 characters."""
        most = BUDGET if budget is None else budget
        used = self.tokens.count(HEADING)
        parts: list[str] = []
        for path in self.predict(task, branch)[:MOST_FILES]:
            part = self._file(path)
            cost = self.tokens.count(part) + 2 if part else 0
            if part and used + cost <= most:
                parts.append(part)
                used += cost
        text = HEADING + "\n".join(parts) if parts else ""
        return Pack(text, (), self.tokens.count(text), most, _TRACE)

    def _file(self, path: str) -> str:
        """A file with its path as heading; empty if it cannot be read, is no text, or is outside the project."""
        full = os.path.realpath(os.path.join(self.root, path))
        if relative(full, os.path.realpath(self.root)) is None or not os.path.isfile(full):
            return ""
        try:
            with open(full, encoding="utf-8") as opened:
                content = opened.read(_MOST_CHARACTERS + 1)
        except (OSError, UnicodeDecodeError):
            return ""
        if "\0" in content:
            return ""
        cut = len(content) > _MOST_CHARACTERS
        content = self.redact(content[:_MOST_CHARACTERS]) + (_CUT if cut else "")
        fence = "`" * max(3, _longest_run(content, "`") + 1)
        return f"### {one_line(path)}\n{fence}\n{content.rstrip()}\n{fence}"


def _longest_run(text: str, sign: str) -> int:
    longest = current = 0
    for letter in text:
        current = current + 1 if letter == sign else 0
        longest = max(longest, current)
    return longest
