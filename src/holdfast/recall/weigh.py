"""Scores candidates by the weighted mean of their measures (docs/decisions/0011-fused-weights.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from itertools import chain
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from holdfast.core.frozen import frozen
from holdfast.recall.features import lexical, terms_of
from holdfast.recall.measures import ABSOLUTE, BM25, MEANING, REPLY, SESSION, SHARE, SPEAKER, TIME, VIEWS
from holdfast.recall.paths import MEANING as BY_MEANING
from holdfast.recall.paths import PREDICTS_RELEVANCE
from holdfast.recall.paths import WORDS as BY_WORDS
from holdfast.recall.question import Embedded, Measured, Notes, Question
from holdfast.recall.weights import Weights, group_of, learned

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.recall.reading import PassageSearch
    from holdfast.recall.spelling import Wording
    from holdfast.recall.steps import Candidates
    from holdfast.store.reading import Traits

    Floats = NDArray[np.float32]


@frozen
class Weigh:
    """Scores candidates by words, meaning, sentences, session, speaker and time.

    The score is the weighted mean of the available measures, 0 to 1; a passage without a vector is judged by the rest.
    Of more than `most` candidates only the most promising are weighed.
    """

    reading: PassageSearch
    embed: Callable[[str], Embedded | None]
    wording: Callable[[Question], Wording]
    weights: Weights = field(default_factory=learned)
    without: frozenset[str] = frozenset()
    most: int = 120
    name: str = "weigh"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        cosines = self._cosines(question, candidates)
        at = {
            candidates[row].passage: row for row in _promising(candidates, cosines, max(self.most, 3 * question.limit))
        }
        traits = self.reading.traits(list(at))
        if not traits.passages:
            return (), {}
        rows = [at[passage] for passage in traits.passages]
        candidates, cosines = tuple([candidates[row] for row in rows]), cosines[rows]
        measures = self._by_words(question, traits) | self._by_meaning(question, candidates, cosines)
        measures |= _by_speaker(question, traits.roles) | self._by_time(question, candidates)
        kept = {name: values for name, values in measures.items() if name not in self.without}
        notes = {"weights": _shown_weights(traits.kinds, kept, self.weights)}
        return weighed(candidates, traits.kinds, kept, self.weights), notes

    def _cosines(self, question: Question, candidates: Candidates) -> Floats:
        """The cosine of each candidate; NaN for a passage without a vector."""
        path = BY_MEANING.name
        lacking, query = [c.passage for c in candidates if path not in c.raw], self.embed(question.text)
        others = self.reading.similar(query.embedder, query.vector, lacking) if query and lacking else {}
        cosines = [c.raw[path] if path in c.raw else others.get(c.passage, nan) for c in candidates]
        return np.array(cosines, np.float32)

    def _by_meaning(self, question: Question, candidates: Candidates, cosines: Floats) -> dict[str, Floats]:
        """The cosine of each passage and of its nearest sentence; empty when no passage has a vector."""
        query = self.embed(question.text)
        if query is None or np.isnan(cosines).all():
            return {}
        measures = {MEANING.name: cosines}
        passages = [c.passage for c in candidates]
        if VIEWS.name not in self.without and (views := self.reading.views(query.embedder, passages)):
            from holdfast.models.views import compare_views

            # The whole passage counts as one more sentence, so that a passage without views is not left behind.
            sentences = compare_views(query.vector, [views.get(passage, b"") for passage in passages])
            measures[VIEWS.name] = np.where(np.isnan(cosines), nan, np.fmax(sentences, cosines))
        return measures

    def _by_words(self, question: Question, traits: Traits) -> dict[str, Floats]:
        wording = self.wording(question)
        terms = terms_of(question.text, wording.words, wording.known, self.reading.passages_count())
        measured = lexical(traits.bags, terms, _numbered(traits.sessions))
        return {BM25.name: measured.bm25, SHARE.name: measured.share, SESSION.name: measured.session}

    def _by_time(self, question: Question, candidates: Candidates) -> dict[str, Floats]:
        """How near each passage is to the time the query names; empty when it names none."""
        windows = question.windows
        if not windows:
            return {}
        from holdfast.recall.when import nearest

        factors = self.reading.factors(question.project, [c.passage for c in candidates], question.filters)
        near = {row.passage: nearest(windows, row.when.date()) for row in factors}
        return {TIME.name: np.array([near.get(c.passage, 0.0) for c in candidates], np.float32)}


def weighed(
    candidates: Candidates, types: Sequence[str], measures: Mapping[str, Floats], weights: Weights
) -> Candidates:
    """Sorts candidates by the weighted mean of their measures, best first, and attaches the measures.

    `types` are those of the candidates and select the weights. `measures` replace those of an earlier weighing.
    """
    raw = np.array(list(measures.values()), np.float32)
    scaled = _scaled(raw, measures)
    scores = _scores(scaled, _weight_matrix(types, measures, weights))
    order = np.lexsort((np.array([c.passage for c in candidates]), -scores))
    measured = Measured({name: row for row, name in enumerate(measures)}, raw, scaled)
    # A list inside tuple() is faster than a generator, and a query makes hundreds.
    return tuple(
        [
            candidates[row].with_measures(score, types[row], measured, row)
            for row, score in zip(order.tolist(), scores[order].tolist(), strict=True)
        ]
    )


def _promising(candidates: Candidates, cosines: Floats, most: int) -> list[int]:
    """The rows of the candidates worth weighing, judged by raw word scores and cosines.

    Keeps candidates of other paths and those without a vector, because these two scores cannot judge them.
    """
    if len(candidates) <= most:
        return list(range(len(candidates)))
    raws = [c.raw for c in candidates]
    words = np.array([raw.get(BY_WORDS.name, 0.0) for raw in raws], np.float32)
    promise = _scaled(np.array((words, cosines)), (BY_WORDS.name, BY_MEANING.name)).sum(0)
    if not PREDICTS_RELEVANCE.issuperset(chain.from_iterable(raws)):
        promise[[not PREDICTS_RELEVANCE.issuperset(raw) for raw in raws]] = nan
    # NaN sorts behind all numbers, so these candidates are kept.
    rows: list[int] = promise.argpartition(len(candidates) - most)[-most:].tolist()
    return sorted(rows)


def _scaled(raw: Floats, names: Iterable[str]) -> Floats:
    """Scales each measure to 0…1 over the candidates, except absolute ones."""
    # Not `nanmin`: this is several times faster, and gives NaN without a warning where nothing was measured.
    low, high = np.fmin.reduce(raw, axis=1, keepdims=True), np.fmax.reduce(raw, axis=1, keepdims=True)
    for row, name in enumerate(names):
        if name in ABSOLUTE:
            low[row], high[row] = 0.0, 1.0
    spread: Floats = high - low
    same = ~(spread > 0)
    spread[same] = 1.0
    scaled: Floats = (raw - low) / spread
    if same.any():
        # If all values are equal, each scales to 1, or to 0 if all are 0.
        scaled += same & (high > 0)
    return scaled


def _scores(scaled: Floats, weights: Floats) -> Floats:
    """Returns the weighted mean of the measures of each candidate; a missing measure has no weight."""
    lacking = np.isnan(scaled)
    if lacking.any():
        scaled, weights = np.nan_to_num(scaled), weights * ~lacking
    scores: Floats = (weights * scaled).sum(0) / np.maximum(weights.sum(0), 1e-9)
    return scores


def _weight_matrix(types: Sequence[str], names: Iterable[str], weights: Weights) -> Floats:
    """Returns the weights of the measures: one column per candidate, or a single column if all share their weights."""
    groups = {group: column for column, group in enumerate(_groups(types))}
    each = np.array([[weights.of(group).get(name, 0.0) for group in groups] for name in names], np.float32)
    return each if len(groups) == 1 else each[:, [groups[group_of(type)] for type in types]]


def _shown_weights(types: Sequence[str], names: Iterable[str], weights: Weights) -> Mapping[str, Mapping[str, float]]:
    """Returns, for the trace, the weight of each measure by group of passage types among the candidates."""
    return {group: {name: weights.of(group).get(name, 0.0) for name in names} for group in _groups(types)}


def _groups(types: Iterable[str]) -> list[str]:
    return sorted(set(map(group_of, set(types))))


def _by_speaker(question: Question, roles: Sequence[str | None]) -> dict[str, Floats]:
    """Prefers the user's messages, or the assistant's if the query asks for those. Empty unless both spoke."""
    if not {"user", "assistant"} <= set(roles):
        return {}
    wanted, measure = ("assistant", REPLY) if question.asks_assistant else ("user", SPEAKER)
    return {measure.name: np.array([role == wanted for role in roles], np.float32)}


def _numbered(sessions: Sequence[str | None]) -> NDArray[np.int64]:
    """Numbers the sessions from 0 on; a passage without a session gets a number of its own."""
    if not any(sessions):
        return np.arange(len(sessions))
    numbers: dict[str | int, int] = {}
    return np.array([numbers.setdefault(of or at, len(numbers)) for at, of in enumerate(sessions)], np.int64)
