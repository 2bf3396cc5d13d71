"""The results of recall: hits with their reasons, the trace of the steps, and packs for a prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.citation import cite
from holdfast.core.frozen import frozen
from holdfast.core.memory import EPISODE, Memory, empty_mapping

if TYPE_CHECKING:
    from holdfast.core.certainty import Certainty
    from holdfast.core.document import Chunk, Document, DocumentChunk
    from holdfast.core.reason import Reason

_BRIEF = 100


@frozen
class Filters:
    """Restricts which passages a query may return. Empty means no restriction.

    `files` match a path or any folder above it, `tags` in any case. `modules` match the modules that a memory names and
    the folders of its files. `labels` and `doc_types` restrict the result to documents. An empty `sessions` matches
    nothing. `min_confidence` compares the confidence after decay. `as_of` returns what was known and believed at that
    time, with the confidence it had then. A time without a zone is local time.
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

    def any_set(self) -> bool:
        """Is any filter set?"""
        return self != Filters()


@frozen
class Why:
    """Why a passage was found: its rank on each path that found it, and each factor of its score."""

    paths: Mapping[str, int]
    factors: Mapping[str, float]

    def sentence(self) -> str:
        """The ranks as text: `words 1, meaning 3`."""
        return ", ".join(f"{path} {rank}" for path, rank in self.paths.items())


@frozen
class Replacement:
    """The id and the text of a memory that replaces what a message said."""

    id: str
    text: str

    @property
    def brief(self) -> str:
        """The text on one line, cut after a hundred characters."""
        line = " ".join(self.text.split())
        return line if len(line) <= _BRIEF else f"{line[: _BRIEF - 1].rstrip()}…"


@frozen
class Repeat:
    """Another message with the text of a hit, or another memory: its id, its session, and when it was said."""

    id: str
    session: str | None
    when: datetime


@frozen
class Hit:
    """A passage that was found, with its score from 0 to 1 and the reason.

    It is a memory, or a chunk of a file: then `memory` is None, and `document` and `chunk` are set. `replaced_by` are
    the newer memories if the hit is a message that says something outdated. `repeats` are the newest five of the
    `repeat_count` others that say the same text, or the text that the memory was learned from.
    """

    memory: Memory | None
    text: str
    score: float
    why: Why
    document: Document | None = None
    chunk: Chunk | None = None
    replaced_by: tuple[Replacement, ...] = ()
    repeats: tuple[Repeat, ...] = ()
    repeat_count: int = 0

    @classmethod
    def of(cls, found: Memory | DocumentChunk, text: str, score: float, why: Why) -> Hit:
        """Builds the hit for a memory or for a chunk of a document."""
        if isinstance(found, Memory):
            return cls(found, text, score, why)
        return cls(None, text, score, why, found.document, found.chunk)

    @property
    def found(self) -> Memory | DocumentChunk:
        """The memory, or the chunk with its document."""
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
        """The id under which an access is counted: that of the memory or of the document."""
        return self.document.id if self.document is not None else self.found.id

    @property
    def type(self) -> str:
        """The memory's type, or `document` or `code`."""
        return self.found.type

    @property
    def files(self) -> tuple[str, ...]:
        """The files that the memory is about, or the file of the chunk."""
        return self.found.files

    @property
    def conversation(self) -> str:
        """The session of a message; empty for other memories and for documents."""
        memory = self.memory
        return memory.session or "" if memory is not None and memory.type == EPISODE else ""

    @property
    def when(self) -> datetime:
        """When the memory's event happened or it was stored; for a chunk, when the file last changed."""
        found = self.found
        if isinstance(found, Memory):
            return found.event_time or found.created_at
        return found.document.modified or found.document.indexed_at

    @property
    def certainty(self) -> Certainty | None:
        """How certainly it answers the query, in a word; None if it was added without an estimate."""
        from holdfast.core.certainty import certainty

        evidence = self.why.factors.get("certainty", self.why.factors.get("evidence"))
        return None if evidence is None else certainty(evidence)

    @property
    def cited(self) -> str:
        """The citation of the memory, or the place in the file: `docs/a.md:12-30`."""
        found = self.found
        return found.citation or cite(found.content) if isinstance(found, Memory) else found.place


@frozen
class StepTrace:
    """One step of recall: the number of candidates before and after it, its duration and its notes."""

    step: str
    incoming: int
    outgoing: int
    milliseconds: float
    notes: Mapping[str, Any] = field(default_factory=empty_mapping, hash=False)


@frozen
class Trace:
    """The steps that produced an answer."""

    recipe: str
    steps: tuple[StepTrace, ...] = ()

    @property
    def milliseconds(self) -> float:
        return sum(step.milliseconds for step in self.steps)


@frozen
class Recall:
    """The answer to a query. `abstained` is True when candidates were found but none was good enough.

    `confidence` is the probability, 0 to 1, that the best candidate answers the query, even if it was left out.
    `warnings` say which models did not take part and why; the other searches were done all the same.
    """

    query: str
    hits: tuple[Hit, ...]
    trace: Trace = field(repr=False)
    abstained: bool = False
    confidence: float = 0.0
    warnings: tuple[Reason, ...] = ()


@frozen
class Citation:
    """The source of one line of a pack. `standing`: it is part of every pack, not found by the prompt."""

    id: str
    text: str
    score: float
    standing: bool = False


@frozen
class Pack:
    """Hits rendered within a token budget, to be put into a prompt. Empty when nothing is relevant.

    `warnings` are those of the search; they are not part of the text.
    """

    text: str
    citations: tuple[Citation, ...]
    tokens: int
    budget: int
    trace: Trace = field(repr=False)
    warnings: tuple[Reason, ...] = ()
