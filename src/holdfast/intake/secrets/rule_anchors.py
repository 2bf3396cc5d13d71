"""Finds the literal anchors of secrets. A text without anchors has no secrets, so most texts need no pattern."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter

from holdfast.intake.secrets.checks import CARD_WORDS
from holdfast.intake.secrets.secret_names import STEMS
from holdfast.intake.secrets.secret_patterns import compiled
from holdfast.intake.secrets.secret_tokens import TOKEN_LENGTH, TOKEN_LETTERS
from holdfast.intake.secrets.shapes import ANCHORS, TOKEN_ANCHORS


def find_anchors(lowered: str) -> set[str]:
    """The anchors in a text. Anchors of tokens count only in long words, those of cards only near enough digits."""
    found = _anywhere(lowered)
    coded = lowered.encode("utf-8", "surrogatepass")
    if long_words := _long_words(coded):
        found.update(anchor for anchor in TOKEN_ANCHORS if anchor in long_words)
    if _may_hold_card(coded):
        found.update(word for word in CARD_WORDS if word in lowered)
    return found


# Anchors that count anywhere in a text.
_TEXT_ANCHORS = tuple(sorted({*STEMS, *ANCHORS} - {*TOKEN_ANCHORS, *CARD_WORDS}))
_ASCII_ANCHORS = tuple(filter(str.isascii, _TEXT_ANCHORS))
_LONG_TEXT = 4_000


def _anywhere(lowered: str) -> set[str]:
    if len(lowered) < _LONG_TEXT:
        anchors = _ASCII_ANCHORS if lowered.isascii() else _TEXT_ANCHORS
        return {anchor for anchor in anchors if anchor in lowered}
    lone, lettered = _by_letter()
    found = {anchor for anchor in lone if anchor in lowered}
    for letter, rests in lettered:
        if letter in lowered:
            found.update([letter + rest for rest in compiled(rests).findall(lowered)])
    return found


@cache
def _by_letter() -> tuple[Sequence[str], Sequence[tuple[str, str]]]:
    """Groups the anchors for the search of a long text: single ones, and a pattern for each shared first letter.

    A pattern that begins with a literal letter skips all others quickly, and finds several anchors as fast as a search
    finds one. No anchor may be a prefix of another, or the longer one would be missed. An ASCII anchor that shares
    its first letter with no other is searched directly. In a short text a pattern costs more than it saves.
    """
    lone, lettered = [], []
    for letter, anchors in groupby(_TEXT_ANCHORS, key=itemgetter(0)):
        first, *others = anchors
        if letter.isascii() and not others:
            lone.append(first)
        else:
            rests = "|".join(re.escape(anchor[1:]) for anchor in (first, *others))
            lettered.append((letter, rf"{letter}(?=({rests}))"))
    return tuple(lone), tuple(lettered)


def _long_words(coded: bytes) -> str:
    """The words that may contain a token: long enough, and made only of token characters."""
    # Translate each byte to its class: a run of one class is then found by a plain search, much faster than by a
    # pattern or by splitting the text.
    kinds = coded.translate(_WORD_KINDS) + b" "
    words: set[bytes] = set()
    start = kinds.find(_LONG_WORD)
    while start >= 0:
        end = kinds.index(b" ", start)
        words.add(coded[start:end])
        start = kinds.find(_LONG_WORD, end)
    return b" ".join(words).decode("ascii")


def _may_hold_card(coded: bytes) -> bool:
    """Does the text contain a run of digits as long as a card number, or digits in groups as on a card?"""
    kinds = coded.translate(_DIGIT_KINDS)
    return _CARD_ROW in kinds or _CARD_GROUPS in kinds or _AMEX_GROUPS in kinds


def _kinds(signs: dict[str, str]) -> bytes:
    """A table that translates the letters of each class to its sign and all other bytes to a space."""
    table = bytearray(b" " * 256)
    for sign, letters in signs.items():
        for letter in letters:
            table[ord(letter)] = ord(sign)
    return bytes(table)


_WORD_KINDS = _kinds({"a": TOKEN_LETTERS})
_LONG_WORD = b"a" * TOKEN_LENGTH
_DIGIT_KINDS = _kinds({"0": "0123456789", "-": "- "})
_CARD_ROW, _CARD_GROUPS, _AMEX_GROUPS = b"0" * 15, b"0000-0000-0000", b"000000-00000"
