"""Computes the word measures of candidates, one value per candidate.

Pure arithmetic on bags of words, without a store or a model. The values are scaled later, over the candidates of one
query, because the range of raw scores differs between sources. Numpy is used only if it is loaded already: a query has
about a hundred candidates, and a command would wait longer for numpy's import than for the arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field

from holdfast.core.frozen import frozen
from holdfast.text.bags import Occurrences, counts_of_all, keys_of, occurrences
from holdfast.text.patterns import compiled

_K1, _B = 1.2, 0.75
# Rarity is computed as if the store had at least this many passages: in a tiny store, counts say little about rarity.
_FEW = 1000
# What an occurrence of a variant counts, where the word itself counts 1.
VARIANT = 0.8
# What an occurrence within a phrase with another sense counts: "requests" in "pull requests".
PHRASE = 0.4
# Anchored at the start of a word: otherwise matching takes quadratic time in the length of the word.
_NAME = r"\b(?:\w+_\w+|\w*[a-z][A-Z]\w*)"


# The keys of one variant; a phrase has several, and a passage must contain all of them.
# The number of words of a text, and how often each term occurs in it.
Counted = tuple[int, Mapping[int, float]]
Variant = tuple[int, ...]
_NO_VARIANTS: Mapping[str, Sequence[str]] = {}


@frozen
class Terms:
    """The terms of a query, each with a key and a rarity (IDF).

    `variants` are further forms of some of the terms. `other_senses` are phrases in which a term means something else.
    """

    keys: tuple[int, ...]
    rarity: tuple[float, ...]
    variants: Mapping[int, tuple[Variant, ...]] = field(default_factory=dict)
    other_senses: Mapping[int, tuple[Variant, ...]] = field(default_factory=dict)

    @property
    def total(self) -> float:
        return sum(self.rarity) or 1.0

    @property
    def shares(self) -> dict[int, float]:
        """The rarity of each term as a share of the total."""
        total = self.total
        return {key: value / total for key, value in zip(self.keys, self.rarity, strict=True)}

    @property
    def all_keys(self) -> frozenset[int]:
        """The keys of the terms, of their variants and of the phrases with other senses."""
        others = (*self.variants.values(), *self.other_senses.values())
        return frozenset(self.keys).union(*(variant for variants in others for variant in variants))


@frozen
class Lexical:
    """The word measures of each candidate; 1 means that all terms of the query occur.

    `average` is the mean length of the candidates, by which BM25 judges a length.
    """

    bm25: list[float]
    share: list[float]
    average: float


def terms_of(
    text: str,
    words: Sequence[str],
    frequencies: Mapping[str, int],
    passages: int,
    variants: Mapping[str, Sequence[str]] = _NO_VARIANTS,
    other_senses: Mapping[str, Sequence[str]] = _NO_VARIANTS,
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
    return Terms(tuple(rarity), tuple(rarity.values()), _keys_of_all(variants), _keys_of_all(other_senses))


def lexical(bags: Sequence[bytes], terms: Terms) -> Lexical:
    """Computes BM25 and the matched share of the query's total rarity."""
    rarity = terms.shares
    if (found := _occurrences_of_terms(bags, terms)) is not None:
        average = max(float(found.lengths.mean()), 1.0)
        return Lexical(*_at_once(found, rarity, average), average)
    counted = _counted(bags, terms, rarity)
    average = max(sum(length for length, _ in counted) / max(len(bags), 1), 1.0)
    share = [_share(counts, rarity) for _, counts in counted]
    return Lexical(_bm25(counted, rarity, average), share, average)


def bm25_scores(bags: Sequence[bytes], terms: Terms, average: float) -> list[float]:
    """Computes BM25 of other passages, compared with the average length of the candidates."""
    rarity = terms.shares
    if (found := _occurrences_of_terms(bags, terms)) is not None:
        return _at_once(found, rarity, average)[0]
    return _bm25(_counted(bags, terms, rarity), rarity, average)


def _occurrences_of_terms(bags: Sequence[bytes], terms: Terms) -> Occurrences | None:
    """Where the terms occur; None if they must be counted one by one, because of variants or without numpy."""
    return None if terms.variants or terms.other_senses else occurrences(bags, terms.keys)


def _at_once(found: Occurrences, rarity: Mapping[int, float], average: float) -> tuple[list[float], list[float]]:
    """BM25 and the matched share of each bag: the same numbers as one by one, in a third of the time."""
    import numpy as np

    keys = np.array(sorted(rarity), np.uint32)
    rare = np.array([rarity[key] for key in keys.tolist()])[np.searchsorted(keys, found.keys)]
    norm = _K1 * (1 - _B + _B * found.lengths / average)
    scores = rare * found.counts * (_K1 + 1) / (found.counts + norm[found.rows])
    bags = len(found.lengths)
    return np.bincount(found.rows, scores, bags).tolist(), np.bincount(found.rows, rare, bags).tolist()


def _bm25(counted: Sequence[Counted], rarity: Mapping[int, float], average: float) -> list[float]:
    scores = []
    for length, counts in counted:
        norm = _K1 * (1 - _B + _B * length / average)
        scores.append(sum([rarity[key] * count * (_K1 + 1) / (count + norm) for key, count in counts.items()]))
    return scores


def _keys_of_all(variants: Mapping[str, Sequence[str]]) -> dict[int, tuple[Variant, ...]]:
    """The keys of each variant, by the key of its word. Only plain words have variants, and these have one key."""
    return {
        key: tuple(tuple(key for word in variant.split() for key in keys_of(word)) for variant in others)
        for word, others in variants.items()
        for key in keys_of(word)
    }


def _counted(bags: Sequence[bytes], terms: Terms, rarity: Mapping[int, float]) -> Sequence[Counted]:
    """Returns the number of words of each bag, and how often each term occurs."""
    if not terms.variants and not terms.other_senses:
        return counts_of_all(bags, rarity)
    return [(length, _with_variants(found, terms, rarity)) for length, found in counts_of_all(bags, terms.all_keys)]


def _with_variants(found: Mapping[int, int], terms: Terms, rarity: Mapping[int, float]) -> dict[int, float]:
    """The counts of the terms. A variant, and a term as part of a phrase with another sense, counts less."""
    counts: dict[int, float] = {key: count for key, count in found.items() if key in rarity}
    for key, phrases in terms.other_senses.items():
        if key in counts and (within := min(_occurrences(found, phrases), counts[key])):
            counts[key] -= (1 - PHRASE) * within
    for key, variants in terms.variants.items():
        if most := _occurrences(found, variants):
            counts[key] = counts.get(key, 0) + VARIANT * most
    return counts


def _occurrences(found: Mapping[int, int], variants: Sequence[Variant]) -> int:
    """How often the most frequent of the variants can occur; a phrase as often as the rarest of its words."""
    return max(min([found.get(part, 0) for part in variant], default=0) for variant in variants)


def _share(counts: Mapping[int, float], rarity: Mapping[int, float]) -> float:
    """The total rarity of the terms; one that counts less than 1, as a variant does, adds only a part of its rarity."""
    return sum([rarity[key] if count >= 1 else rarity[key] * count for key, count in counts.items()])
