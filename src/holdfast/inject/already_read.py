"""Leaves out what an agent has read already, in the instruction files that its program loads by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.text.patterns import compiled

if TYPE_CHECKING:
    from holdfast.core.memory import Memory

_WORD = r"\w+"
# Fewer words than this occur in any file.
_FEWEST = 3


class Instructions:
    """The text of the instruction files, to be compared word by word."""

    def __init__(self, text: str) -> None:
        self._words = _words(text)

    def say(self, memory: Memory) -> bool:
        """Do the files contain the words of a memory in a row? An imported one may begin with a heading of its file."""
        if not self._words:
            return False
        content = memory.content
        texts = [_words(content), _words(content.partition(": ")[2])]
        return any(text in self._words for text in texts if text.count(" ") > _FEWEST)


def _words(text: str) -> str:
    """The words of a text, each with a blank before and after it; empty if there is none."""
    found = compiled(_WORD).findall(text.casefold())
    return f" {' '.join(found)} " if found else ""
