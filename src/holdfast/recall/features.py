"""What is measured of each candidate before the measures are weighed: arrays, one row a candidate.

Pure arithmetic on bags, vectors and times: no store, no model. Every measure is then brought to 0…1 over the
candidates of one question, because raw scores carry the habits of their source along.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from holdfast.text.bags import keys_of, unpack

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_K1, _B = 1.2, 0.75
# In a smaller store counts tell nothing: a word that is not there yet is not rarer than one that is there once.
_FEW = 1000
# Every word of the candidates is compared with so many terms at once: a pasted page asks for thousands.
_AT_ONCE = 32
# Why from the begin of a word: tried from each of its letters, it would be read as often as it has letters.
_NAME = re.compile(r"\b(?:\w+_\w+|\w*[a-z][A-Z]\w*)")


@dataclass(frozen=True, slots=True)
class Terms:
    """What a question asks for: a key per term, and how rare the term is."""

    keys: tuple[int, ...]
    rarity: tuple[float, ...]

    @property
    def total(self) -> float:
        return sum(self.rarity) or 1.0


@dataclass(frozen=True, slots=True)
class Lexical:
    """How the words of a question stand in each candidate; 1 is a question answered word for word."""

    bm25: Floats
    share: Floats
    session: Floats


def terms_of(text: str, words: Sequence[str], frequencies: Mapping[str, int], passages: int) -> Terms:
    """The terms of a question: its words by how few passages hold them, and names such as `next_job` as a whole."""
    rarity: dict[int, float] = {}
    passages = max(passages, _FEW)
    for word in words:
        known = frequencies.get(word, 0)
        for key in keys_of(word):
            rarity[key] = math.log1p((passages - known + 0.5) / (known + 0.5)) if passages > known else 0.1
    # Why twice: a name is rarer than its rarest part, nobody counted it, and who writes it means just that.
    whole = 2 * max(rarity.values(), default=1.0)
    for name in _NAME.findall(text):
        for key in keys_of(name):
            rarity.setdefault(key, whole)
    return Terms(tuple(rarity), tuple(rarity.values()))


def lexical(bags: Sequence[bytes], terms: Terms, sessions: NDArray[np.int64]) -> Lexical:
    """BM25 and the share of the question's rarity matched, by the candidate and by its session.

    `sessions` numbers the candidates' sessions. What a session's other candidates match counts for each of them: a
    conversation answers as a whole.
    """
    counts, lengths = _counts(bags, terms.keys)
    rarity = np.array(terms.rarity, np.float32)[:, None] / np.float32(terms.total)
    room = _K1 * (1 - _B + _B * lengths / max(float(lengths.sum()) / len(bags), 1.0)) if bags else lengths
    there = (counts > 0) * rarity
    bm25 = (rarity * counts * (_K1 + 1) / (counts + room)).sum(0)
    return Lexical(bm25, there.sum(0), _united(there, sessions))


def _counts(bags: Sequence[bytes], keys: Sequence[int]) -> tuple[Floats, Floats]:
    """How often each term occurs in each bag, a row a term, and how long each text is."""
    packed, starts = unpack(bags)
    counts = np.zeros((len(keys), len(bags)), np.float32)
    lengths = packed[starts[:-1]].astype(np.float32)
    words = packed >> 8
    words[starts[:-1]] = 0
    wanted = np.array(keys, np.uint32)[:, None]
    for first in range(0, len(keys), _AT_ONCE):
        # Why flat: numpy finds what is true along one axis, and several times faster than along two.
        hits = np.flatnonzero(words == wanted[first : first + _AT_ONCE])
        terms, places = np.divmod(hits, max(words.size, 1))
        counts[first + terms, starts.searchsorted(places, "right") - 1] = packed[places] & 255
    return counts, lengths


def _united(there: Floats, sessions: NDArray[np.int64]) -> Floats:
    """The rarity matched by any candidate of the same session."""
    sizes = np.bincount(sessions)
    united = there
    if sizes.max(initial=0) > 1:
        by_session = there[:, sessions.argsort(kind="stable")]
        united = np.maximum.reduceat(by_session, sizes.cumsum() - sizes, axis=1)[:, sessions]
    matched: Floats = united.sum(0)
    return matched
