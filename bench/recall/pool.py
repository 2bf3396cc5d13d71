"""The common form of all data sets: units to find, questions with their answers, and results."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol, TypeVar

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit to find: a message, a memory, a function, a chunk of a document.

    `group` is the session or document it belongs to; `start` and `end` are its position in there, in characters.
    `questions` are those that a memory is stored with.
    """

    key: str
    text: str
    group: str
    role: str = ""
    when: datetime | None = None
    start: int = 0
    end: int = 0
    type: str = ""
    questions: tuple[str, ...] = ()

    @property
    def full_text(self) -> str:
        """The text with speaker and time, as every system embeds it."""
        return f"{self.role}, {self.when.date().isoformat()}: {self.text}" if self.role and self.when else self.text


@dataclass(frozen=True, slots=True)
class Span:
    """A span of a document."""

    group: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Question:
    """A question and its answers: units by key, groups in chronological order, or spans of text.

    `also` are other wordings of it, which an agent gives with its question.
    """

    id: str
    text: str
    kind: str = ""
    at: datetime | None = None
    keys: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def is_answerable(self) -> bool:
        return bool(self.keys or self.groups or self.spans)


@dataclass(frozen=True, slots=True)
class Found:
    """One entry of a ranking. A chunk that is not a unit has no key.

    `cites` are the messages that a learned memory names as its sources, `repeats` the messages that the entry names as
    saying the same: they count as found with it, and so do their sessions.
    """

    key: str
    group: str
    start: int = 0
    end: int = 0
    cites: tuple[Found, ...] = ()
    repeats: tuple[Found, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.key, *(other.key for other in (*self.cites, *self.repeats)))


@dataclass(frozen=True, slots=True)
class Answer:
    """A system's answer: the ranking, best first, its confidence if it has one, and its time.

    `ranked` is the ranking without abstention, where the set compares the two; a system that never abstains has none.
    """

    found: tuple[Found, ...]
    confidence: float = 0.0
    seconds: float = 0.0
    ranked: tuple[Found, ...] = ()

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups in the order of their first entry."""
        return tuple(group for place in self.places for group in place)

    @property
    def places(self) -> tuple[tuple[str, ...], ...]:
        """The groups at each place: those of an entry, its sources and repeats, unless an earlier entry has them."""
        places: dict[str, int] = {}
        for place, one in enumerate(self.found):
            for same in (one, *one.cites, *one.repeats):
                places.setdefault(same.group, place)
        return tuple(tuple(at) for _, at in groupby(places, key=places.__getitem__))


Answers = Mapping[str, Answer]
Scores = Mapping[str, float]


class Score(Protocol):
    """Computes the figures of a set's answers."""

    def __call__(self, pool: Pool, answers: Answers) -> Scores: ...


@dataclass(frozen=True)
class Pool:
    """A data set: the units, the questions, and the function that scores answers.

    `kind` says what the units are: `said` in sessions, `memories`, `code`, `markdown`, or `mixed`. `documents` are the
    complete texts of a set of documents; its units are chunks of them. A set with `parts` has one store for each.
    `asks_unanswerable` includes the questions without an answer.
    """

    name: str
    title: str
    kind: str
    units: tuple[Unit, ...]
    questions: tuple[Question, ...]
    score: Score
    limit: int = 50
    documents: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[Pool, ...] = ()
    asks_unanswerable: bool = False

    @property
    def stores(self) -> tuple[Pool, ...]:
        """The part that each store contains; the set itself if it has one store."""
        return self.parts or (self,)

    @property
    def asked(self) -> tuple[Question, ...]:
        """The questions that every system is asked."""
        return self.questions if self.asks_unanswerable else self.answerable

    @property
    def answerable(self) -> tuple[Question, ...]:
        return tuple(question for question in self.questions if question.is_answerable)

    def sessions(self) -> Mapping[str, tuple[Unit, ...]]:
        """The units by group, in order."""
        grouped: dict[str, list[Unit]] = {}
        for unit in self.units:
            grouped.setdefault(unit.group, []).append(unit)
        return {group: tuple(units) for group, units in grouped.items()}

    def found(self, keys: Iterable[str]) -> tuple[Found, ...]:
        """Creates a ranking of units from their keys."""
        return tuple(self._places[key] for key in keys)

    @cached_property
    def _places(self) -> Mapping[str, Found]:
        return {unit.key: Found(unit.key, unit.group, unit.start, unit.end) for unit in self.units}


class Asker(Protocol):
    """A system that answers questions."""

    def ask(self, question: Question, limit: int) -> Answer: ...


def ask_all(asker: Asker, pool: Pool) -> Answers:
    """Asks a system the questions of a set, or of one part of it."""
    return {question.id: asker.ask(question, pool.limit) for question in pool.asked}


def read_lines(file: Path) -> Iterator[dict[str, Any]]:
    """Reads the objects of a compressed file of JSON lines."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def spread(all: Sequence[_T], count: int) -> list[_T]:
    """Selects this number of items, evenly spread."""
    if not 0 < count < len(all):
        return list(all)
    return [all[i * len(all) // count] for i in range(count)]
