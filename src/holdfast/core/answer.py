"""What recall gives back: hits with their reasons, the trace of how they came about, and packs for a prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from holdfast.core.memory import Memory, nothing


@dataclass(frozen=True, slots=True)
class Filters:
    """What a passage must be to be considered (R-C10). Empty means no restriction.

    `files` match a path or any folder above it. `as_of` asks what was believed at that moment.
    """

    types: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    visibilities: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    session: str | None = None
    not_session: str | None = None
    min_confidence: float | None = None
    needs_review: bool | None = None
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    include_forgotten: bool = False

    def narrow(self) -> bool:
        """Is anything beyond the project asked for?"""
        return self != Filters()


@dataclass(frozen=True, slots=True)
class Why:
    """Why a hit is a hit: its rank on each path that found it, and each factor of its score (R-C12)."""

    paths: Mapping[str, int]
    factors: Mapping[str, float]

    def sentence(self) -> str:
        """In words, for people: `words 1, meaning 3`."""
        return ", ".join(f"{path} {rank}" for path, rank in self.paths.items())


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found, with its score on one scale from 0 to 1 and the reason."""

    memory: Memory
    text: str
    score: float
    why: Why


@dataclass(frozen=True, slots=True)
class StepTrace:
    """What one step of recall did: how many candidates came in and went out, in what time, with what notes."""

    step: str
    incoming: int
    outgoing: int
    milliseconds: float
    notes: Mapping[str, Any] = field(default_factory=nothing, hash=False)


@dataclass(frozen=True, slots=True)
class Trace:
    """How an answer came about, step by step."""

    recipe: str
    steps: tuple[StepTrace, ...] = ()

    @property
    def milliseconds(self) -> float:
        return sum(step.milliseconds for step in self.steps)


@dataclass(frozen=True, slots=True)
class Recall:
    """The answer to a question. `abstained` says that something was found, but nothing good enough to say."""

    query: str
    hits: tuple[Hit, ...]
    trace: Trace
    abstained: bool = False


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a line of a pack comes from."""

    id: str
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class Pack:
    """Hits rendered into a token budget, ready to stand in a prompt. Empty when nothing is relevant."""

    text: str
    citations: tuple[Citation, ...]
    tokens: int
    budget: int
    trace: Trace
