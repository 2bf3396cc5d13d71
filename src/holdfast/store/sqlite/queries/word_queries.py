"""Looks up words in SQLite."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.store.sqlite.queries.query_parts import SqliteReader
from holdfast.store.sqlite.vocabulary import Vocabulary, WordCounts

if TYPE_CHECKING:
    from holdfast.store.reading.word_reading import Variants
    from holdfast.store.sqlite.database import Database

NO_VARIANTS: Mapping[str, Sequence[str]] = {}


class SqliteWordReading(SqliteReader):
    """`WordReading` on SQLite."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        super().__init__(database, now)
        self._counts = WordCounts(database)
        self._vocabulary = Vocabulary(database)

    def frequencies(self, words: Sequence[str], variants: Variants = NO_VARIANTS) -> Mapping[str, int]:
        return self._counts.of(words, variants)

    def families(self, words: Sequence[str], *, french: bool = False) -> Mapping[str, tuple[str, ...]]:
        return self._vocabulary.families(words, french=french)

    def spelt_like(self, word: str, limit: int = 3) -> tuple[str, ...]:
        # The cached count comes first: a counted word exists, and most words of a query were counted before.
        return () if self._counts.cached(word) else self._vocabulary.like(word, limit)
