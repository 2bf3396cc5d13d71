"""Computes the word measures of candidates as arrays, one value per candidate.

Pure arithmetic on bags of words, without a store or a model. The values are scaled later, over the candidates of one
query, because the range of raw scores differs between sources.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from holdfast.core.frozen import frozen
from holdfast.text.bags import keys_of, unpack

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_K1, _B = 1.2, 0.75
# Rarity is computed as if the store had at least this many passages: in a tiny store, counts say little about rarity.
_FEW = 1000
# The number of terms compared at once with all words of the candidates: a pasted page has thousands of terms.
_AT_ONCE = 32
# Anchored at the start of a word: otherwise matching takes quadratic time in the length of the word.
_NAME = re.compile(r"\b(?:\w+_\w+|\w*[a-z][A-Z]\w*)")


@frozen
class Terms:
    """The terms of a query, each with a key and a rarity (IDF)."""

    keys: tuple[int, ...]
    rarity: tuple[float, ...]

    @property
    def total(self) -> float:
        return sum(self.rarity) or 1.0


@frozen
class Lexical:
    """The word measures of each candidate; 1 means that all terms of the query occur."""

    bm25: Floats
    share: Floats
    session: Floats


def terms_of(text: str, words: Sequence[str], frequencies: Mapping[str, int], passages: int) -> Terms:
    """Returns the terms of a query: words weighted by inverse frequency, and whole names such as `next_job`."""
    rarity: dict[int, float] = {}
    passages = max(passages, _FEW)
    for word in words:
        known = frequencies.get(word, 0)
        for key in keys_of(word):
            rarity[key] = math.log1p((passages - known + 0.5) / (known + 0.5)) if passages > known else 0.1
    # Names have no counts; they are rarer and more precise than their components, hence twice the rarest word.
    whole = 2 * max(rarity.values(), default=1.0)
    for name in _NAME.findall(text):
        for key in keys_of(name):
            rarity.setdefault(key, whole)
    return Terms(tuple(rarity), tuple(rarity.values()))


def lexical(bags: Sequence[bytes], terms: Terms, sessions: NDArray[np.int64]) -> Lexical:
    """Computes BM25 and the matched share of the query's total rarity, for the candidate and for its session.

    `sessions` has the session number of each candidate. A term that one candidate matches counts for its whole
    session, because a conversation answers as a whole.
    """
    counts, lengths = _counts(bags, terms.keys)
    rarity = np.array(terms.rarity, np.float32)[:, None] / np.float32(terms.total)
    norm = _K1 * (1 - _B + _B * lengths / max(float(lengths.sum()) / len(bags), 1.0)) if bags else lengths
    matched = (counts > 0) * rarity
    bm25 = (rarity * counts * (_K1 + 1) / (counts + norm)).sum(0)
    return Lexical(bm25, matched.sum(0), _by_session(matched, sessions))


def _counts(bags: Sequence[bytes], keys: Sequence[int]) -> tuple[Floats, Floats]:
    """Returns the count of each term in each bag, one row per term, and the length of each text."""
    packed, starts = unpack(bags)
    counts = np.zeros((len(keys), len(bags)), np.float32)
    lengths = packed[starts[:-1]].astype(np.float32)
    words = packed >> 8
    words[starts[:-1]] = 0
    wanted = np.array(keys, np.uint32)[:, None]
    for first in range(0, len(keys), _AT_ONCE):
        # Flattened, because numpy searches one axis several times faster than two.
        hits = np.flatnonzero(words == wanted[first : first + _AT_ONCE])
        terms, places = np.divmod(hits, max(words.size, 1))
        counts[first + terms, starts.searchsorted(places, "right") - 1] = packed[places] & 255
    return counts, lengths


def _by_session(matched: Floats, sessions: NDArray[np.int64]) -> Floats:
    """Returns, for each candidate, the total rarity of the terms that any candidate of its session matches."""
    sizes = np.bincount(sessions)
    if sizes.max(initial=0) > 1:
        grouped = matched[:, sessions.argsort(kind="stable")]
        matched = np.maximum.reduceat(grouped, sizes.cumsum() - sizes, axis=1)[:, sessions]
    total: Floats = matched.sum(0)
    return total
