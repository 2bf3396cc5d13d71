"""What anyone may read of the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.core.answer import Filters
    from holdfast.core.memory import Memory

    Vector = NDArray[np.float32]


class Factors(NamedTuple):
    """What scoring needs to know of the memory behind a passage. A named tuple: a hundred are made per question."""

    passage: int
    id: str
    type: str
    source: str
    confidence: float
    created_at: datetime
    event_time: datetime | None
    last_accessed_at: datetime | None
    access_count: int
    session: str | None
    role: str | None
    half_life_days: float | None
    pinned: bool
    verified: bool
    searched: str


@dataclass(frozen=True, slots=True)
class Event:
    """One thing done to a memory."""

    at: datetime
    verb: str
    reason: str
    detail: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A passage that has no vector of the current model yet, and what it says now."""

    passage: int
    memory: str
    said: str


@dataclass(frozen=True, slots=True)
class Lease:
    """Who does a piece of background work, until when, and how far along."""

    name: str
    holder: str
    expires_at: datetime
    progress: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TypeCount:
    """How many memories of one type a project has, by state."""

    type: str
    total: int
    believed: int
    forgotten: int
    superseded: int
    to_review: int
    newest: datetime


class Reading(Protocol):
    """The reading face: memories by id, by filter, by words and by vector."""

    def memory(self, id: str) -> Memory | None: ...
    def resolve(self, project: str, id: str) -> str:
        """The full id of a memory named by its id or by the ending of it. Raises NotFound."""
        ...

    def memories(
        self, project: str, filters: Filters, *, order: str = "newest", limit: int = 100, offset: int = 0
    ) -> tuple[Memory, ...]: ...
    def count(self, project: str, filters: Filters) -> int: ...
    def twins(self, project: str, hash: str) -> tuple[Memory, ...]:
        """Memories of the same normalised text, those believed now first; episodes are left out."""
        ...

    def successors(self, memory: Memory) -> tuple[Memory, ...]: ...
    def events(self, id: str) -> tuple[Event, ...]: ...
    def find_words(
        self, project: str, words: Sequence[str], filters: Filters, limit: int, *, effort: int = 80
    ) -> tuple[tuple[int, float], ...]:
        """Passages by BM25, best first, with a score that grows with the match.

        The rarest words are looked for first; once they match `effort` passages, commoner ones are left out.
        """
        ...

    def find_substring(self, project: str, text: str, filters: Filters, limit: int) -> tuple[int, ...]: ...
    def find_near(
        self, project: str, embedder: str, vector: Vector, filters: Filters, limit: int
    ) -> tuple[tuple[int, float], ...]:
        """Passages by cosine similarity of that embedder's vectors, best first."""
        ...

    def lacking_vector(self, embedder: str, passages: Sequence[int]) -> frozenset[int]:
        """Those of the passages that wait for a vector of that embedder, as of the last search by vector."""
        ...

    def factors(self, project: str, passages: Sequence[int], filters: Filters) -> tuple[Factors, ...]:
        """What scoring needs, for those of the passages that pass the filters. In no order."""
        ...

    def hydrate(self, passages: Sequence[int]) -> Mapping[int, tuple[Memory, str]]:
        """The memory and the text behind each passage."""
        ...

    def episodes(self, project: str, session: str, limit: int = 1000, offset: int = 0) -> tuple[Memory, ...]:
        """What was said in a session, in order."""
        ...

    def has_vectors(self, embedder: str) -> bool: ...
    def waiting(self, embedder: str, limit: int) -> tuple[Waiting, ...]: ...
    def count_waiting(self, embedder: str) -> int: ...
    def any_waiting(self, embedder: str) -> bool: ...
    def lease(self, name: str) -> Lease | None: ...
    def job_runs(self, limit: int = 10) -> tuple[Mapping[str, Any], ...]: ...
    def count_by_type(self, project: str) -> tuple[TypeCount, ...]: ...
    def totals(self) -> Mapping[str, int]: ...
    def projects(self) -> tuple[Mapping[str, Any], ...]: ...
    def co_accessed(self, project: str, id: str, limit: int = 5) -> tuple[tuple[str, int], ...]: ...
    def export(self, project: str) -> tuple[tuple[Memory, ...], tuple[Mapping[str, Any], ...]]:
        """Every memory of a project, forgotten ones too, and what was done to them; one consistent moment."""
        ...
