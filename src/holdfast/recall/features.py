"""Computes the word measures of candidates, one value per candidate.

Pure arithmetic on bags of words, without a store or a model. The values are scaled later, over the candidates of one
query, because the range of raw scores differs between sources. Without numpy: a query has about a hundred candidates,
and a command would wait longer for numpy's import than for the arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field

from holdfast.core.frozen import frozen
from holdfast.text.bags import counts_of, keys_of
from holdfast.text.patterns import compiled

_K1, _B = 1.2, 0.75
# Rarity is computed as if the store had at least this many passages: in a tiny store, counts say little about rarity.
_FEW = 1000
# In a query of this many terms, a single one may have another sense.
_SEVERAL = 3
# What an occurrence of a variant counts, where the word itself counts 1.
VARIANT = 0.8
# Anchored at the start of a word: otherwise matching takes quadratic time in the length of the word.
_NAME = r"\b(?:\w+_\w+|\w*[a-z][A-Z]\w*)"


# The keys of one variant; a phrase has several, and a passage must contain all of them.
Variant = tuple[int, ...]
_NO_VARIANTS: Mapping[str, Sequence[str]] = {}


@frozen
class Terms:
    """The terms of a query, each with a key and a rarity (IDF). `variants` are further forms of some of the terms."""

    keys: tuple[int, ...]
    rarity: tuple[float, ...]
    variants: Mapping[int, tuple[Variant, ...]] = field(default_factory=dict)

    @property
    def total(self) -> float:
        return sum(self.rarity) or 1.0


@frozen
class Lexical:
    """The word measures of each candidate; 1 means that all terms of the query occur.

    `lone` says whether a candidate and its session contain only one of three or more terms.
    """

    bm25: list[float]
    share: list[float]
    session: list[float]
    lone: list[bool]


def terms_of(
    text: str,
    words: Sequence[str],
    frequencies: Mapping[str, int],
    passages: int,
    variants: Mapping[str, Sequence[str]] = _NO_VARIANTS,
) -> Terms:
    """Returns the terms of a query: words weighted by inverse frequency, and whole names such as `next_job`."""
    rarity: dict[int, float] = {}
    passages = max(passages, _FEW)
    for word in words:
        known = frequencies.get(word, 0)
        for key in keys_of(word):
            rarity[key] = math.log1p((passages - known + 0.5) / (known + 0.5)) if passages > known else 0.1
    # Names have no counts; they are rarer and more precise than their components, hence twice the rarest word.
    whole = 2 * max(rarity.values(), default=1.0)
    for name in compiled(_NAME).findall(text):
        for key in keys_of(name):
            rarity.setdefault(key, whole)
    return Terms(tuple(rarity), tuple(rarity.values()), _variants_by_key(variants))


def lexical(bags: Sequence[bytes], terms: Terms, sessions: Sequence[object]) -> Lexical:
    """Computes BM25 and the matched share of the query's total rarity, for the candidate and for its session.

    `sessions` has the session of each candidate. A term that one candidate matches counts for its whole session,
    because a conversation answers as a whole.
    """
    rarity = {key: value / terms.total for key, value in zip(terms.keys, terms.rarity, strict=True)}
    counted = [_counts(bag, terms, rarity) for bag in bags]
    average = max(sum(length for length, _ in counted) / max(len(bags), 1), 1.0)
    bm25, share = [], []
    for length, counts in counted:
        norm = _K1 * (1 - _B + _B * length / average)
        bm25.append(sum([rarity[key] * count * (_K1 + 1) / (count + norm) for key, count in counts.items()]))
        share.append(sum([rarity[key] * min(count, 1.0) for key, count in counts.items()]))
    matched = _by_session([counts for _, counts in counted], sessions)
    session = [sum([rarity[key] * credit for key, credit in credits.items()]) for credits in matched]
    several = len(terms.keys) >= _SEVERAL
    return Lexical(bm25, share, session, [several and len(credits) == 1 for credits in matched])


def _variants_by_key(variants: Mapping[str, Sequence[str]]) -> dict[int, tuple[Variant, ...]]:
    """The keys of each variant, by the key of its word. Only plain words have variants, and these have one key."""
    return {
        key: tuple(tuple(key for word in variant.split() for key in keys_of(word)) for variant in others)
        for word, others in variants.items()
        for key in keys_of(word)
    }


def _counts(bag: bytes, terms: Terms, rarity: Mapping[int, float]) -> tuple[int, Mapping[int, float]]:
    """Returns the number of words, and how often each term occurs; a variant counts less than the term itself."""
    if not terms.variants:
        return counts_of(bag, rarity)
    others = {key for variants in terms.variants.values() for variant in variants for key in variant}
    length, found = counts_of(bag, others.union(rarity))
    counts: dict[int, float] = {key: count for key, count in found.items() if key in rarity}
    for key, variants in terms.variants.items():
        most = max(min([found.get(part, 0) for part in variant], default=0) for variant in variants)
        if most:
            counts[key] = counts.get(key, 0) + VARIANT * most
    return length, counts


def _by_session(counted: Sequence[Mapping[int, float]], sessions: Sequence[object]) -> list[Mapping[int, float]]:
    """Returns, for each candidate, the terms that any candidate of its session matches, with a credit of at most 1."""
    if len(set(sessions)) == len(sessions):
        return [{key: min(count, 1.0) for key, count in counts.items()} for counts in counted]
    credits: dict[object, dict[int, float]] = {}
    for session, counts in zip(sessions, counted, strict=True):
        best = credits.setdefault(session, {})
        for key, count in counts.items():
            best[key] = max(best.get(key, 0.0), min(count, 1.0))
    return [credits[session] for session in sessions]
