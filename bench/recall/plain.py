"""Baseline searches: words only, vectors only, and both combined in two ways."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.recall.pool import Answer, Pool, Question
from holdfast.bench.measure import show_progress

if TYPE_CHECKING:
    from bench.recall.vectors import KeptVectors
    from holdfast.models.protocols import Vectors

HYBRID = "plain hybrid"
RRF_K = 60
# Length of a ranking before fusion; more changes nothing in the first fifty.
_DEPTH = 1000


class ByWords:
    """BM25 with its own FTS5 table: Porter stems, no stop words, any of the words."""

    name = "plain BM25"

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._keys = [unit.key for unit in pool.units]
        self._db = sqlite3.connect(":memory:")
        self._db.execute("create virtual table units using fts5(text, tokenize='porter unicode61')")
        rows = ((row, unit.text) for row, unit in enumerate(pool.units, 1))
        self._db.executemany("insert into units (rowid, text) values (?, ?)", rows)

    def ask(self, question: Question, limit: int) -> Answer:
        return _timed(self._pool, lambda: self.rank(question)[:limit])

    def rank(self, question: Question) -> list[str]:
        query = "select rowid from units where units match ? order by bm25(units), rowid limit ?"
        found = self._db.execute(query, (_any_word(question), _DEPTH)) if _any_word(question) else ()
        return [self._keys[row - 1] for (row,) in found]

    def scores(self, question: Question) -> Vectors:
        """BM25 of every unit, more is better; 0 without a common word."""
        import numpy as np

        scores = np.zeros(len(self._keys), np.float32)
        if _any_word(question):
            query = "select rowid, bm25(units) from units where units match ?"
            for row, score in self._db.execute(query, (_any_word(question),)):
                scores[row - 1] = -score
        return scores


class ByMeaning:
    """Exact cosine comparison with all vectors of the bundled model."""

    name = "plain vectors"

    def __init__(self, pool: Pool, vectors: KeptVectors) -> None:
        self._pool = pool
        self._keys = [unit.key for unit in pool.units]
        self._vectors = vectors
        self._rows = _embedded(pool, vectors)

    def ask(self, question: Question, limit: int) -> Answer:
        self._vectors.questions([question.text])  # without embedding, as for all systems
        return _timed(self._pool, lambda: self.rank(question)[:limit])

    def rank(self, question: Question) -> list[str]:
        import numpy as np

        return [self._keys[row] for row in np.argsort(-self.scores(question), kind="stable")[:_DEPTH]]

    def scores(self, question: Question) -> Vectors:
        """The cosine of every unit."""
        near: Vectors = self._rows @ self._vectors.questions([question.text])[0]
        return near


@dataclass(frozen=True, slots=True)
class ByBoth:
    """Reciprocal rank fusion of the two, k = 60."""

    pool: Pool
    paths: tuple[ByWords, ByMeaning]
    name: str = "plain RRF"

    def ask(self, question: Question, limit: int) -> Answer:
        self.paths[1].rank(question)
        return _timed(self.pool, lambda: self.rank(question)[:limit])

    def rank(self, question: Question) -> list[str]:
        scores: dict[str, float] = {}
        for path in self.paths:
            for place, key in enumerate(path.rank(question), 1):
                scores[key] = scores.get(key, 0.0) + 1 / (RRF_K + place)
        return sorted(scores, key=lambda key: -scores[key])


@dataclass(frozen=True, slots=True)
class Hybrid:
    """0.6 × vectors + 0.4 × BM25, both scaled to 0…1 per question: ten lines that every release must beat."""

    pool: Pool
    paths: tuple[ByWords, ByMeaning]
    name: str = HYBRID

    def ask(self, question: Question, limit: int) -> Answer:
        self.paths[1].rank(question)
        return _timed(self.pool, lambda: self.rank(question)[:limit])

    def rank(self, question: Question) -> list[str]:
        import numpy as np

        words, meaning = (_scaled(path.scores(question)) for path in self.paths)
        order = np.argsort(-(0.6 * meaning + 0.4 * words), kind="stable")
        return [self.pool.units[row].key for row in order[:_DEPTH]]


def _scaled(scores: Vectors) -> Vectors:
    low, high = float(scores.min()), float(scores.max())
    return (scores - low) / (high - low) if high > low else scores - low


def _any_word(question: Question) -> str:
    return " OR ".join(f'"{word}"' for word in telling_words(question.text))


def telling_words(text: str) -> list[str]:
    """The distinct words of a text without stop words, independent of the product's tokeniser."""
    found = dict.fromkeys(word.lower() for word in re.findall(r"\w+", text))
    return [word for word in found if word not in STOP_WORDS] or list(found)


STOP_WORDS = frozenset(
    """a about after all also am an and any are as at be because been before being between both but by can could d did
    do does doing down during each few for from further had has have having he her here hers him his how i if in into
    is it its itself just ll m me more most my myself no nor not now of off on once only or other our ours out over own
    re s same she should so some such t than that the their theirs them then there these they this those through to too
    under until up ve very was we were what when where which while who whom why will with would you your yours
    yourself""".split()
)

Plain = ByWords | ByMeaning | ByBoth | Hybrid


def plain(pool: Pool, vectors: KeptVectors) -> tuple[Plain, ...]:
    """Creates the baselines. Embeds texts that have no vector yet."""
    words, meaning = paths = ByWords(pool), ByMeaning(pool, vectors)
    return Hybrid(pool, paths), words, meaning, ByBoth(pool, paths)


def _embedded(pool: Pool, vectors: KeptVectors) -> Vectors:
    total = len(pool.units)
    texts = [unit.full_text for unit in pool.units]
    return vectors.passages(texts, lambda done: _say(pool.name, done, total))


def _say(name: str, done: int, total: int) -> None:
    if done % 500 == 0:
        show_progress(f"{name}: {done:,} of {total:,} embedded for the plain searches")


def _timed(pool: Pool, rank: Callable[[], Sequence[str]]) -> Answer:
    started = time.perf_counter()
    keys = rank()
    seconds = time.perf_counter() - started
    return Answer(pool.found(keys), seconds=seconds)
