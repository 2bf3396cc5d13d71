"""Splits a text into its sentences and lines, by the marks at their ends.

What a person typed is split by `learn/keep/sentences.py`, which knows abbreviations, code and lists.
"""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.text.patterns import compiled

# Where anything may end, so that a text can be cut there; and where prose goes on with a new sentence.
_ANY_END = r"(?<=[.!?])\s+|(?<=[。！？])|\n+"
_BEFORE_CAPITAL = r"(?<=[.!?])\s+(?=[\"'`A-ZÀ-Ý])|\n+"


def sentence_ends(text: str) -> Iterator[int]:
    """The positions behind each sentence and line, with the blank space after it."""
    return (found.end() for found in compiled(_ANY_END).finditer(text))


def split_anywhere(text: str) -> list[str]:
    """The parts of a text between all marks and line ends, also those after an abbreviation."""
    return _parts(_ANY_END, text)


def split_prose(text: str) -> list[str]:
    """The sentences of a text: a mark ends one only if a capital, a quotation or code follows."""
    return _parts(_BEFORE_CAPITAL, text)


def _parts(end: str, text: str) -> list[str]:
    return [bare for part in compiled(end).split(text) if (bare := part.strip())]
