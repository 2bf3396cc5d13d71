"""Measures the candidates of a question as recall does, in a store that is held in memory.

Calls the functions of recall for every measure. Spelling correction, variants of words, and dates named by the question
are left out: they have no weight to choose, or too few of the questions need them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
from bench.recall.pool import Pool, Question

from holdfast.core.answer import Filters
from holdfast.recall.question import Question as Query
from holdfast.recall.weigh.context_words import context_scores, replies_at_length
from holdfast.recall.weigh.measures import BM25, BY_NAME, CONTEXT, MEANING, REPLY, SESSION, SHARE, SPEAKER
from holdfast.recall.weigh.weighing import SENTENCE_SHARE, by_speaker
from holdfast.recall.weigh.word_measures import Lexical, Terms, bm25_scores, lexical, terms_of
from holdfast.store.vectors.four_bits import best_cosines, pack
from holdfast.text.bags import bag, counts_of, keys_of, length_of
from holdfast.text.sentence_windows import sentence_windows
from holdfast.text.words import words

if TYPE_CHECKING:
    from bench.recall.vectors import KeptVectors
    from numpy.typing import NDArray

    from holdfast.core.cosine_scale import CosineScale

    Floats = NDArray[np.float64]
    Rows = NDArray[np.intp]
    Mask = NDArray[np.bool_]
    Pair = tuple[int | None, int | None]

# The measures whose weights are chosen, and that of the assistant's replies. These are the columns of `Case.scaled`.
NAMES = tuple(measure.name for measure in (MEANING, BM25, SHARE, CONTEXT, SPEAKER, REPLY))
# As in the default recipe: candidates by each path, and messages whose neighbours are candidates too.
_TOP, _TOP_WITH_NEIGHBOURS = 80, 20
_NOW = datetime(2024, 1, 1, tzinfo=UTC)
# A message with more characters has sentence vectors (store/sqlite/schema/0030_sentences.sql).
_LONG = 160
_NO_ROWS = np.array([], np.intp)
_ALL_KEYS = range(1 << 24)


@dataclass(frozen=True, slots=True)
class Case:
    """The candidates of one question: their rows in the store, their scaled measures, and the rows that answer.

    `near` and `matched` are the measures by which evidence is judged: meaning in deviations, and the matched share.
    `between_people` is 1 for a conversation between people and 0 for a chat with a model.
    """

    rows: Rows
    scaled: Floats
    near: Floats
    matched: Floats
    right: frozenset[int]
    sessions: Rows
    between_people: float = 1.0

    def order(self, weights: Mapping[str, float]) -> Rows:
        """The places of the candidates, best first. The weighted sum has the order of the weighted mean."""
        by_name = np.array([weights[name] for name in NAMES])
        summed: Floats = self.scaled @ by_name
        if weight := weights.get(SESSION.name, 0.0):
            summed = summed + weight * self.between_people * self._by_session(summed / by_name.sum())
        return np.argsort(-summed, kind="stable")

    def _by_session(self, scores: Floats) -> Floats:
        """What `session_scores` of recall computes, in an array: it is called for every weight and question."""
        _, at = np.unique(self.sessions, return_inverse=True)
        best = np.zeros(at.max(initial=-1) + 1)
        np.maximum.at(best, at, scores)
        return best[at]


class FitStore:
    """One store of a set: its units, their vectors and their words."""

    def __init__(
        self, pool: Pool, vectors: KeptVectors, scale: CosineScale, sentence_share: float = SENTENCE_SHARE
    ) -> None:
        """`sentence_share` is what the best sentence of a long message counts."""
        self.pool = pool
        self._sentence_share = sentence_share
        self._sentences = _sentence_vectors(pool, vectors) if sentence_share else {}
        self._model, self._scale = vectors, scale
        self._embedded = vectors.passages([unit.full_text for unit in pool.units])
        self._bags = [bag(unit.text) for unit in pool.units]
        self._lengths = np.array([length_of(packed) for packed in self._bags])
        self._roles = [unit.role or None for unit in pool.units]
        self._containing = _containing(self._bags)
        self._beside = _beside(pool) if pool.kind == "said" else {}
        self._sessions = _sessions(pool)

    def __len__(self) -> int:
        return len(self._bags)

    def right(self, question: Question) -> frozenset[int]:
        """The rows of the units that answer."""
        found = enumerate(self.pool.units)
        if self.pool.kind == "said":
            return frozenset(row for row, unit in found if unit.key in question.keys)
        if not question.spans:
            return frozenset(row for row, unit in found if unit.group in question.groups)
        return frozenset(
            row
            for row, unit in found
            if any(unit.group == s.group and unit.start < s.end and s.start < unit.end for s in question.spans)
        )

    def near(self, text: str) -> Floats:
        """The cosine of every unit, in standard deviations above unrelated texts."""
        cosines: Floats = (self._embedded @ self._model.questions([text])[0]).astype(float)
        return (cosines - self._scale.mean) / self._scale.deviation

    def case(self, text: str, right: frozenset[int], near: Floats, present: Mask | None = None) -> Case:
        """Finds and measures the candidates, as if the store had only the units that are `present`."""
        present = np.ones(len(self), bool) if present is None else present
        terms = self._terms(text, present)
        rows = self._candidates(terms, near, present)
        bags = [self._bags[row] for row in rows]
        measured = lexical(bags, terms)
        roles = [self._roles[row] for row in rows]
        at_length = replies_at_length(roles, bags)
        context = [(1 - at_length) * score for score in self._context(rows, measured, terms, present)]
        close = self._by_sentences(text, rows, near[rows], at_length)
        values: dict[str, Sequence[float]] = {MEANING.name: close.tolist(), BM25.name: measured.bm25}
        values |= {SHARE.name: measured.share, CONTEXT.name: context}
        values |= by_speaker(Query(text, "", Filters(), 10, _NOW), roles, at_length)
        nothing = [0.0] * len(rows)
        scaled = [BY_NAME[name].scaled(values.get(name, nothing)) for name in NAMES]
        return Case(
            rows, np.array(scaled).T, close, np.array(measured.share), right, self._sessions[rows], 1 - at_length
        )

    def _by_sentences(self, text: str, rows: Rows, near: Floats, at_length: float) -> Floats:
        """The cosines of candidates; of those with sentence vectors, the mean with that of the best sentence.

        As in recall, only in chats with a model, which are recognised by replies `at_length`.
        """
        found = [place for place, row in enumerate(rows.tolist()) if row in self._sentences]
        if not found:
            return near
        packed = [self._sentences[row] for row in rows[found].tolist()]
        best = np.array(best_cosines(self._model.questions([text])[0], packed))
        mixed, share = near.copy(), self._sentence_share if at_length else 0.0
        mixed[found] += share * ((best - self._scale.mean) / self._scale.deviation - near[found])
        return mixed

    def _terms(self, text: str, present: Mask) -> Terms:
        written = words(text)
        return terms_of(text, written, {word: self._count(word, present) for word in written}, int(present.sum()))

    def _count(self, word: str, present: Mask) -> int:
        """How many of the units contain the word; for a compound name, its rarest part."""
        return min((int(present[self._rows_with(key)].sum()) for key in keys_of(word)), default=0)

    def _rows_with(self, key: int) -> Rows:
        return self._containing.get(key, _NO_ROWS)

    def _candidates(self, terms: Terms, near: Floats, present: Mask) -> Rows:
        """The nearest units, those that match the words best, and the messages beside the best of these."""
        by_meaning = _highest(np.where(present, near, -np.inf), min(_TOP, int(present.sum())))
        matching = np.zeros(len(self), bool)
        for key in terms.keys:
            matching[self._rows_with(key)] = True
        rows = np.flatnonzero(matching & present)
        scores = bm25_scores([self._bags[row] for row in rows], terms, max(float(self._lengths[present].mean()), 1.0))
        by_words = rows[_highest(np.array(scores), _TOP)]
        best = by_words[:_TOP_WITH_NEIGHBOURS].tolist()
        beside = [beside for row in best for beside in self._neighbours(row, present) if beside is not None]
        return np.unique(np.concatenate((by_meaning, by_words, np.array(beside, np.intp))))

    def _context(self, rows: Rows, measured: Lexical, terms: Terms, present: Mask) -> list[float]:
        """How well the messages around each candidate match."""
        bm25 = dict(zip(rows.tolist(), measured.bm25, strict=True))
        neighbours = {row: self._neighbours(row, present) for row in bm25}
        others = [row for pair in neighbours.values() for row in pair if row is not None and row not in bm25]
        bm25 |= zip(others, bm25_scores([self._bags[row] for row in others], terms, measured.average), strict=True)
        return context_scores(rows.tolist(), [self._bags[row] for row in rows], neighbours, bm25)

    def _neighbours(self, row: int, present: Mask) -> Pair:
        before, after = (
            beside if beside is not None and present[beside] else None for beside in self._beside.get(row, (None, None))
        )
        return before, after


def _highest(values: Floats, count: int) -> Rows:
    return np.argsort(-values, kind="stable")[:count]


def _containing(bags: Sequence[bytes]) -> dict[int, Rows]:
    """The rows whose text contains each key."""
    rows: dict[int, list[int]] = {}
    for row, packed in enumerate(bags):
        for key in counts_of(packed, _ALL_KEYS)[1]:
            rows.setdefault(key, []).append(row)
    return {key: np.array(found) for key, found in rows.items()}


def _sentence_vectors(pool: Pool, vectors: KeptVectors) -> dict[int, bytes]:
    """The packed sentence vectors of the messages that get some, by row."""
    said = enumerate(pool.units if pool.kind == "said" else ())
    units = {row: unit for row, unit in said if unit.role != "assistant" and len(unit.text) > _LONG}
    windows = {row: sentence_windows(unit.text) for row, unit in units.items()}
    texts = {row: [replace(units[row], text=text).full_text for text in found] for row, found in windows.items()}
    made = iter(vectors.passages([text for found in texts.values() for text in found]).astype("<f2"))
    rows = {row: b"".join(next(made).tobytes() for _ in found) for row, found in texts.items()}
    return {row: pack(data, vectors.dimensions) for row, data in rows.items() if data}


def _beside(pool: Pool) -> dict[int, Pair]:
    """The rows of the messages before and after each message, within its session."""
    rows = {unit.key: row for row, unit in enumerate(pool.units)}
    beside: dict[int, Pair] = {}
    for units in pool.sessions().values():
        said = [rows[unit.key] for unit in units]
        beside |= zip(said, zip([None, *said[:-1]], [*said[1:], None], strict=True), strict=True)
    return beside


def _sessions(pool: Pool) -> Rows:
    """The number of each unit's session; a unit without one is its own session."""
    numbers = np.arange(len(pool.units))
    rows = {unit.key: row for row, unit in enumerate(pool.units)}
    for units in pool.sessions().values() if pool.kind == "said" else ():
        numbers[[rows[unit.key] for unit in units]] = rows[units[0].key]
    return numbers
