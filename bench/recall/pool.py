"""What every set comes down to: things to be found, questions with what answers them, and the answers given."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, TypeVar

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing to be found: a message, a memory, a function, a piece of a document.

    `group` is what it is part of: the session, the document. `start` and `end` are its place in there, in characters.
    """

    key: str
    text: str
    group: str
    role: str = ""
    when: datetime | None = None
    start: int = 0
    end: int = 0
    type: str = ""

    @property
    def told(self) -> str:
        """The text with who said it when, as everybody who embeds it is given it."""
        return f"{self.role}, {self.when.date().isoformat()}: {self.text}" if self.role and self.when else self.text


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a document."""

    group: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Question:
    """A question and what answers it: units by key, groups in the order of time, or stretches of text."""

    id: str
    text: str
    kind: str = ""
    at: datetime | None = None
    keys: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()

    @property
    def is_answerable(self) -> bool:
        return bool(self.keys or self.groups or self.spans)


@dataclass(frozen=True, slots=True)
class Found:
    """One place of a ranking. A piece of a document that no unit stands for has no key."""

    key: str
    group: str
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody answered: the ranking, best first, how sure he was (where he says so), and how long it took."""

    found: tuple[Found, ...]
    confidence: float = 0.0
    seconds: float = 0.0

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups in the order of their first place."""
        return tuple(dict.fromkeys(one.group for one in self.found))

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(one.key for one in self.found)


Answers = Mapping[str, Answer]
Scores = Mapping[str, float]


class Score(Protocol):
    """How good the answers to a set's questions are, figure by figure."""

    def __call__(self, pool: Pool, answers: Answers) -> Scores: ...


@dataclass(frozen=True)
class Pool:
    """A set: what is to be found, what is asked, and how answers are judged.

    `kind` says how the units come into a store: `said` in sessions, as `memories`, as `code` or as `markdown`.
    `documents` are the whole texts of a set of documents; the units are then cut from them.
    """

    name: str
    title: str
    kind: str
    units: tuple[Unit, ...]
    questions: tuple[Question, ...]
    score: Score
    limit: int = 50
    documents: Mapping[str, str] = field(default_factory=dict)

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
        """A ranking of units by their keys."""
        return tuple(self._places[key] for key in keys)

    @cached_property
    def _places(self) -> Mapping[str, Found]:
        return {unit.key: Found(unit.key, unit.group, unit.start, unit.end) for unit in self.units}


class Asker(Protocol):
    """Somebody who can be asked."""

    def ask(self, question: Question, limit: int) -> Answer: ...


def ask_all(asker: Asker, pool: Pool) -> Answers:
    """Every answerable question of a set, put to somebody."""
    return {question.id: asker.ask(question, pool.limit) for question in pool.answerable}


def read_lines(file: Path) -> Iterator[dict[str, Any]]:
    """The objects of a compressed file of JSON lines."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def spread(all: Sequence[_T], count: int) -> list[_T]:
    """So many of them, evenly from first to last."""
    if not 0 < count < len(all):
        return list(all)
    return [all[i * len(all) // count] for i in range(count)]
