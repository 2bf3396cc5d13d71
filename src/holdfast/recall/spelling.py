"""Corrects misspelt words of a query to similar words that the store contains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from holdfast.text.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from holdfast.recall.question import Question
    from holdfast.store.reading import SearchReading


class Wording(NamedTuple):
    """The distinct words to search for, the corrections made, and the number of passages that contain each word."""

    words: list[str]
    corrections: Mapping[str, tuple[str, ...]]
    known: Mapping[str, int]


class Wordings:
    """Computes the wording of a query once for all steps."""

    def __init__(self, reading: SearchReading) -> None:
        self._reading = reading
        self._last: tuple[Question, Wording] | None = None

    def of(self, question: Question) -> Wording:
        last = self._last
        # By identity, not equality: between two equal queries the store may have gained a new word.
        if last is None or last[0] is not question:
            last = self._last = (question, corrected(question.words, self._reading))
        return last[1]


def corrected(words: Sequence[str], reading: SearchReading) -> Wording:
    """Replaces each word that no passage contains by the most similar known words, if there are any.

    A word that occurs in any passage is never changed, however rare. A misspelt stop word is dropped like any other.
    """
    known = reading.frequencies(words)
    corrections = {word: near for word in words if not known[word] and (near := reading.spelt_like(word))}
    if not corrections:
        return Wording(list(words), {}, known)
    replaced = dict.fromkeys(new for word in words for new in corrections.get(word, (word,)))
    kept = [word for word in replaced if word not in STOP_WORDS] or list(replaced)
    return Wording(kept, corrections, reading.frequencies(kept))
