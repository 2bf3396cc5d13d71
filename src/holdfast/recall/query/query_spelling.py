"""Corrects misspelt words of a query to similar words that the store contains."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from holdfast.core.memory import empty_mapping
from holdfast.recall.query.related_terms import related_terms
from holdfast.recall.query.shorthand import Shorthand, shorthand
from holdfast.text.stemming import may_be_french
from holdfast.text.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from holdfast.recall.question import Question
    from holdfast.store.reading import WordReading

# In how many passages a word occurs often enough as written.
_MANY = 50


class Wording(NamedTuple):
    """The distinct words to search for, and the corrections made.

    `known` is the number of passages that contain each word or one of its variants. `variants` are further forms of
    some of the words: of the same stem (`deployment` for `deploy`), or its meaning as a shorthand. `other_senses` are
    phrases in which a word means something else than in the query: `pull request` for `requests` alone.
    """

    words: list[str]
    corrections: Mapping[str, tuple[str, ...]]
    known: Mapping[str, int]
    variants: Mapping[str, tuple[str, ...]] = empty_mapping()
    other_senses: Mapping[str, tuple[str, ...]] = empty_mapping()


class Wordings:
    """Computes the wording of a query once for all steps."""

    def __init__(self, reading: WordReading, table: Shorthand | None = None) -> None:
        self._reading = reading
        self._shorthand = table or shorthand()
        self._last: tuple[Question, Wording] | None = None

    def of(self, question: Question) -> Wording:
        last = self._last
        # By identity, not equality: between two equal queries the store may have gained a new word.
        if last is None or last[0] is not question:
            wording = corrected(question.words, self._reading, self._is_term)
            wording = self._with_related(self._with_variants(wording, question.text))
            last = self._last = (question, wording)
        return last[1]

    def _with_variants(self, wording: Wording, text: str) -> Wording:
        """Adds shorthand, and other words of the same stem for words that occur in few passages.

        Where many passages contain the word as written, its other forms find less than they disturb.
        """
        rare = [word for word in wording.words if wording.known[word] < _MANY]
        families = self._reading.families(rare, french=may_be_french(text))
        meanings, other_senses = self._shorthand.variants(wording.words), self._shorthand.other_senses(wording.words)
        if not families and not meanings:
            return wording._replace(other_senses=other_senses)
        both = {word: (*meanings.get(word, ()), *families.get(word, ())) for word in {**meanings, **families}}
        known = self._reading.frequencies(wording.words, both)
        return wording._replace(known=known, variants=both, other_senses=other_senses)

    def _with_related(self, wording: Wording) -> Wording:
        """Adds related terms for words that no passage contains in any form."""
        unknown = [word for word in wording.words if not wording.known[word]]
        related = related_terms().variants(wording.words, unknown) if unknown else {}
        if not related:
            return wording
        variants = {**wording.variants, **{word: (*wording.variants.get(word, ()), *related[word]) for word in related}}
        return wording._replace(known=self._reading.frequencies(wording.words, variants), variants=variants)

    def _is_term(self, word: str) -> bool:
        """Is it a word of a table? Then it is no misspelling of another word."""
        return self._shorthand.knows(word) or related_terms().knows(word)


def corrected(words: Sequence[str], reading: WordReading, correct: Callable[[str], bool] = lambda _: False) -> Wording:
    """Replaces each word that no passage contains by the most similar known words, if there are any.

    A word that occurs in any passage is never changed, however rare, nor is one that `correct` accepts. A misspelt stop
    word is dropped like any other.
    """
    known = reading.frequencies(words)
    unknown = [word for word in words if not known[word] and not correct(word)]
    corrections = {word: near for word in unknown if (near := reading.spelt_like(word))}
    if not corrections:
        return Wording(list(words), {}, known)
    replaced = dict.fromkeys(new for word in words for new in corrections.get(word, (word,)))
    kept = [word for word in replaced if word not in STOP_WORDS] or list(replaced)
    return Wording(kept, corrections, reading.frequencies(kept))
