"""Compares two texts by their words: does one say anything that the other does not? Fast and conservative."""

from __future__ import annotations

import re
from functools import lru_cache

from holdfast.text.gloss import in_english
from holdfast.text.stemming import stem
from holdfast.text.stop_words import STOP_WORDS
from holdfast.text.words import words

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NEGATION = frozenset(
    "not no never none neither nor cannot can't don't doesn't didn't won't isn't aren't without stop avoid "
    "ne pas jamais aucun sans".split()
)
_FILLERS = frozenset(
    "ok okay yes please thanks well so now just really actually indeed also again note remember btw fyi anyway sure"
    " oui merci bien donc alors aussi encore vraiment".split()
)
_TOKEN = re.compile(r"[\w'’]+")
# The share of a statement's words that its evidence must have, and the word for whoever said it.
_LEAST_SHARED, _SPEAKER = 0.5, "user"


def overlap(a: str, b: str) -> float:
    """Jaccard index of the stemmed words, in any order."""
    words_a, words_b = content_words(a), content_words(b)
    shared = len(words_a & words_b)
    union = len(words_a) + len(words_b) - shared
    return shared / union if union else 1.0


def says_nothing_new(new: str, old: str, threshold: float) -> bool:
    """Does the old text already contain everything that the new one says?

    Strict, because a wrong yes loses information: another number, polarity, word order ("tabs, not spaces") or one
    additional content word makes the text new.
    """
    if not _comparable(new, old) or overlap(new, old) < threshold or _values(new) != _values(old):
        return False
    said = content_words(new)
    return bool(said) and said <= content_words(old) and _same_order(new, old)


def supports(evidence: str, statement: str) -> bool:
    """Does the evidence have at least half of the words of content of a statement, so that it may say the same?

    French counts by its English words.
    """
    return shared_words(evidence, statement) >= _LEAST_SHARED


def shared_words(evidence: str, statement: str) -> float:
    """The share of the words of content of a statement that its evidence has too; 0 for a statement without any."""
    wanted = content_words(in_english(statement)) - {_SPEAKER}
    return len(wanted & content_words(in_english(evidence))) / len(wanted) if wanted else 0.0


def without_fillers(text: str) -> str:
    """The words of a text except those that add nothing, such as `ok` and `please`."""
    return " ".join(token for token in text.split() if token.strip(",;:.!?–—-()[]").casefold() not in _FILLERS)


@lru_cache(maxsize=4096)
def content_words(text: str) -> frozenset[str]:
    """The stems of the words that carry meaning: neither stop words nor negations."""
    return frozenset(stem(word) for word in words(text) if word not in STOP_WORDS and word not in _NEGATION)


def _comparable(a: str, b: str) -> bool:
    """Are the lengths similar? If not, the words cannot overlap enough."""
    return min(len(a), len(b)) * 3 >= max(len(a), len(b))


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(text))


def _negations(text: str) -> int:
    tokens = _TOKEN.findall(text.lower().replace("’", "'"))
    return len([token for token in tokens if token in _NEGATION or token.endswith("n't")]) % 2


def _values(text: str) -> tuple[frozenset[str], int]:
    return _numbers(text), _negations(text)


def _same_order(a: str, b: str) -> bool:
    """Do the shared words come in the same order?"""
    common = content_words(a) & content_words(b)
    return _sequence(a, common) == _sequence(b, common)


def _sequence(text: str, kept: frozenset[str]) -> list[str]:
    seen: dict[str, None] = {}
    for word in words(text):
        if (root := stem(word)) in kept:
            seen.setdefault(root)
    return list(seen)
