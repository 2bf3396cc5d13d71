"""The words of a passage as a few numbers, so that ranking counts them without reading the text again.

A bag is an array of unsigned 32-bit numbers: first how many words the text has, then for each different telling word
24 bits that stand for it and 8 bits that say how often it occurs.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from array import array
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from holdfast.text.words import STOP_WORDS, stem, terms, words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_OFTEN = 255
_MOST_WORDS = (1 << 24) - 1
_LONG = 64


def bag(text: str) -> bytes:
    """The bag of a text. A name made of several words counts as its parts and as one."""
    found = Counter(_words().findall(text if text.isascii() else unicodedata.normalize("NFC", text)))
    counts: dict[int, int] = {}
    for word, often in found.items():
        for key in keys_of(word):
            counts[key] = counts.get(key, 0) + often
    packed = array("I", [min(found.total(), _MOST_WORDS)])
    packed.extend(sorted([key << 8 | min(often, _OFTEN) for key, often in counts.items()]))
    return packed.tobytes()


def keys_of(word: str) -> tuple[int, ...]:
    """What stands in a bag for a word as written: none for a stop word, several for a name such as `next_job`.

    Words of one stem share a key, with and without accents; `next_job` and `nextJob` share one beside those of their
    parts. No key is 0.
    """
    return _known_keys(word) if len(word) <= _LONG else _keys(word)


def unpack(bags: Iterable[bytes]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Several bags end to end, and where each begins; the last number is the end."""
    import numpy as np

    given = list(bags)
    starts = np.fromiter(accumulate(map(len, given), initial=0), np.int64, len(given) + 1) // 4
    return np.frombuffer(b"".join(given), np.uint32), starts


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
    # Why the pieces of a question, in either case: what `sha256` looks for, it must find in `SHA256`.
    pieces = (*words(word), *words(word.lower())) if len(word) <= _LONG else word.lower().split("_")
    parts = (part for part in (*pieces, *terms(word).split()) if part and part not in STOP_WORDS)
    return tuple({_key(part) for part in (*parts, joined)})


def _key(word: str) -> int:
    # Why: a stem is found an ending at a time; what is so long is no word that has one.
    root = stem(word) if len(word) <= _LONG else word
    return zlib.crc32(_without_accents(root).encode("utf-8", "surrogatepass")) & 0xFFFFFF or 1


def _without_accents(word: str) -> str:
    """As the full-text index folds them: the accents of Latin letters only."""
    return word if word.isascii() else re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFKD", word))
