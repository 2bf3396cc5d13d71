"""Removes the sentences of a text that repeat erased texts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from holdfast.text.patterns import compiled
from holdfast.text.stop_words import STOP_WORDS

# The share of a sentence's words that two sentences have in common if they say the same.
_SAME = 0.7
_FEWEST_WORDS = 3
_ENDS = ".!?…。！？"
_WORD = r"\w+"


class SentenceRemoval:
    """Removes sentences that repeat one of the given texts, and leaves `mark` in their place."""

    def __init__(self, texts: Iterable[str], mark: str = "") -> None:
        self._mark = mark
        kept = [text for text in texts if compiled(_WORD).search(text)]
        self._plain = tuple({_plain(text) for text in kept})
        self._sentences = tuple({_words(sentence) for text in kept for sentence, _ in _sentences(text)} - {frozenset()})
        self.words = frozenset(word for text in kept for word in _words(text, every=True))

    def repeats(self, text: str) -> bool:
        """Does the text contain one of the texts word for word, apart from case, spacing and punctuation?"""
        plain = f" {_plain(text)} "
        return any(f" {gone} " in plain for gone in self._plain)

    def clean(self, text: str) -> str:
        """The text without the sentences that say the same as one of the texts."""
        if self.words.isdisjoint(_words(text, every=True)):
            return text
        clean = "".join(
            (self._mark if self._says(sentence) else sentence) + space for sentence, space in _sentences(text)
        )
        # Finds a text that is spread over several sentences, or is part of a longer one.
        return self._mark if self.repeats(clean) else clean

    def clean_json(self, text: str) -> str:
        """JSON with all its texts cleaned; other text is cleaned as it is."""
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return self.clean(text)
        clean = self._clean_value(value)
        return text if clean == value else json.dumps(clean, ensure_ascii=False)

    def _clean_value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.clean(value)
        if isinstance(value, dict):
            return {self.clean(name): self._clean_value(inner) for name, inner in value.items()}
        return [self._clean_value(inner) for inner in value] if isinstance(value, list) else value

    def _says(self, sentence: str) -> bool:
        words = _words(sentence)
        if self.repeats(sentence):
            return True
        return any(_is_same(words, gone) for gone in self._sentences)


def _is_same(words: frozenset[str], gone: frozenset[str]) -> bool:
    if min(len(words), len(gone)) < _FEWEST_WORDS:
        return False
    # "Crane 3" and "crane 4" are two things.
    if {word for word in words if word.isdigit()} != {word for word in gone if word.isdigit()}:
        return False
    return len(words & gone) >= _SAME * min(len(words), len(gone))


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    """The sentences and lines of a text, each with the blank space after it."""
    start = 0
    for space in compiled(r"\s+").finditer(text):
        if "\n" in space[0] or text[space.start() - 1] in _ENDS:
            yield text[start : space.start()], space[0]
            start = space.end()
    yield text[start:], ""


def _words(text: str, *, every: bool = False) -> frozenset[str]:
    found = compiled(_WORD).findall(text.casefold())
    return frozenset(word for word in found if every or word not in STOP_WORDS)


def _plain(text: str) -> str:
    return " ".join(re.findall(_WORD, text.casefold()))
