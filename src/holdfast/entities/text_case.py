"""A text in which words are judged, with its words in order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from holdfast.text.names import NameToken

_START = re.compile(r"(?:^|[.!?:;…\n\r•\"“«(\[])[\s\"'“”«»(\[*_>#-]*(?:\d+[.)]\s*)?$|^[\s>*#-]*$")


class TextCase:
    """A text and its words; places outside the text are empty."""

    def __init__(self, text: str, tokens: Sequence[NameToken]) -> None:
        self.text = text
        self.tokens = tokens

    @cached_property
    def informative(self) -> bool:
        """Do capitals mean anything here? In a title or a shout they say nothing about names."""
        starts = [self.text[token.start] for token in self.tokens if self.text[token.start].isalpha()]
        capitals = sum(letter.isupper() for letter in starts)
        return any(map(str.islower, starts)) and (len(starts) < 4 or capitals <= 0.6 * len(starts))

    def word(self, place: int) -> str:
        """The folded word at a place."""
        return self.tokens[place].word if 0 <= place < len(self.tokens) else ""

    def written(self, place: int) -> str:
        """The word at a place as written."""
        return self.text[self.tokens[place].start : self.tokens[place].end] if 0 <= place < len(self.tokens) else ""

    def gap(self, place: int) -> str:
        """The characters between a word and the next."""
        end = self.tokens[place + 1].start if place + 1 < len(self.tokens) else len(self.text)
        return self.text[self.tokens[place].end : end]

    def is_capitalised(self, place: int) -> bool:
        """Does the word begin with a capital letter?"""
        return 0 <= place < len(self.tokens) and self.text[self.tokens[place].start].isupper()

    def starts_sentence(self, place: int) -> bool:
        """Is the word the first of a sentence or a line?"""
        at = self.tokens[place].start
        return _START.search(self.text[max(0, at - 12) : at]) is not None and (at <= 12 or self._ends_before(at))

    def _ends_before(self, at: int) -> bool:
        # The pattern sees twelve characters; `^` matches their beginning, which is none of the text.
        return re.search(r"[.!?:;…\n\r•\"“«(\[]", self.text[max(0, at - 12) : at]) is not None
