"""The fused score: every measure of a candidate, each at its weight (R-C1, R-C5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from holdfast.core.memory import nothing
from holdfast.recall.features import lexical, terms_of
from holdfast.recall.question import Embedded, Found, Measured, Notes, Question
from holdfast.recall.weights import Weights, kind_of, learned

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holdfast.recall.reading import PassageSearch
    from holdfast.recall.spelling import Wording
    from holdfast.recall.steps import Candidates
    from holdfast.store.reading import PassageReading, Traits

    Floats = NDArray[np.float32]

# The paths whose scores say how likely a candidate is.
_SEEN = frozenset({"words", "meaning"})
# Measures that mean the same for every question; the others are brought to 0…1 over its candidates.
_PLAIN = frozenset({"speaker", "reply", "time"})


@dataclass(frozen=True, slots=True)
class Weigh:
    """Scores the candidates by words, meaning, session, speaker and time.

    The score is the weighted mean of the measures that can be taken, 0 to 1: a passage whose vector is still to come is
    judged by the rest. Of more than `most` candidates only the likeliest are weighed.
    """

    reading: PassageSearch
    embed: Callable[[str], Embedded | None]
    wording: Callable[[Question], Wording]
    weights: Weights = field(default_factory=learned)
    without: frozenset[str] = frozenset()
    most: int = 120
    name: str = "weigh"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        near = self._near(question, found)
        at = {found[row].passage: row for row in _likely(found, near, max(self.most, 3 * question.limit))}
        traits = self.reading.traits(list(at))
        if not traits.passages:
            return (), {}
        rows = [at[passage] for passage in traits.passages]
        found, near = tuple([found[row] for row in rows]), near[rows]
        measures = self._by_words(question, traits) | ({} if np.isnan(near).all() else {"meaning": near})
        measures |= _by_speaker(question, traits.roles) | self._by_time(question, found)
        kept = {name: values for name, values in measures.items() if name not in self.without}
        told = {"weights": _told(traits.kinds, kept, self.weights)}
        return weighed(found, traits.kinds, kept, self.weights), told

    def _near(self, question: Question, found: Candidates) -> Floats:
        """The cosine of each candidate; not a number where there is no vector."""
        lacking, asked = [one.passage for one in found if "meaning" not in one.raw], self.embed(question.text)
        others = self.reading.similar(asked.embedder, asked.vector, lacking) if asked and lacking else {}
        near = [one.raw["meaning"] if "meaning" in one.raw else others.get(one.passage, nan) for one in found]
        return np.array(near, np.float32)

    def _by_words(self, question: Question, traits: Traits) -> dict[str, Floats]:
        asked = self.wording(question)
        terms = terms_of(question.text, asked.words, asked.known, self.reading.passages_count())
        measured = lexical(traits.bags, terms, _numbered(traits.sessions))
        return {"bm25": measured.bm25, "share": measured.share, "session": measured.session}

    def _by_time(self, question: Question, found: Candidates) -> dict[str, Floats]:
        """How near to the time the question names; nothing when it names none."""
        windows = question.windows
        if not windows:
            return {}
        from holdfast.recall.when import nearest

        factors = self.reading.factors(question.project, [one.passage for one in found], question.filters)
        near = {of.passage: nearest(windows, of.when.date()) for of in factors}
        return {"time": np.array([near.get(one.passage, 0.0) for one in found], np.float32)}


@dataclass(frozen=True, slots=True)
class TokenRerank:
    """Late interaction with the best candidates: their sentences and their tokens against the question's (R-C5).

    Wants what `Weigh` measured. Passes when the model offers no closer look.
    """

    reading: PassageReading
    embed: Callable[[str], Embedded | None]
    weights: Weights = field(default_factory=learned)
    without: frozenset[str] = frozenset()
    deep: int = 120
    name: str = "token_rerank"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        asked = self.embed(question.text)
        if asked is None or asked.tokens is None or not found:
            return found, {"skipped": "no token codes with this embedder"}
        top, rest = found[: self.deep], found[self.deep :]
        before = _measures(top)
        measures = before | self._closely(asked, top, before.get("meaning"))
        kept = {name: values for name, values in measures.items() if name not in self.without}
        kinds = [one.kind for one in top]
        ordered = weighed(top, kinds, kept, self.weights)
        lowest = ordered[-1].score
        # Why: what was not looked at stays behind what was.
        behind = tuple(one._replace(score=min(one.score, lowest)) for one in rest)
        return (*ordered, *behind), {"looked at": len(top), "weights": _told(kinds, kept, self.weights)}

    def _closely(self, asked: Embedded, found: Candidates, whole: Floats | None) -> dict[str, Floats]:
        from holdfast.models.late_interaction import compare_tokens, compare_views

        assert asked.tokens is not None
        codes = self.reading.codes(asked.embedder, [one.passage for one in found])
        each = [codes.get(one.passage) for one in found]
        views = compare_views(asked.tokens, [code[0] if code else b"" for code in each])
        tokens = compare_tokens(asked.tokens, [code[1] if code else b"" for code in each])
        # Why the whole too: it is a view among others.
        views = views if whole is None else np.fmax(views, whole)
        if lacking := [row for row, code in enumerate(each) if code is None]:
            views[lacking], tokens[lacking] = nan, nan
        return {"views": views, "tokens": tokens}


def weighed(found: Candidates, kinds: Sequence[str], measures: Mapping[str, Floats], weights: Weights) -> Candidates:
    """The candidates by the weighted mean of their measures, best first, each with what was measured.

    `kinds` are theirs, which choose the weights. What an earlier weighing measured must be among the measures.
    """
    raw = np.array(list(measures.values()), np.float32)
    scaled = _scaled(raw, measures)
    scores = _scores(scaled, _worth(kinds, measures, weights))
    order = np.lexsort((np.array([one.passage for one in found]), -scores))
    measured = Measured({name: row for row, name in enumerate(measures)}, raw, scaled)
    none, make = nothing(), Found._make
    # Why by `_make`, from a list: hundreds are made for every question, and this takes two thirds of the time.
    return tuple(
        [
            make((one.passage, one.ranks, one.raw, score, none, None, False, kinds[row], measured, row))
            for row, score in zip(order.tolist(), scores[order].tolist(), strict=True)
            for one in (found[row],)
        ]
    )


def _likely(found: Candidates, near: Floats, most: int) -> list[int]:
    """The rows of those worth a closer reading, by what words and meaning already say of each.

    What another path found, or has no vector yet, stays: nothing is known against it.
    """
    if len(found) <= most:
        return list(range(len(found)))
    raws = [one.raw for one in found]
    words = np.array([raw.get("words", 0.0) for raw in raws], np.float32)
    promise = _scaled(np.array((words, near)), ("words", "meaning")).sum(0)
    if not _SEEN.issuperset(chain.from_iterable(raws)):
        promise[[not _SEEN.issuperset(raw) for raw in raws]] = nan
    # Why: not a number is sorted behind all others, and here that means kept.
    rows: list[int] = promise.argpartition(len(found) - most)[-most:].tolist()
    return sorted(rows)


def _measures(found: Candidates) -> dict[str, Floats]:
    """What an earlier weighing measured of all of them."""
    measured = found[0].measured
    assert measured is not None
    return dict(zip(measured.rows, measured.values[:, [one.place for one in found]], strict=True))


def _scaled(raw: Floats, names: Iterable[str]) -> Floats:
    """Each measure brought to 0…1, but for those that mean the same for every question."""
    # Why not `nanmin`: this is several times faster, and says NaN without a warning where nothing was measured.
    low, high = np.fmin.reduce(raw, axis=1, keepdims=True), np.fmax.reduce(raw, axis=1, keepdims=True)
    for row, name in enumerate(names):
        if name in _PLAIN:
            low[row], high[row] = 0.0, 1.0
    spread: Floats = high - low
    same = ~(spread > 0)
    spread[same] = 1.0
    scaled: Floats = (raw - low) / spread
    if same.any():
        # Why: when all are the same, each is the best there is, unless there is nothing.
        scaled += same & (high > 0)
    return scaled


def _scores(scaled: Floats, worth: Floats) -> Floats:
    """The mean of the measures by their worth; what could not be measured is worth nothing."""
    lacking = np.isnan(scaled)
    if lacking.any():
        scaled, worth = np.nan_to_num(scaled), worth * ~lacking
    scores: Floats = (worth * scaled).sum(0) / np.maximum(worth.sum(0), 1e-9)
    return scores


def _worth(kinds: Sequence[str], names: Iterable[str], weights: Weights) -> Floats:
    """The weights of the measures, a column for each candidate, or one for all where all are of one kind."""
    among = {kind: row for row, kind in enumerate(_among(kinds))}
    each = np.array([[weights.of(kind).get(name, 0.0) for kind in among] for name in names], np.float32)
    return each if len(among) == 1 else each[:, [among[kind_of(kind)] for kind in kinds]]


def _told(kinds: Sequence[str], measures: Iterable[str], weights: Weights) -> Mapping[str, Mapping[str, float]]:
    """For the trace: the weight of each measure for each kind of passage among the candidates."""
    return {kind: {name: weights.of(kind).get(name, 0.0) for name in measures} for kind in _among(kinds)}


def _among(types: Iterable[str]) -> list[str]:
    """The kinds of passages of these types."""
    return sorted(set(map(kind_of, set(types))))


def _by_speaker(question: Question, roles: Sequence[str | None]) -> dict[str, Floats]:
    """Who spoke: the user, unless the question asks what the assistant said. Nothing when only one of them did."""
    if not {"user", "assistant"} <= set(roles):
        return {}
    wanted, measure = ("assistant", "reply") if question.asks_assistant else ("user", "speaker")
    return {measure: np.array([role == wanted for role in roles], np.float32)}


def _numbered(sessions: Sequence[str | None]) -> NDArray[np.int64]:
    """A number for each session, from 0 on; what was said in none has one of its own."""
    if not any(sessions):
        return np.arange(len(sessions))
    numbers: dict[str | int, int] = {}
    return np.array([numbers.setdefault(of or at, len(numbers)) for at, of in enumerate(sessions)], np.int64)
