"""Reduces English and French words to their stems."""

from __future__ import annotations

from functools import lru_cache

from holdfast.text.patterns import compiled
from holdfast.text.stop_words import STOP_WORDS

# Endings of English words, each with the length from which a word loses it.
_ENDINGS = (("ing", 7), ("ed", 6), ("es", 6), ("ée", 6), ("s", 4), ("e", 5), ("é", 5))

# Regular expressions are compiled at first use: importing this must stay fast.
_LONG_WORD = r"[^\W\d_]{6,}"
_ACCENT = r"[àâçéèêëîïôùûœ]"

_SHORTEST_STEM = 4

# Small words by which a French text is recognised; not those that English has too, such as "on" and "comment".
_FRENCH = frozenset(
    """le la les de des du une un est et dans pour qui que quel quelle quels quelles sur au aux avec pas sont à quand où
    combien pourquoi quoi il elle nous vous ne cette ces notre nos votre vos leur leurs mais donc très c'est qu'on j'ai
    n'est est-ce""".split()
)
_ELISION = r"\b(?:[dlj]|qu)'[a-zàâçéèêëîïôùûœ]{2}"
_FRENCH_ENDINGS = sorted(
    """s e es é ée és ées er ez ent ons ait aient era eront ant ante ants antes ation ations ateur ateurs ement ements
    ment ments ique iques ie ies euse euses eux if ifs ive ives al ale ales aux el elle elles ais aise aises oire oires
    age ages aire aires eur eurs té tés ité ités eau eaux""".split(),
    key=len,
    reverse=True,
)


@lru_cache(maxsize=1 << 15)
def stem(word: str) -> str:
    """Removes the commonest English endings, so that `cache`, `caches`, `cached` and `caching` become one.

    The result is a prefix of the word, and stemming it again changes nothing.
    """
    while (shorter := _without_ending(word)) != word:
        word = shorter
    return word


def _without_ending(word: str) -> str:
    for ending, least in _ENDINGS:
        if len(word) >= least and word.endswith(ending) and not word.endswith("ss"):
            return word[: -len(ending)]
    if len(word) > 3 and word[-1] == word[-2] and word[-1] in "bdfgklmnprtv":
        return word[:-1]
    return word


def roots(text: str) -> list[str]:
    """The words of a French text without their commonest endings; none for a text in another language.

    The full-text index folds only English endings and accents.
    """
    if not looks_french(text):
        return []
    found = map(_root, compiled(_LONG_WORD).findall(text.lower()))
    return list(dict.fromkeys(root for root in found if root))


def may_be_french(query: str) -> bool:
    """Whether a query may be French: it has small French words or an accent."""
    return looks_french(query) or (not query.isascii() and compiled(_ACCENT).search(query.lower()) is not None)


def looks_french(text: str) -> bool:
    """Recognises French by the small words at the start: three, or for a short text two, or one and an accent."""
    seen = text[:400].lower().replace("’", "'")
    small = len(_FRENCH.intersection(seen.split())) + len(compiled(_ELISION).findall(seen))
    if len(text) > 100 or small == 0:
        return small >= 3
    return small >= 2 or (not seen.isascii() and compiled(_ACCENT).search(seen) is not None)


@lru_cache(maxsize=1 << 14)
def french_stem(word: str) -> str:
    """The word without its French ending, at least four letters long: `déployer` and `déploiement` have one stem."""
    for ending in _FRENCH_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            word = word[: -len(ending)]
            break
    return f"{word[:-1]}i" if word.endswith("y") else word


@lru_cache(maxsize=1 << 14)
def _root(word: str) -> str:
    """The root of a French word, at least five letters long; empty for a stop word or a word without such an ending."""
    if word in STOP_WORDS:
        return ""
    for ending in _FRENCH_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 5:
            return word[: -len(ending)]
    return ""
