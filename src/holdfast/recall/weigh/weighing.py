"""Scores candidates by the weighted mean of their measures (docs/research/ranking.md).

Without numpy: a query has about a hundred candidates, and a command would wait longer for numpy's import than for this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from heapq import nlargest
from math import inf, isnan, nan
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen
from holdfast.core.memory import EPISODE
from holdfast.recall.paths import MEANING as BY_MEANING
from holdfast.recall.paths import PREDICTS_RELEVANCE
from holdfast.recall.paths import TAUGHT as BY_TAUGHT
from holdfast.recall.paths import WORDS as BY_WORDS
from holdfast.recall.question import Embedded, Measured, Notes, Question
from holdfast.recall.weigh.context_words import context_scores, replies_at_length, session_scores
from holdfast.recall.weigh.measure_weights import Weights, group_of, learned
from holdfast.recall.weigh.measures import (
    BM25,
    BY_NAME,
    CONTEXT,
    MEANING,
    PREFERRED,
    REPLY,
    SESSION,
    SHARE,
    SPEAKER,
    TIME,
)
from holdfast.recall.weigh.word_measures import Lexical, Terms, bm25_scores, lexical, terms_of

if TYPE_CHECKING:
    from holdfast.recall.query.query_spelling import Wording
    from holdfast.recall.steps import Candidates
    from holdfast.recall.store_parts import PassageSearch
    from holdfast.store.reading import Traits

    Floats = Sequence[float]

# What the best sentence of a message counts in a chat with a model; the whole message counts the rest. Between people,
# where messages rarely mention something in passing, it makes recall worse (docs/research/parts-of-passages.md).
SENTENCE_SHARE = 0.3


@frozen
class Weigh:
    """Scores candidates by words, meaning, session, context, speaker and time, `without` those measures.

    The score is the weighted mean of the available measures, 0 to 1; a passage without a vector is judged by the rest.
    Of more than `most` candidates only the most promising are weighed. The best `sentences` messages are also judged by
    their best sentence. With `ranked`, order and scores stay as an earlier step made them: the measures are evidence.
    """

    reading: PassageSearch
    embed: Callable[[str], Embedded | None]
    wording: Callable[[Question], Wording]
    weights: Weights = field(default_factory=learned)
    without: frozenset[str] = frozenset()
    most: int = 120
    sentences: int = 40
    ranked: bool = False
    name: str = "weigh"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        cosines = self._cosines(question, candidates)
        # What only the search of taught memories found comes on top, so that it takes nobody's place.
        most = max(self.most, 3 * question.limit) + sum(c.ranks.keys() == {BY_TAUGHT.name} for c in candidates)
        at = {candidates[row].passage: row for row in _promising(candidates, cosines, most)}
        traits = self.reading.traits(list(at))
        if not traits.passages:
            return (), {}
        rows = [at[passage] for passage in traits.passages]
        candidates = tuple([candidates[row] for row in rows])
        cosines = self._of_sizes(question, candidates, [cosines[row] for row in rows])
        at_length = replies_at_length(traits.roles, traits.bags)
        measures = self._by_words(question, traits, at_length)
        measures |= {} if all(map(isnan, cosines)) else {MEANING.name: cosines}
        measures |= by_speaker(question, traits.roles, at_length) | self._by_time(question, candidates)
        measures |= _by_preferred_type(question, traits.kinds)
        kept = {name: values for name, values in measures.items() if name not in self.without}
        scaled = _scaled_measures(kept)
        if MEANING.name in kept and "sentences" not in self.without and at_length:
            by_meaning = self._by_sentences(question, traits, kept[MEANING.name], scaled)
            kept, scaled = kept | by_meaning, scaled | _scaled_measures(by_meaning)
        if SESSION.name not in self.without:
            by_session = self._by_session(scaled, traits, 1 - at_length)
            kept, scaled = kept | by_session, scaled | _scaled_measures(by_session)
        if self.ranked:
            return _measured(candidates, traits.kinds, Measured(kept, {})), {}
        notes = {"weights": _shown_weights(traits.kinds, kept, self.weights)}
        return _ranked(candidates, traits.kinds, Measured(kept, scaled), self.weights), notes

    def _cosines(self, question: Question, candidates: Candidates) -> Floats:
        """The cosine of each candidate in standard deviations above unrelated texts; NaN without a vector."""
        path = BY_MEANING.name
        lacking, query = [c.passage for c in candidates if path not in c.raw], self.embed(question.text)
        others = self.reading.similar(query.embedder, query.vector, lacking) if query and lacking else {}
        scaled = query.scale.deviations if query else float
        return [c.raw[path] if path in c.raw else scaled(others.get(c.passage, nan)) for c in candidates]

    def _of_sizes(self, question: Question, candidates: Candidates, cosines: Floats) -> Floats:
        """The same cosines, judged by the sizes of the vectors, so that sizes with higher cosines have no advantage."""
        query = self.embed(question.text)
        if query is None or not query.size:
            return cosines
        passages = [c.passage for c in candidates]
        sizes = self.reading.vector_sizes(query.embedder, passages, query.usual_size)
        if not sizes:
            return cosines
        pairs = zip(passages, cosines, strict=True)
        return [query.deviations_of(sizes[p], cosine) if p in sizes else cosine for p, cosine in pairs]

    def _by_sentences(
        self, question: Question, traits: Traits, cosines: Floats, scaled: Mapping[str, Floats]
    ) -> dict[str, Floats]:
        """The cosines of all; those of the best messages with sentence vectors are mixed with the best sentence's."""
        query, scores = self.embed(question.text), _scores(scaled, traits.kinds, self.weights)
        said = [row for row, type in enumerate(traits.kinds) if type == EPISODE and not isnan(cosines[row])]
        best = {traits.passages[row]: row for row in nlargest(self.sentences, said, key=scores.__getitem__)}
        found = self.reading.similar_sentences(query.embedder, query.vector, list(best)) if query and best else {}
        mixed, deviations = list(cosines), query.scale.deviations if query else float
        for passage, cosine in found.items():
            row = best[passage]
            mixed[row] += SENTENCE_SHARE * (deviations(cosine) - mixed[row])
        return {MEANING.name: mixed}

    def _by_words(self, question: Question, traits: Traits, at_length: float) -> dict[str, Floats]:
        wording = self.wording(question)
        passages = self.reading.passages_count()
        terms = terms_of(question.text, wording.words, wording.known, passages, wording.variants, wording.other_senses)
        measured = lexical(traits.bags, terms)
        words = {BM25.name: measured.bm25, SHARE.name: measured.share}
        return words | self._by_context(traits, terms, measured, 1 - at_length)

    def _by_context(self, traits: Traits, terms: Terms, measured: Lexical, worth: float) -> dict[str, Floats]:
        """How well the messages around each message match, times `worth`; empty if no candidate is a message."""
        said = [p for p, type in zip(traits.passages, traits.kinds, strict=True) if type == EPISODE]
        neighbours = self.reading.adjacent_messages(said) if said else {}
        if not neighbours or CONTEXT.name in self.without:
            return {}
        bm25 = dict(zip(traits.passages, measured.bm25, strict=True))
        others = {beside for pair in neighbours.values() for beside in pair if beside is not None}.difference(bm25)
        if others:
            more = self.reading.traits(list(others))
            bm25 |= zip(more.passages, bm25_scores(more.bags, terms, measured.average), strict=True)
        scores = context_scores(traits.passages, traits.bags, neighbours, bm25)
        # What has no context gets the mean of the messages: otherwise messages would outrank better memories.
        usual = sum(scores) / len(said)
        kinds = zip(scores, traits.kinds, strict=True)
        return {CONTEXT.name: [worth * (score if type == EPISODE else usual) for score, type in kinds]}

    def _by_session(self, scaled: Mapping[str, Floats], traits: Traits, worth: float) -> dict[str, Floats]:
        """How well each candidate's session matches, times `worth`; empty if there are not at least two sessions."""
        if len({session for session in traits.sessions if session is not None}) < 2:
            return {}
        scores = session_scores(_scores(scaled, traits.kinds, self.weights), traits.sessions)
        return {SESSION.name: [worth * score for score in scores]}

    def _by_time(self, question: Question, candidates: Candidates) -> dict[str, Floats]:
        """How near each passage is to the time the query names; empty when it names none."""
        windows = question.windows
        if not windows:
            return {}
        from holdfast.text.days import nearest

        factors = self.reading.factors(question.project, [c.passage for c in candidates], question.filters)
        near = {row.passage: nearest(windows, row.when.date()) for row in factors}
        return {TIME.name: [near.get(c.passage, 0.0) for c in candidates]}


def weighed(
    candidates: Candidates, types: Sequence[str], measures: Mapping[str, Floats], weights: Weights
) -> Candidates:
    """Sorts candidates by the weighted mean of their measures, best first, and attaches the measures.

    `types` are those of the candidates and select the weights. `measures` replace those of an earlier weighing.
    """
    return _ranked(candidates, types, Measured(measures, _scaled_measures(measures)), weights)


def _scaled_measures(measures: Mapping[str, Floats]) -> dict[str, Floats]:
    return {name: BY_NAME[name].scaled(values) for name, values in measures.items()}


def _ranked(candidates: Candidates, types: Sequence[str], measured: Measured, weights: Weights) -> Candidates:
    scores = _scores(measured.scaled, types, weights)
    order = sorted(range(len(candidates)), key=lambda row: (-scores[row], candidates[row].passage))
    # A list inside tuple() is faster than a generator, and a query makes hundreds.
    return tuple([candidates[row].with_measures(scores[row], types[row], measured, row) for row in order])


def _measured(candidates: Candidates, types: Sequence[str], measured: Measured) -> Candidates:
    """The candidates in the order of their scores, with their measures."""
    rows = [c.with_measures(c.score, types[row], measured, row) for row, c in enumerate(candidates)]
    return tuple(sorted(rows, key=lambda c: (-c.score, c.passage)))


def _promising(candidates: Candidates, cosines: Floats, most: int) -> list[int]:
    """The rows of the candidates worth weighing, judged by raw word scores and cosines.

    Keeps candidates of other paths and those without a vector, because these two scores cannot judge them.
    """
    if len(candidates) <= most:
        return list(range(len(candidates)))
    raws = [c.raw for c in candidates]
    words, meaning = _scaled([raw.get(BY_WORDS.name, 0.0) for raw in raws]), _scaled(cosines)
    promise = [
        inf if isnan(near) or not PREDICTS_RELEVANCE.issuperset(raw) else said + near
        for said, near, raw in zip(words, meaning, raws, strict=True)
    ]
    # Not `nlargest`: for half of two hundred, sorting all takes a third of its time.
    best = sorted(range(len(candidates)), key=promise.__getitem__, reverse=True)
    return sorted(best[:most])


def _scaled(values: Floats) -> Floats:
    """Scales scores to 0…1 over the candidates. NaN stays NaN."""
    known = [value for value in values if not isnan(value)]
    low, high = min(known, default=0.0), max(known, default=0.0)
    return [(value - low) / ((high - low) or 1.0) for value in values]


def _scores(scaled: Mapping[str, Floats], types: Sequence[str], weights: Weights) -> list[float]:
    """Returns the weighted mean of the measures of each candidate; a missing measure has no weight.

    Adds one measure of all candidates after the other: that takes a third of the time of the other order.
    """
    by_type = {type: [weights.of(type).get(name, 0.0) for name in scaled] for type in set(types)}
    whole = {type: max(sum(shares), 1e-9) for type, shares in by_type.items()}
    totals = [0.0] * len(types)
    for place, values in enumerate(scaled.values()):
        share = {type: shares[place] for type, shares in by_type.items()}
        if len(set(share.values())) == 1:
            same = next(iter(share.values()))
            totals = [total + value * same for total, value in zip(totals, values, strict=True)]
        else:
            totals = [total + value * share[type] for total, value, type in zip(totals, values, types, strict=True)]
    scores = [total / whole[type] for total, type in zip(totals, types, strict=True)]
    for row, score in enumerate(scores):
        if isnan(score):
            known = [values[row] for values in scaled.values()]
            scores[row] = _score_of_known(known, by_type[types[row]])
    return scores


def _score_of_known(values: Floats, shares: Sequence[float]) -> float:
    known = [(value, share) for value, share in zip(values, shares, strict=True) if not isnan(value)]
    return sum(value * share for value, share in known) / max(sum(share for _, share in known), 1e-9)


def _shown_weights(types: Sequence[str], names: Iterable[str], weights: Weights) -> Mapping[str, Mapping[str, float]]:
    """Returns, for the trace, the weight of each measure by group of passage types among the candidates."""
    return {group: {name: weights.of(group).get(name, 0.0) for name in names} for group in _groups(types)}


def _groups(types: Iterable[str]) -> list[str]:
    return sorted(set(map(group_of, set(types))))


def by_speaker(question: Question, roles: Sequence[str | None], at_length: float) -> dict[str, Floats]:
    """Ranks the assistant lower in chats with a model, or prefers it if the query asks for its words."""
    if question.asks_assistant and {"user", "assistant"} <= set(roles):
        return {REPLY.name: [float(role == "assistant") for role in roles]}
    return {SPEAKER.name: [at_length * (role != "assistant") for role in roles]} if at_length else {}


def _by_preferred_type(question: Question, types: Sequence[str]) -> dict[str, Floats]:
    """Prefers messages for "what did we say", learned memories and documents for "what is the rule". Else empty."""
    if question.asks_conversation:
        return {PREFERRED.name: [float(type == EPISODE) for type in types]}
    if question.asks_rule:
        return {PREFERRED.name: [float(type != EPISODE) for type in types]}
    return {}
