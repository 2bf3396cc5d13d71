"""The features of each word for the statistical reader: form, prefixes, suffixes, neighbours and known names."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from typing import NamedTuple

from holdfast.entities.known_names import labels_of_names
from holdfast.entities.regex import find_by_form

# Features are hashed to numbers below this; collisions cost little. 0 means no feature.
SIZE = 1 << 16
_BEFORE, _AFTER = "\"'`*“‘«([{<", ".,;:!?\"'`*”’»)]}>…"
_UPPER, _LOWER, _DIGIT = re.compile(r"[A-Z]+"), re.compile(r"[a-z]+"), re.compile(r"\d+")
_LONGEST_NAME = 3
ALWAYS = "always"


class WordToken(NamedTuple):
    """A word or a punctuation mark, and its position."""

    text: str
    start: int
    end: int


def tokens(text: str) -> list[WordToken]:
    """Splits a text into words; punctuation around a word is separate, inside it is part of it: `foo()`, `a.b`."""
    found: list[WordToken] = []
    for word in re.finditer(r"\S+", text):
        start, end = word.span()
        tail: list[WordToken] = []
        while start < end - 1 and text[start] in _BEFORE:
            found.append(WordToken(text[start], start, start + 1))
            start += 1
        while end - 1 > start and text[end - 1] in _AFTER and not _closes(text[start:end]):
            tail.append(WordToken(text[end - 1], end - 1, end))
            end -= 1
        found.append(WordToken(text[start:end], start, end))
        found += reversed(tail)
    return found


def features(text: str, words: Sequence[WordToken]) -> list[list[int]]:
    """Returns the numbers of the features of each word of a text."""
    plain = [word.text for word in words]
    lower = [word.lower() for word in plain]
    shapes = [_shape(word) for word in plain]
    known, forms = _known(lower), _forms(text, words)
    by_word = (_features(place, plain, lower, shapes, known) + forms[place] for place in range(len(words)))
    return [[number(feature) for feature in word_features] for word_features in by_word]


def number(feature: str) -> int:
    """Hashes a feature to its number, from 1 to SIZE - 1."""
    return zlib.crc32(feature.encode("utf-8", "replace")) % (SIZE - 1) + 1


def _features(
    at: int, words: Sequence[str], lower: Sequence[str], shapes: Sequence[str], known: Sequence[Sequence[str]]
) -> list[str]:
    word, low, shape = words[at], lower[at], shapes[at]
    before, after = _at(lower, at - 1), _at(lower, at + 1)
    features = [
        ALWAYS, f"w={low}", f"W={word}", f"s={shape}", f"<2={low[:2]}", f"<3={low[:3]}", f"<4={low[:4]}",
        f">2={low[-2:]}", f">3={low[-3:]}", f">4={low[-4:]}", f"w-1={before}", f"w+1={after}",
        f"w-2={_at(lower, at - 2)}", f"w+2={_at(lower, at + 2)}", f"s-1={_at(shapes, at - 1)}",
        f"s+1={_at(shapes, at + 1)}", f"w-1w={before} {low}", f"ww+1={low} {after}", f"w-1s={before} {shape}",
        f"sw+1={shape} {after}", f"sss={_at(shapes, at - 1)} {shape} {_at(shapes, at + 1)}",
    ]  # fmt: skip
    features += known[at]
    features += (f"k,s={name} {shape}" for name in known[at][:1])
    features += (f"k-1={name}" for name in (known[at - 1][:1] if at else ()))
    features += (f"k+1={name}" for name in (known[at + 1][:1] if at + 1 < len(words) else ()))
    features += _marks(word, first=at == 0)
    return features


def _marks(word: str, *, first: bool) -> list[str]:
    """Returns the features of a word's form: punctuation inside it, capitals, digits, position."""
    inner = word[1:]
    marks = {
        "(": "(" in word,
        "_": "_" in word,
        ".": "." in word[1:-1],
        ".x": word[:1] == "." and len(word) > 1,
        "/": "/" in word,
        "camel": inner != inner.lower() and word != word.upper(),
        "capitals": len(word) > 1 and word.isupper(),
        "capital": word[:1].isupper() and not first,
        "digit": any(ch.isdigit() for ch in word),
        "first": first,
    }
    return [f"m={mark}" for mark, present in marks.items() if present]


def _known(lower: Sequence[str]) -> list[list[str]]:
    """Returns for each word the labels of the known names it is part of."""
    names = labels_of_names()
    features: list[list[str]] = [[] for _ in lower]
    for at in range(len(lower)):
        for count in range(min(_LONGEST_NAME, len(lower) - at), 0, -1):
            labels = names.get(tuple(lower[at : at + count]), ())
            for place in range(count if labels else 0):
                features[at + place] += (f"k={label} {count > 1} {place > 0}" for label in labels)
    return features


def _forms(text: str, words: Sequence[WordToken]) -> list[list[str]]:
    """Returns for each word the labels that the fast reader gives to it and to its neighbours."""
    labels = [""] * len(words)
    for mention in find_by_form(text):
        inside = [n for n, word in enumerate(words) if mention.start <= word.start and word.end <= mention.end]
        for place in inside:
            labels[place] = f"{mention.label} {place > inside[0]}"
    return [
        [
            f"f={labels[at]}",
            f"f-1={_at(labels, at - 1)}",
            f"f+1={_at(labels, at + 1)}",
            f"f,s={labels[at]} {_shape(word.text)}",
        ]
        for at, word in enumerate(words)
    ]


def _shape(word: str) -> str:
    return _DIGIT.sub("0", _LOWER.sub("x", _UPPER.sub("X", word)))[:12]


def _at(values: Sequence[str], place: int) -> str:
    return values[place] if 0 <= place < len(values) else "|"


def _closes(word: str) -> bool:
    """Does the final bracket belong to the word, as in `foo()`?"""
    return word[-1] in ")]" and ("(" in word or "[" in word)
