"""A question as the pipeline sees it, and the candidates that answer it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from math import isnan, nan
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.core.clock import stamp
from holdfast.core.memory import nothing
from holdfast.text.words import words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.core.answer import Filters
    from holdfast.models.late_interaction import EncodedQuery
    from holdfast.recall.when import DateRange
    from holdfast.store.reading import Factors

_IDENTIFIER = re.compile(r"[a-z][A-Z]|\w_\w|\w/\w|\w\.\w{1,4}\b|\w\(\)|::")
_LONGEST = 512
_OVERLONG = re.compile(rf"\S{{{_LONGEST},}}")
_STRUCTURAL = frozenset({"analyze_impact", "get_dependencies", "trace_data_flow"})
_ASKS_ASSISTANT = re.compile(
    r"\byou (?:\w+ )?(?:recommend|suggest|mention|told|said|provid|gave|list|describ|explain|wrote|creat|shar|advis)"
    r"|\bremind me (?:what|of|which|how|where|who)|\b(?:our|the|your) (?:previous|last|earlier|past) "
    r"(?:conversation|chat|discussion|response|answer|message)|\bwe (?:talked|discussed|spoke|chatted)"
    r"|\b(?:vous|tu) (?:m['’])?(?:\w+ )?(?:recommand|sugg|conseill|propos|dit\b|expliqu)|你(?:说过|推荐|建议|提到)",
    re.IGNORECASE,
)
_ASKS_PAST = re.compile(
    r"\b(?:previous(?:ly)?|originally|initial(?:ly)?|used to|at first|formerly|back then|before i|auparavant"
    r"|à l['’]origine|initialement|autrefois)\b|以前|原来|最初",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, of which project, under which filters, at what moment.

    `text` has no word of more than 512 characters (see `readable`): patterns would read it for seconds.
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
    def kind(self) -> str:
        """`identifier`, `structural` or `semantic` (R-C2): it chooses the weight of each path."""
        if _IDENTIFIER.search(self.text):
            return "identifier"
        return "structural" if _STRUCTURAL & set(self.recent) else "semantic"

    @property
    def day(self) -> str:
        """The day it is asked, as a stamp begins."""
        return stamp(self.now)[:10]

    @property
    def windows(self) -> tuple[DateRange, ...]:
        """The stretches of time it names, seen from the moment it is asked."""
        return _windows(self.text, self.now.date())

    @property
    def asks_assistant(self) -> bool:
        """Does it ask what the assistant said, rather than what the user told?"""
        return _ASKS_ASSISTANT.search(self.text) is not None

    @property
    def asks_past(self) -> bool:
        """Does it ask for what was so before, rather than for what is so now?"""
        return _ASKS_PAST.search(self.text) is not None


def readable(text: str) -> str:
    """A question with overlong words cut: a pasted blob is no word that anybody would look for."""
    return _OVERLONG.sub(lambda match: match[0][:_LONGEST], text)


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """What was measured of some candidates: a column a candidate, and `rows` tells the row of each measure.

    `scaled` is the same on the scale of 0 to 1. Why one for all: to take it apart for each takes as long as to measure.
    """

    rows: Mapping[str, int]
    values: NDArray[np.float32]
    scaled: NDArray[np.float32]


class Found(NamedTuple):
    """A passage on its way through the pipeline: where each path ranked it, and its score so far.

    `waits`: its vector is still to come. Once it was weighed, `kind` is its type, and `measured` what was measured of
    it and of others, where its own stands in column `place`.

    Why a named tuple: hundreds are made for every question, and these are made five times faster.
    """

    passage: int
    ranks: Mapping[str, int]
    raw: Mapping[str, float]
    score: float = 0.0
    parts: Mapping[str, float] = nothing()
    of: Factors | None = None
    waits: bool = False
    kind: str = ""
    measured: Measured | None = None
    place: int = 0

    def measure(self, name: str) -> float:
        """What was measured under that name; not a number where nothing was."""
        of = self.measured
        return nan if of is None or (row := of.rows.get(name)) is None else of.values.item(row, self.place)

    def factors(self) -> dict[str, float]:
        """Everything that went into its score. What could not be measured is left out."""
        of = self.measured
        scaled = {} if of is None else dict(zip(of.rows, of.scaled[:, self.place].tolist(), strict=True))
        return {name: value for name, value in {**scaled, **self.parts}.items() if not isnan(value)}


@dataclass(frozen=True, slots=True)
class Embedded:
    """The question's vector, the embedder whose vectors it may be compared with, and its tokens for a closer look."""

    embedder: str
    vector: NDArray[np.float32]
    tokens: EncodedQuery | None = None


Notes = Mapping[str, Any]


@lru_cache(maxsize=64)
def _windows(text: str, day: date) -> tuple[DateRange, ...]:
    """Why kept: several steps ask for the same question's."""
    from holdfast.recall.when import windows

    return windows(text, day)
