"""Translates French texts into English word by word, so that English models understand what they are about.

A gloss is no translation: word order and endings are lost. But a model that hardly knows French finds a French note by
its gloss (docs/research/embedder.md).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from holdfast.text.patterns import compiled
from holdfast.text.stemming import looks_french

_FILE = os.path.join(os.path.dirname(__file__), "data", "french.tsv")
# The gloss of a word to leave out, and the mark before a form of a verb that is also another word.
_LEFT_OUT, VERB = "-", "*"
# After these, a word is a verb: "on livre" delivers, "le livre" is a book.
_BEFORE_VERBS = frozenset("je j' tu il elle on nous vous ils elles qui ne n' se s' y".split())
_LONGEST_TEXT, _LONGEST_EXPRESSION = 4_000, 5
_WORDS = r"(?i)\b(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quelqu)'(?=\w)|\w+(?:-\w+)*|[.!?:;\n]"
_SENTENCE_END = frozenset(".!?:;\n")


def in_english(text: str) -> str:
    """The gloss of a French text; any other text as it is."""
    return gloss(text) if looks_french(text) else text


def gloss(text: str) -> str:
    """The English words for the words of a French text, in their order; unknown words and names stay as they are."""
    return " ".join(_glossed(compiled(_WORDS).findall(text[:_LONGEST_TEXT].replace("’", "'"))))


def _glossed(tokens: Sequence[str]) -> Iterator[str]:
    words = [token.lower() for token in tokens]
    at = 0
    while at < len(tokens):
        length, found = _longest(words, at)
        if found is None or _is_name(tokens, at):
            found, length = tokens[at], 1
        if found != _LEFT_OUT:
            yield found
        at += length


def _longest(words: Sequence[str], at: int) -> tuple[int, str | None]:
    """The length and the gloss of the longest known expression that begins here; 1 and None if none is known."""
    known = _forms()
    for length in range(min(_LONGEST_EXPRESSION, len(words) - at), 1, -1):
        found = known.get(" ".join(words[at : at + length]).replace("' ", "'"))
        if found is not None:
            return length, found
    word = words[at]
    as_verb = known.get(VERB + word) if at and words[at - 1] in _BEFORE_VERBS else None
    return 1, as_verb or known.get(word) or known.get(_singular(word))


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith(("s", "x")) else word


def _is_name(tokens: Sequence[str], at: int) -> bool:
    """Is a word written with a capital although no sentence begins with it?"""
    return tokens[at][0].isupper() and at > 0 and tokens[at - 1] not in _SENTENCE_END


@cache
def _forms() -> Mapping[str, str]:
    with open(_FILE, encoding="utf-8") as opened:
        fields = opened.read().replace("\n", "\t").split("\t")
    return dict(zip(fields[::2], fields[1::2], strict=False))
