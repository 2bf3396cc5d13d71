"""What anyone may read of the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from holdfast.core.clock import unstamp

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.core.answer import Filters
    from holdfast.core.document import Chunk, Document, DocumentChunk
    from holdfast.core.memory import Memory

    Vector = NDArray[np.float32]


class Factors(NamedTuple):
    """What scoring needs to know of the memory or the document behind a passage.

    `created`, `event` and `accessed` are stamps.
    Why a named tuple, and stamps: a hundred are made per question, and few are asked for their time.
    """

    passage: int
    id: str
    type: str
    source: str
    confidence: float
    created: str
    event: str | None
    accessed: str | None
    access_count: int
    session: str | None
    role: str | None
    half_life_days: float | None
    pinned: bool
    verified: bool
    searched: str

    @property
    def when(self) -> datetime:
        """When it happened or was said; else when it was learned."""
        return unstamp(self.event or self.created)

    @property
    def used_at(self) -> datetime:
        """When it was last found; else when it happened."""
        return unstamp(self.accessed) if self.accessed else self.when

    def known_on(self, day: str) -> bool:
        """Had it been said or learned by the end of that day (`2026-05-03`)? A plan is known from when it was made.

        Why by days: clocks and time zones differ by hours.
        """
        return min(self.created, self.event or self.created)[: len(day)] <= day


class Traits(NamedTuple):
    """What weighing needs to know of passages, column by column: their types, who spoke where, and their words (see
    `store.bags`).
    """

    passages: Sequence[int]
    kinds: Sequence[str]
    roles: Sequence[str | None]
    sessions: Sequence[str | None]
    bags: Sequence[bytes]


class SessionSpan(NamedTuple):
    """When a session began and when it was last heard of."""

    id: str
    began: datetime
    ended: datetime


class DocumentStanding(NamedTuple):
    """How the document behind a passage stands among the others: its rank as a share of the highest, its confidence as
    stored and since when, and the path of its successor.
    """

    document: str
    path: str
    rank: float
    confidence: float
    since: datetime
    superseded_by: str | None


@dataclass(frozen=True, slots=True)
class MemoryEvent:
    """One thing done to a memory."""

    at: datetime
    verb: str
    reason: str
    detail: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PendingPassage:
    """A passage that has no vector of the current model yet, and what it says now."""

    passage: int
    memory: str
    kind: str
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
    def latest(self, project: str, type: str, limit: int) -> tuple[Memory, ...]:
        """The newest memories of a type that are believed. Cheap at any size."""
        ...

    def twins(self, project: str, hash: str) -> tuple[Memory, ...]:
        """Memories of the same normalised text, those believed now first; episodes are left out."""
        ...

    def successors(self, memory: Memory) -> tuple[Memory, ...]: ...
    def events(self, id: str) -> tuple[MemoryEvent, ...]: ...
    def find_words(
        self,
        project: str,
        words: Sequence[str],
        filters: Filters,
        limit: int,
        *,
        effort: int = 2_000,
        bm25: bool = True,
    ) -> tuple[tuple[int, float], ...]:
        """Passages by BM25, best first, with a score that grows with the match.

        The rarest words are looked for, as many as stand in no more than `effort` passages in all. Commoner ones count
        only where those find too little: then passages are looked for in which several of them stand together.

        Without `bm25` passages come by how rare the words are that they hold, the newest first where that is the same:
        the same effort costs a fraction, for those who weigh them anew.
        """
        ...

    def frequencies(self, words: Sequence[str]) -> Mapping[str, int]:
        """In how many passages each word stands, all projects together: exact up to some hundreds, then estimated.

        As last counted: they are counted anew when the store has grown by one in a hundred.
        """
        ...

    def passages_count(self) -> int:
        """How many passages there are, all projects together. Cheap at any size."""
        ...

    def spelt_like(self, word: str, limit: int = 3) -> tuple[str, ...]:
        """The known words a misspelt one most likely means, best first; none when the word itself is known.

        One slip of the hand away, two from eight letters on. About a millisecond at any size, then remembered.
        """
        ...

    def find_substring(self, project: str, text: str, filters: Filters, limit: int) -> tuple[int, ...]: ...
    def find_near(
        self, project: str, embedder: str, vector: Vector, filters: Filters, limit: int
    ) -> tuple[tuple[int, float], ...]:
        """Passages by cosine similarity of that embedder's vectors, best first."""
        ...

    def similar(self, embedder: str, vector: Vector, passages: Sequence[int]) -> Mapping[int, float]:
        """The cosine similarity of each of the passages that has a vector of that embedder. Quick for hundreds."""
        ...

    def vectors(self, embedder: str, passages: Sequence[int]) -> Mapping[int, Vector]:
        """The vectors of those of the passages that have one of that embedder."""
        ...

    def session_vectors(self, embedder: str, project: str, sessions: Sequence[str]) -> Mapping[str, Vector]:
        """The middle of what was said in each session, as a vector of length one."""
        ...

    def codes(self, embedder: str, passages: Sequence[int]) -> Mapping[int, tuple[bytes, bytes]]:
        """That embedder's closer look at the passages: views and tokens, as it packed them."""
        ...

    def within(self, project: str, since: datetime, until: datetime, filters: Filters, limit: int) -> tuple[int, ...]:
        """Passages of what was said or happened between two moments, the latest first. Episodes only when asked for."""
        ...

    def lacking_vector(self, embedder: str, passages: Sequence[int]) -> frozenset[int]:
        """Those of the passages that wait for a vector of that embedder, as of the last search by vector."""
        ...

    def traits(self, passages: Sequence[int]) -> Traits:
        """What weighing needs, of those of the passages that are there: whether they pass a filter is not asked."""
        ...

    def factors(self, project: str, passages: Sequence[int], filters: Filters) -> tuple[Factors, ...]:
        """What scoring needs, for those of the passages that pass the filters. In no order."""
        ...

    def hydrate(self, passages: Sequence[int]) -> Mapping[int, tuple[Memory | DocumentChunk, str]]:
        """The memory, or the part of a document, behind each passage, and its text."""
        ...

    def standing(self, project: str, passages: Sequence[int]) -> Mapping[int, DocumentStanding]:
        """How the documents behind those of the passages that are pieces of one stand."""
        ...

    def chunk(self, id: str) -> Chunk | None: ...
    def chunks(self, ids: Sequence[str]) -> Mapping[str, Chunk]:
        """Pieces of documents by id; ids that are none are left out."""
        ...

    def document(self, project: str, path: str) -> Document | None: ...
    def documents(self, project: str) -> tuple[Document, ...]:
        """Every document of a project, by path."""
        ...

    def episodes(self, project: str, session: str, limit: int = 1000, offset: int = 0) -> tuple[Memory, ...]:
        """What was said in a session, in order."""
        ...

    def has_vectors(self, embedder: str) -> bool: ...
    def waiting(self, embedder: str, limit: int) -> tuple[PendingPassage, ...]: ...
    def count_waiting(self, embedder: str) -> int: ...
    def any_waiting(self, embedder: str) -> bool: ...
    def lease(self, name: str) -> Lease | None: ...
    def job_runs(self, limit: int = 10) -> tuple[Mapping[str, Any], ...]: ...
    def last_runs(self) -> Mapping[str, datetime]:
        """When each background job last ended well."""
        ...

    def count_by_type(self, project: str) -> tuple[TypeCount, ...]: ...
    def count_documents(self, project: str) -> Mapping[str, int]:
        """How many `documents` of a project can be found, and the `pieces` they are cut into."""
        ...

    def totals(self) -> Mapping[str, int]: ...
    def projects(self) -> tuple[Mapping[str, Any], ...]: ...
    def found_with(
        self, project: str, passages: Sequence[int], filters: Filters, limit: int, *, at_least: int = 2
    ) -> tuple[tuple[int, int], ...]:
        """Other passages that were found together with these, most often first, with how often."""
        ...

    def files_bound(self, project: str, file: str, limit: int = 5) -> Mapping[str, float]:
        """The files whose memories are found together with those of this one, closest first.

        Two memories are bound by the times they were found together over the times the rarer of them was found,
        two files as closely as their closest memories. Fewer than three times together tell nothing.
        """
        ...

    def files_of(self, passages: Sequence[int]) -> Mapping[int, tuple[str, ...]]:
        """The files each passage speaks of; a passage that speaks of none is left out."""
        ...

    def about_files(
        self, project: str, files: Sequence[str], filters: Filters, limit: int
    ) -> tuple[tuple[int, str], ...]:
        """Passages that speak of one of these very files and pass the filters, each with the file.

        In the order of the files, the surest first.
        """
        ...

    def sessions(self, project: str, limit: int = -1) -> tuple[SessionSpan, ...]:
        """The sessions something is known of, the latest first; a negative limit means all."""
        ...
