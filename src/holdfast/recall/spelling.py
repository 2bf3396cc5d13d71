"""The words of a question as the store knows them: misspelt ones replaced by what they most likely meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from holdfast.text.words import STOP_WORDS

if TYPE_CHECKING:
    from holdfast.recall.question import Question
    from holdfast.store.reading import SearchReading


class Wording(NamedTuple):
    """The words to look for, each once; what was read as what; and how many passages hold each word."""

    words: list[str]
    meant: Mapping[str, tuple[str, ...]]
    known: Mapping[str, int]


class Wordings:
    """The wording of a question, found out once for all steps that want it."""

    def __init__(self, reading: SearchReading) -> None:
        self._reading = reading
        self._last: tuple[Question, Wording] | None = None

    def of(self, question: Question) -> Wording:
        last = self._last
        # Why the very same: who asks in the same words again may have taught a new one meanwhile.
        if last is None or last[0] is not question:
            last = self._last = (question, corrected(question.words, self._reading))
        return last[1]


def corrected(words: Sequence[str], reading: SearchReading) -> Wording:
    """The wording of some words: as they are when every word is known or like none.

    A word that stands in any passage is never touched, however rare. One that stands in none is replaced by the
    known words nearest to it; when there is none near, it stays. A misspelt stop word is dropped like any other.
    """
    known = reading.frequencies(words)
    meant = {word: near for word in words if not known[word] and (near := reading.spelt_like(word))}
    if not meant:
        return Wording(list(words), {}, known)
    read = dict.fromkeys(one for word in words for one in meant.get(word, (word,)))
    kept = [word for word in read if word not in STOP_WORDS] or list(read)
    return Wording(kept, meant, reading.frequencies(kept))
