"""Do two texts say the same, or the same thing with another value? By words alone; fast and conservative."""

from __future__ import annotations

import re
from functools import lru_cache

from holdfast.core.reason import Reason
from holdfast.text.words import STOP_WORDS, stem, words

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NEGATION = frozenset(
    "not no never none neither nor cannot can't don't doesn't didn't won't isn't aren't without stop avoid "
    "ne pas jamais aucun sans".split()
)
# A longer text tells several things, and is no statement that another could contradict.
_STATEMENT = 300
# Statements that contradict each other share at least this part of the shorter one's words.
_SHARED = 0.4
_TOKEN = re.compile(r"[\w'’]+")


def overlap(a: str, b: str) -> float:
    """Jaccard overlap of the words, in any order, inflections folded."""
    one, two = _words(a), _words(b)
    shared = len(one & two)
    either = len(one) + len(two) - shared
    return shared / either if either else 1.0


def says_nothing_new(new: str, old: str, threshold: float) -> bool:
    """Is everything the new text tells already in the old one?

    Why so strict: a wrong yes loses what was said. Another number, another polarity, another order of the
    same words ("tabs, not spaces") or one telling word more is news.
    """
    if not _comparable(new, old) or overlap(new, old) < threshold or _values(new) != _values(old):
        return False
    extra = _words(new) - _words(old)
    return not extra and _same_order(new, old)


def contradicts(new: str, old: str) -> Reason | None:
    """Why two texts cannot both hold, with the pieces that differ, or None. Long texts are not looked at."""
    if len(new) > _STATEMENT or len(old) > _STATEMENT or not _meet(new, old):
        return None
    from holdfast.trust.reasons import DIFFERENCES
    from holdfast.trust.statements import compare

    verdict = compare(new, old)
    if verdict.kind not in ("update", "clash"):
        return None
    return Reason.of(DIFFERENCES[verdict.by], difference=verdict.difference)


def _meet(a: str, b: str) -> bool:
    """Do they share enough words to be about the same? Seeing that is much cheaper than comparing what they say."""
    one, two = _words(a), _words(b)
    return len(one & two) >= max(2, _SHARED * min(len(one), len(two)))


def same_values(a: str, b: str) -> bool:
    """Do both tell the same numbers, and neither the opposite of the other?"""
    return _values(a) == _values(b)


def _comparable(a: str, b: str) -> bool:
    """Are the texts about as long? If not, their words cannot overlap enough, and need not be looked at."""
    return min(len(a), len(b)) * 3 >= max(len(a), len(b))


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text) if word not in STOP_WORDS and word not in _NEGATION)


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(text))


def _negations(text: str) -> int:
    tokens = _TOKEN.findall(text.lower().replace("’", "'"))
    return len([token for token in tokens if token in _NEGATION or token.endswith("n't")]) % 2


def _values(text: str) -> tuple[frozenset[str], int]:
    return _numbers(text), _negations(text)


def _same_order(a: str, b: str) -> bool:
    """Do the words both share come in the same order? Only asked where order can carry the meaning."""
    common = _words(a) & _words(b)
    return _sequence(a, common) == _sequence(b, common)


def _sequence(text: str, kept: frozenset[str]) -> list[str]:
    seen: dict[str, None] = {}
    for word in words(text):
        if (root := stem(word)) in kept:
            seen.setdefault(root)
    return list(seen)
