"""Misspelt words of a question, replaced by what they most likely meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from holdfast.store.text import STOP_WORDS

if TYPE_CHECKING:
    from holdfast.store.reading import Reading


def corrected(words: Sequence[str], reading: Reading) -> tuple[list[str], Mapping[str, tuple[str, ...]]]:
    """The words to look for, each once, and what was read as what: empty when every word is known or like none.

    A word that stands in any passage is never touched, however rare. One that stands in none is replaced by the
    known words nearest to it; when there is none near, it stays. A misspelt stop word is dropped like any other.
    """
    known = reading.frequencies(words)
    meant = {word: near for word in words if not known[word] and (near := reading.spelt_like(word))}
    if not meant:
        return list(words), {}
    read = dict.fromkeys(one for word in words for one in meant.get(word, (word,)))
    return [word for word in read if word not in STOP_WORDS] or list(read), meant
