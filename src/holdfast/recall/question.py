"""The query as the pipeline sees it, and the candidates that may answer it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from math import isnan, nan
from operator import mul
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.core.arguments import check_text
from holdfast.core.clock import stamp
from holdfast.core.cosine_scale import CosineScale, CosineScales
from holdfast.core.frozen import frozen
from holdfast.core.memory import empty_mapping
from holdfast.core.vector_size import VectorSize
from holdfast.recall.paths import QueryType
from holdfast.text.patterns import compiled
from holdfast.text.words import words

if TYPE_CHECKING:
    from holdfast.core.answer import Filters
    from holdfast.models.protocols import Vectors
    from holdfast.store.reading import Factors
    from holdfast.text.days import DateRange

_IDENTIFIER = r"[a-z][A-Z]|\w_\w|\w/\w|\w\.\w{1,4}\b|\w\(\)|::"
_MAX_WORD = 512
# The cosines of most questions with unrelated texts are at most this many standard deviations above their mean.
_QUESTIONS = 1.0
_DAY_SECONDS, _ANY_DAY = 86_400, "9999-12-31"
_STRUCTURAL = frozenset({"analyze_impact", "get_dependencies", "trace_data_flow"})
_ASKS_ASSISTANT = (
    r"\byou (?:\w+ )?(?:recommend|suggest|mention|told|said|provid|gave|list|describ|explain|wrote|creat|shar|advis)"
    r"|\bremind me (?:what|of|which|how|where|who)|\b(?:our|the|your) (?:previous|last|earlier|past) "
    r"(?:conversation|chat|discussion|response|answer|message)|\bwe (?:talked|discussed|spoke|chatted)"
    r"|\b(?:vous|tu) (?:m['’])?(?:\w+ )?(?:recommand|sugg|conseill|propos|dit\b|expliqu)|你(?:说过|推荐|建议|提到)"
)
_ASKS_CONVERSATION = (
    r"\b(?:we|i|you|they|he|she) (?:\w+ )?(?:said|say|mention(?:ed)?|told|tell|talk(?:ed)? about|discuss(?:ed)?)\b"
    r"|\b(?:did|have|had) (?:i|we|you) (?:\w+ )?(?:say|said|mention|mentioned|talk|discuss|discussed|tell|told)\b"
    r"|\b(?:last|previous|earlier) (?:conversation|chat|discussion|session|meeting)\b"
    r"|\b(?:on a|j['’]ai|tu as|vous avez|nous avons) (?:\w+ )?(?:dit|parlé|mentionné|discuté)\b"
)
_ASKS_RULE = (
    r"\b(?:the|our|any) (?:\w+ )?(?:rules?|polic(?:y|ies)|conventions?|guidelines?|standards?|procedures?)\b"
    r"|\bhow (?:do|should|must) (?:we|i|you)\b|\b(?:are|am) (?:we|i) (?:allowed|supposed) to\b"
    r"|\b(?:la|les|nos|notre|une) (?:règles?|conventions?|politiques?)\b|\bcomment (?:doit|faut|fait)-"
)
_ASKS_PAST = (
    r"\b(?:previous(?:ly)?|originally|initial(?:ly)?|used to|at first|formerly|back then|before i|auparavant"
    r"|à l['’]origine|initialement|autrefois)\b|以前|原来|最初"
)


@frozen
class Question:
    """A query: its text, project, filters, number of hits wanted and moment.

    `text` has no word of more than 512 characters (see `readable`), because regular expressions take seconds on one.
    `recent` names the tools an agent used last.
    """

    text: str
    project: str
    filters: Filters
    limit: int
    now: datetime
    phase: str | None = None
    recent: tuple[str, ...] = ()

    @property
    def words(self) -> list[str]:
        return words(self.text)

    @property
    def query_type(self) -> QueryType:
        """IDENTIFIER if the text contains one, STRUCTURAL after a tool about the code structure, else SEMANTIC."""
        if compiled(_IDENTIFIER).search(self.text):
            return QueryType.IDENTIFIER
        return QueryType.STRUCTURAL if _STRUCTURAL & set(self.recent) else QueryType.SEMANTIC

    @property
    def day(self) -> str:
        """The date of the query in the format of time stamps, `2026-01-31`."""
        return stamp(self.now)[:10]

    @property
    def last_day(self) -> str:
        """The last day whose passages count: the day of the query, if its clock is set to the past. Otherwise any day:
        a passage of a later day comes from a clock that was wrong.
        """
        return self.day if time.time() - self.now.timestamp() > _DAY_SECONDS else _ANY_DAY

    @property
    def windows(self) -> tuple[DateRange, ...]:
        """The date ranges that the text names, relative to the moment of the query."""
        return _windows(self.text, self.now.date())

    @property
    def asks_assistant(self) -> bool:
        """Whether it asks for something the assistant said rather than the user."""
        return compiled(_ASKS_ASSISTANT, re.IGNORECASE).search(self.text) is not None

    @property
    def asks_conversation(self) -> bool:
        """Whether the query asks for messages, for example by "did I mention"."""
        return self.asks_assistant or compiled(_ASKS_CONVERSATION, re.IGNORECASE).search(self.text) is not None

    @property
    def asks_rule(self) -> bool:
        """Whether the query asks for a rule or a way of working, and not for messages."""
        return not self.asks_conversation and compiled(_ASKS_RULE, re.IGNORECASE).search(self.text) is not None

    @property
    def asks_past(self) -> bool:
        """Whether it asks for an earlier state rather than the current one."""
        return compiled(_ASKS_PAST, re.IGNORECASE).search(self.text) is not None


def readable(text: str) -> str:
    """Truncates words to 512 characters: nobody searches for a pasted blob as one word."""
    check_text(text)
    if all(len(word) < _MAX_WORD for word in text.split()):
        return text
    return re.sub(rf"\S{{{_MAX_WORD},}}", lambda match: match[0][:_MAX_WORD], text)


@frozen(eq=False)
class Measured:
    """The measures of several candidates: one value per candidate; `scaled` has the same values scaled to 0…1."""

    values: Mapping[str, Sequence[float]]
    scaled: Mapping[str, Sequence[float]]


class RecallCandidate(NamedTuple):
    """A candidate: a passage with its rank and raw score on each path, and its score so far.

    `factors` went into the score. `row` is read by the filter step. `lacks_vector`: the passage is not embedded yet.
    Once weighed, the candidate has a `type`, and its measures are those of `measured` at position `column`. `repeats`
    are the rows of others that say the same text, which are no candidates any more.

    A named tuple because a query makes hundreds of them, and a dataclass takes five times as long to make. The methods
    build copies by position, which takes half the time of `_replace`; positions are used nowhere else.
    """

    passage: int
    ranks: Mapping[str, int]
    raw: Mapping[str, float]
    score: float = 0.0
    factors: Mapping[str, float] = empty_mapping()
    row: Factors | None = None
    lacks_vector: bool = False
    type: str = ""
    measured: Measured | None = None
    column: int = 0
    repeats: tuple[Factors, ...] = ()

    @staticmethod
    def found(passage: int, path: str, rank: int, raw: float) -> RecallCandidate:
        """Returns a new candidate that one path found. By position as well: a query makes two hundred."""
        return _new(
            RecallCandidate, (passage, {path: rank}, {path: raw}, 0.0, _NO_FACTORS, None, False, "", None, 0, ())
        )

    def with_rank(self, path: str, rank: int, raw: float) -> RecallCandidate:
        """Returns a copy with its rank and raw score on one more path."""
        passage, ranks, raws, score, factors, row, lacks, type, measured, column, repeats = self
        ranks, raws = {**ranks, path: rank}, {**raws, path: raw}
        return _new(
            RecallCandidate, (passage, ranks, raws, score, factors, row, lacks, type, measured, column, repeats)
        )

    def with_score(self, score: float) -> RecallCandidate:
        """Returns a copy with another score."""
        passage, ranks, raw, _, factors, row, lacks, type, measured, column, repeats = self
        return _new(RecallCandidate, (passage, ranks, raw, score, factors, row, lacks, type, measured, column, repeats))

    def with_factors(self, factors: Mapping[str, float], score: float | None = None) -> RecallCandidate:
        """Returns a copy with more factors, and with another score if one is given."""
        passage, ranks, raw, old, known, row, lacks, type, measured, column, repeats = self
        factors, score = {**known, **factors}, old if score is None else score
        return _new(RecallCandidate, (passage, ranks, raw, score, factors, row, lacks, type, measured, column, repeats))

    def with_row(self, row: Factors) -> RecallCandidate:
        """Returns a copy with the stored row of the passage."""
        passage, ranks, raw, score, factors, _, lacks, type, measured, column, repeats = self
        return _new(RecallCandidate, (passage, ranks, raw, score, factors, row, lacks, type, measured, column, repeats))

    def with_measures(self, score: float, type: str, measured: Measured, column: int) -> RecallCandidate:
        """Returns a copy with new measures and the score made of them, without what earlier steps added.

        Its repeats stay: HyDE weighs candidates again after their copies were dropped.
        """
        passage, ranks, raw, _, _, _, _, _, _, _, repeats = self
        return _new(
            RecallCandidate, (passage, ranks, raw, score, _NO_FACTORS, None, False, type, measured, column, repeats)
        )

    def ranked_only(self, score: float = 0.0) -> RecallCandidate:
        """Returns a copy with only its ranks, its raw scores, its repeats and this score."""
        return RecallCandidate(self.passage, self.ranks, self.raw, score, repeats=self.repeats)

    def with_repeats(self, rows: Iterable[Factors]) -> RecallCandidate:
        """Returns a copy that also names these rows as repeats, each once."""
        known = {row.id: row for row in (*self.repeats, *rows) if self.row is None or row.id != self.row.id}
        return self._replace(repeats=tuple(known.values()))

    @property
    def when(self) -> datetime:
        """When it happened or was said; needs the row."""
        assert self.row is not None
        return self.row.when

    @property
    def evidence(self) -> float:
        """The probability that it answers the query; 0 if no step estimated it."""
        return self.factors.get("evidence", 0.0)

    def measure(self, name: str) -> float:
        """The value of a measure; NaN where there is none."""
        of = self.measured
        return nan if of is None or name not in of.values else of.values[name][self.column]

    def all_factors(self) -> dict[str, float]:
        """Everything that went into the score: scaled measures, then factors. Leaves out missing measures."""
        of = self.measured
        scaled = {} if of is None else {name: values[self.column] for name, values in of.scaled.items()}
        return {name: value for name, value in {**scaled, **self.factors}.items() if not isnan(value)}


_new = tuple.__new__
_NO_FACTORS: Mapping[str, float] = empty_mapping()


@frozen
class Embedded:
    """A query's vector, the embedder whose vectors it may be compared with, and the scales of its cosines."""

    embedder: str
    vector: Vectors
    scales: CosineScales
    size: VectorSize = VectorSize.SINGLE

    @property
    def usual_size(self) -> VectorSize:
        """The size that a stored vector most likely has: the background replaces those of the static size."""
        return max(self.size, VectorSize.SMALL) if self.size else VectorSize.SINGLE

    @property
    def scale(self) -> CosineScale:
        """The scale of its cosines with vectors of the usual size."""
        return self.scales.of_query(self.size, self.usual_size)

    @property
    def level(self) -> float:
        """How many standard deviations its cosines with unrelated texts lie above those of questions; at least 0.

        The longer a query, the nearer is every passage: a prompt of 40 words lies 4 deviations above a short question.
        """
        centre = self.scales.centre
        if len(centre) != len(self.vector):  # not measured
            return 0.0
        cosine = float(sum(map(mul, self.vector, centre)))
        return max(0.0, self.scale.deviations(cosine) - _QUESTIONS)

    def deviations_of(self, size: VectorSize, usual: float) -> float:
        """What these deviations are for a vector of that size instead of the usual one."""
        cosine = self.scale.cosine(usual)
        return self.scales.of_query(self.size, size).deviations(cosine)


Notes = Mapping[str, Any]


@lru_cache(maxsize=64)
def _windows(text: str, day: date) -> tuple[DateRange, ...]:
    """The date ranges a text names. Cached because several steps need those of the same query."""
    from holdfast.text.days import windows

    return windows(text, day)
