"""Finds documents by their title or file name, and raises the chunks of those whose title the query names."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen
from holdfast.core.memory import DOCUMENT_PASSAGE_TYPES
from holdfast.recall.paths import TITLE
from holdfast.recall.recall_reasons import RecallCode
from holdfast.recall.steps import Candidates, Ranked, Search
from holdfast.recall.weigh.word_measures import Terms, terms_of
from holdfast.text.bags import keys_of
from holdfast.text.patterns import compiled
from holdfast.text.words import words

if TYPE_CHECKING:
    from holdfast.recall.query.query_spelling import Wording
    from holdfast.recall.question import Notes, Question
    from holdfast.recall.store_parts import RecallReading
    from holdfast.store.reading import DocumentReading

# File names that say nothing; their folder does.
_GENERIC = frozenset({"index", "_index", "readme", "__init__", "mod", "main", "page"})
# A full match of the title raises a score to 1. The power keeps weaker matches from doing much.
_POWER = 4
_HUMP = r"(?<=[a-z0-9])(?=[A-Z])"


@frozen
class ByTitle(Search):
    """Finds documents whose title or path contains words of the query, each by its first chunk."""

    reading: DocumentReading
    wording: Callable[[Question], Wording]
    top: int = 10
    name: str = TITLE.name

    def search(self, question: Question) -> tuple[Ranked, Notes]:
        types = question.filters.types
        if types and not set(types) & set(DOCUMENT_PASSAGE_TYPES):
            return (), {"skipped": RecallCode.NO_DOCUMENTS}
        wording = self.wording(question)
        found = self.reading.find_titles(question.project, wording.words, question.filters, self.top, wording.variants)
        return found, {}


@frozen
class TitleMatch:
    """Raises the chunks of documents whose title or file name the query names, and lowers none.

    The factor `title` is the harmonic mean of two shares: how much of the query is in the title and path, weighted by
    rarity, and how many words of the title or file name are in the query.
    """

    reading: RecallReading
    wording: Callable[[Question], Wording]
    name: str = "titles"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        chunks = [c.passage for c in candidates if c.type in DOCUMENT_PASSAGE_TYPES]
        if not chunks:
            return candidates, {"skipped": RecallCode.NO_DOCUMENTS}
        wording = self.wording(question)
        passages = self.reading.passages_count()
        terms = terms_of(question.text, wording.words, wording.known, passages, wording.variants)
        matches = title_matches(terms, self.reading.titles(chunks))
        raised = (
            c.with_factors({"title": match}, c.score + match**_POWER * (1 - c.score))
            if (match := matches.get(c.passage))
            else c
            for c in candidates
        )
        return tuple(sorted(raised, key=lambda c: (-c.score, c.passage))), {"matched": len(matches)}


def title_matches(terms: Terms, titles: Mapping[int, tuple[str, str]]) -> dict[int, float]:
    """How well a query names the document of each passage, 0 to 1: by title or file name, whichever fits better.

    `titles` has the title and path of each passage's document. Passages without any match are left out.
    """
    asked = frozenset(terms.keys).union(*(variant for variants in terms.variants.values() for variant in variants))
    fits: dict[tuple[str, str], float] = {}
    for title, path in set(titles.values()):
        name, folders = _name_of(path)
        fits[title, path] = max(_fit(terms, asked, field, folders) for field in (name, title))
    return {passage: fits[named] for passage, named in titles.items() if fits[named]}


def _fit(terms: Terms, asked: frozenset[int], field: str, folders: str) -> float:
    own = _words_of(field)
    named = sum(not keys.isdisjoint(asked) for keys in own)
    if not named:
        return 0.0
    around = _keys(f"{field} {folders}")
    rarity = zip(terms.keys, terms.rarity, strict=True)
    cover = sum(weight for key, weight in rarity if key in around or _has_variant(terms, key, around)) / terms.total
    share = named / len(own)
    return 2 * cover * share / (cover + share)


def _has_variant(terms: Terms, key: int, keys: frozenset[int]) -> bool:
    return any(variant and keys.issuperset(variant) for variant in terms.variants.get(key, ()))


@lru_cache(maxsize=1 << 12)
def _name_of(path: str) -> tuple[str, str]:
    """The name of a file without its extension and number, and its folders; of a generic name, the folder's name."""
    folders, _, file = path.rpartition("/")
    name = os.path.splitext(file)[0]
    if name.lower() in _GENERIC and folders:
        folders, _, name = folders.rpartition("/")
    return name, folders


@lru_cache(maxsize=1 << 12)
def _words_of(field: str) -> tuple[frozenset[int], ...]:
    """The keys of each word of a title; numbers are left out, unless it has nothing else."""
    found = words(compiled(_HUMP).sub(" ", field))
    plain = [word for word in found if not word.isdigit()] or found
    return tuple(frozenset(keys) for word in plain if (keys := keys_of(word)))


@lru_cache(maxsize=1 << 12)
def _keys(text: str) -> frozenset[int]:
    return frozenset(key for word in words(text) for key in keys_of(word))
