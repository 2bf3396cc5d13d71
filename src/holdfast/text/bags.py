"""Word bags: the words of a passage as numbers, so that ranking can count them without reading the text.

A bag is an array of unsigned 32-bit numbers. The first is the number of words in the text; each of the others holds a
24-bit key of a word that is no stop word and, in 8 bits, how often it occurs.
"""

from __future__ import annotations

import re
import sys
import unicodedata
import zlib
from array import array
from collections import Counter
from collections.abc import Collection, Container, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from holdfast.text.stemming import stem
from holdfast.text.stop_words import STOP_WORDS
from holdfast.text.words import terms, words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_COUNTED = 255
_MOST_WORDS = (1 << 24) - 1
_LONG = 64


def bag(text: str) -> bytes:
    """The bag of a text. A compound name counts as its parts and as a whole."""
    found = Counter(_words().findall(text if text.isascii() else unicodedata.normalize("NFC", text)))
    counts: dict[int, int] = {}
    for word, count in found.items():
        for key in keys_of(word):
            counts[key] = counts.get(key, 0) + count
    packed = array("I", [min(found.total(), _MOST_WORDS)])
    packed.extend(sorted([key << 8 | min(count, _MOST_COUNTED) for key, count in counts.items()]))
    return packed.tobytes()


def keys_of(word: str) -> tuple[int, ...]:
    """The keys of a word as written: none for a stop word, several for a compound name such as `next_job`.

    Words of one stem share a key, with and without accents. `next_job` and `nextJob` share one, besides those of their
    parts. No key is 0.
    """
    return _known_keys(word) if len(word) <= _LONG else _keys(word)


def length_of(bag: bytes) -> int:
    """Returns the number of words of a bag's text."""
    return array("I", bag[:4])[0] if bag else 0


def counts_of(bag: bytes, keys: Container[int]) -> tuple[int, dict[int, int]]:
    """Returns the number of words of a bag's text, and how often each of the given keys occurs, if it does."""
    packed = array("I", bag)
    return packed[0], {word >> 8: word & 255 for word in packed[1:] if word >> 8 in keys}


def counts_of_all(bags: Sequence[bytes], keys: Collection[int]) -> list[tuple[int, dict[int, int]]]:
    """The same for many bags at once; by numpy, ten times as fast, if it is loaded: loading it would take longer."""
    found = occurrences(bags, keys)
    if found is None:
        return [counts_of(bag, keys) for bag in bags]
    counted: list[tuple[int, dict[int, int]]] = [(length, {}) for length in found.lengths.tolist()]
    for row, key, count in zip(found.rows.tolist(), found.keys.tolist(), found.counts.tolist(), strict=True):
        counted[row][1][key] = count
    return counted


class Occurrences(NamedTuple):
    """The number of words of each bag's text, and where keys occur: the bag's row, the key, and how often."""

    lengths: NDArray[np.integer]
    rows: NDArray[np.integer]
    keys: NDArray[np.integer]
    counts: NDArray[np.integer]


def occurrences(bags: Sequence[bytes], keys: Collection[int]) -> Occurrences | None:
    """Where the keys occur in many bags, bag by bag; None if numpy is not loaded yet, or a bag is empty."""
    if "numpy" not in sys.modules or not bags or not all(bags):
        return None
    import numpy as np

    packed = np.frombuffer(b"".join(bags), np.uint32)
    ends = np.cumsum([len(bag) // packed.itemsize for bag in bags])
    firsts = np.concatenate(([0], ends[:-1])).astype(np.intp)
    words = packed >> 8
    wanted = np.isin(words, np.fromiter(keys, np.uint32, len(keys)))
    wanted[firsts] = False
    places = np.flatnonzero(wanted)
    return Occurrences(packed[firsts], np.searchsorted(ends, places, "right"), words[places], packed[places] & 255)


@cache
def _words() -> re.Pattern[str]:
    return re.compile(r"\w+")


@lru_cache(maxsize=1 << 16)
def _known_keys(word: str) -> tuple[int, ...]:
    return _keys(word)


def _keys(word: str) -> tuple[int, ...]:
    if word.isalpha() and (word.islower() or word[1:].islower()) and word.isascii():
        return (_key(word.lower()),) if word.lower() not in STOP_WORDS else ()
    joined = word.replace("_", "").lower()
    if not joined or joined in STOP_WORDS:
        return ()
    # The parts as written and in lower case: a query for `sha256` must match `SHA256`.
    written = (*words(word), *words(word.lower())) if len(word) <= _LONG else word.lower().split("_")
    parts = (part for part in (*written, *terms(word).split()) if part and part not in STOP_WORDS)
    return tuple({_key(part) for part in (*parts, joined)})


def _key(word: str) -> int:
    # Stemming removes one ending at a time; a word this long is no natural word.
    root = stem(word) if len(word) <= _LONG else word
    return zlib.crc32(_without_accents(root).encode("utf-8", "surrogatepass")) & 0xFFFFFF or 1


def _without_accents(word: str) -> str:
    """Removes the accents of Latin letters, as the full-text index does."""
    return word if word.isascii() else re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFKD", word))
