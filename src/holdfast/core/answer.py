"""What recall gives back: hits with their reasons, the trace of how they came about, and packs for a prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.memory import EPISODE, Memory, cite, nothing

if TYPE_CHECKING:
    from holdfast.core.document import Chunk, Document, DocumentChunk


@dataclass(frozen=True, slots=True)
class Filters:
    """What a passage must be to be considered (R-C10). Empty means no restriction.

    `files` match a path or any folder above it. `labels` and `doc_types` ask for documents alone.
    `sessions` may be empty: then nothing passes. `as_of` asks what was believed at that moment.
    """

    types: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    visibilities: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    doc_types: tuple[str, ...] = ()
    session: str | None = None
    sessions: tuple[str, ...] | None = None
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
    """A passage found, with its score on one scale from 0 to 1 and the reason.

    It is either a memory, or a piece of a file: then `memory` is None, and `document` and `chunk` say which.
    """

    memory: Memory | None
    text: str
    score: float
    why: Why
    document: Document | None = None
    chunk: Chunk | None = None

    @classmethod
    def of(cls, found: Memory | DocumentChunk, text: str, score: float, why: Why) -> Hit:
        """The hit on a memory or on a part of a document."""
        if isinstance(found, Memory):
            return cls(found, text, score, why)
        return cls(None, text, score, why, found.document, found.chunk)

    @property
    def found(self) -> Memory | DocumentChunk:
        """What was found: the memory, or the part of a document."""
        if self.memory is not None:
            return self.memory
        from holdfast.core.document import DocumentChunk

        assert self.document is not None
        assert self.chunk is not None
        return DocumentChunk(self.document, self.chunk)

    @property
    def id(self) -> str:
        """The id of the memory or of the chunk."""
        return self.found.id

    @property
    def source_id(self) -> str:
        """The id of the memory or of the document: what an access is counted for."""
        return self.document.id if self.document is not None else self.found.id

    @property
    def type(self) -> str:
        """The memory's type, or `document` or `code`."""
        return self.found.type

    @property
    def files(self) -> tuple[str, ...]:
        """The files it is about, or the one it stands in."""
        return self.found.files

    @property
    def conversation(self) -> str:
        """The session it was said in; empty for what was learned or written."""
        memory = self.memory
        return memory.session or "" if memory is not None and memory.type == EPISODE else ""

    @property
    def when(self) -> datetime:
        """When it happened or was learned; when the file last changed."""
        found = self.found
        if isinstance(found, Memory):
            return found.event_time or found.created_at
        return found.document.modified or found.document.indexed_at

    @property
    def cited(self) -> str:
        """What to cite it by: the memory's citation, or the place in the file, `docs/a.md:12-30`."""
        found = self.found
        return found.citation or cite(self.text) if isinstance(found, Memory) else found.place


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
    """The answer to a question. `abstained` says that something was found, but nothing good enough to say.

    `confidence` is how likely the best candidate answers, 0 to 1, also when it was held back.
    """

    query: str
    hits: tuple[Hit, ...]
    trace: Trace
    abstained: bool = False
    confidence: float = 0.0


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
