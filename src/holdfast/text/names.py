"""Splits texts and names into words by which names are compared: without case, accents and punctuation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

# A run of letters and digits; each character of a script that is written without spaces is a word of its own.
_WORD = re.compile(r"[぀-ヿ㐀-䶿一-鿿豈-﫿가-힯]|[^\W_぀-ヿ㐀-䶿一-鿿豈-﫿가-힯]+")
# A name with one of these is an identifier, a path or an address, which is found by its form.
_IDENTIFIER = re.compile(r"[/\\_@#<>{}()\[\]=:$]|\.\w")
_MOST_WORDS = 6
# Letters that have no accent to remove.
_PLAIN = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "ð": "d", "þ": "th"})
_ACCENTS = re.compile("[\u0300-\u036f]")


class NameToken(NamedTuple):
    """A word of a text: folded, and its position."""

    word: str
    start: int
    end: int


def name_tokens(text: str) -> Iterator[NameToken]:
    """Yields the words of a text in order."""
    for match in _WORD.finditer(text):
        yield NameToken(fold(match[0]), match.start(), match.end())


def distinct_words(text: str) -> set[str]:
    """Returns the folded words of a text."""
    return set(map(fold, set(_WORD.findall(text))))


def name_words(name: str) -> tuple[str, ...]:
    """Returns the folded words of a name; none for an identifier, a path, an address or a very long name."""
    if _IDENTIFIER.search(name):
        return ()
    found = tuple(map(fold, _WORD.findall(name)))
    return found if len(found) <= _MOST_WORDS else ()


def index_words(name: str) -> tuple[str, ...]:
    """Returns the words by which a name is looked up: its first one, and the first one of its last part."""
    found, parts = name_words(name), name.split()
    family = name_words(parts[-1]) if found and len(parts) > 1 else ()
    return tuple(dict.fromkeys((*found[:1], *family[:1])))


@lru_cache(maxsize=1 << 15)
def fold(word: str) -> str:
    """Removes case and accents: `Amélie` and `AMELIE` become `amelie`. Cached, because words recur often."""
    folded = word.casefold()
    if folded.isascii():
        return folded
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", folded))).translate(_PLAIN)
