"""Memories and their parts, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from holdfast.core.anchor import CodeAnchor, Freshness, freshness_of
from holdfast.core.citation import CITATION_LENGTH
from holdfast.core.errors import InvalidMemory
from holdfast.core.frozen import frozen

# The types with special handling: a message, word for word, and the summary of a week.
EPISODE = "episode"
REFLECTION = "reflection"
# The types of passages of documents, which are no memories.
DOCUMENT_PASSAGE = "document"
DOCUMENT_PASSAGE_TYPES = (DOCUMENT_PASSAGE, "code")
# The source of a person's own statement. Every other source is a program's.
USER_TAUGHT = "user_taught"
# The attribute of an agent's correction of a person's memory: the id of that memory.
PROPOSAL = "proposal_for"
# The text of a memory whose own text was erased.
ERASED = "[erased]"
# The attribute of a learned memory: what was said just before it.
OCCASION = "occasion"
SOURCES = ("agent_explicit", "observer_inferred", "qa_auto", "mcp_auto", "commit_auto", USER_TAUGHT)
# Sources of memories that somebody taught; the others were inferred from messages, files or tools.
TAUGHT = ("agent_explicit", USER_TAUGHT)
# The verbs of operations that `undo` treats specially: what background work learned, and an import of sessions.
BACKGROUND, SESSION_IMPORT = "background", "session import"
SCOPES = ("global", "module", "work_unit", "session")
PERSONAL = "personal"
VISIBILITIES = (PERSONAL, "project", "team", "organization")
PHASES = ("define", "implement", "validate", "refine", "explore", "reflect")
CONFLICT, SUPERSEDES = "conflicts_with", "supersedes"
RELATIONS = ("required_with", CONFLICT, "validates", SUPERSEDES, "derived_from")
CHUNK_TYPES = ("function", "class", "module", "prose")

EMPTY: Mapping[str, Any] = MappingProxyType({})


def empty_mapping() -> Mapping[str, Any]:
    """An empty, immutable mapping; a default for dataclass fields."""
    return EMPTY


@frozen
class Relation:
    """The relation of a memory to another memory or to a file."""

    kind: str
    memory: str | None = None
    file: str | None = None
    confidence: float = 1.0
    auto: bool = False

    def __post_init__(self) -> None:
        _check_one_of("relation", self.kind, RELATIONS)
        _check_fraction("relation confidence", self.confidence)
        if (self.memory is None) == (self.file is None):
            raise InvalidMemory("a relation needs either a memory or a file")


@frozen
class WorkUnit:
    """The unit of work that a memory belongs to, as its methodology names it."""

    methodology: str
    hierarchy: tuple[str, ...]
    label: str


@frozen
class Taint:
    """The untrusted tool that ran before a memory was stored. Never removed; a person can confirm the memory."""

    tool: str
    step: int | None = None


@frozen
class ChunkLocation:
    """The place of a code or prose chunk in a file."""

    type: str
    start_line: int | None = None
    end_line: int | None = None
    prefix: str | None = None

    def __post_init__(self) -> None:
        _check_one_of("chunk type", self.type, CHUNK_TYPES)


@frozen
class Memory:
    """One learned statement: its content, confidence, origin, files and validity.

    `confidence` is the stored base; decay is computed on reading and never written back. `forgotten_at` marks a soft
    deletion, `valid_until` the time from which a newer memory replaced it, `stale_at` the time from which it no longer
    applies, because the code it was about is gone or because somebody said so. `anchors` bind it to code. `questions`
    are what it answers, in other words than its own: they are searched, not shown as its text.
    """

    id: str
    type: str
    content: str
    project: str
    created_at: datetime
    confidence: float = 0.8
    tags: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    event_time: datetime | None = None
    last_accessed_at: datetime | None = None
    access_count: int = 0
    session: str | None = None
    phase: str | None = None
    commit: str | None = None
    scope: str = "global"
    work_unit: WorkUnit | None = None
    methodology: str | None = None
    source: str = "agent_explicit"
    source_role: str | None = None
    target_node: str | None = None
    impacted_nodes: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    half_life_days: float | None = None
    provenance_sessions: tuple[str, ...] = ()
    source_ids: tuple[str, ...] = ()
    needs_review: bool = False
    verified: bool = False
    taint: Taint | None = None
    citation: str | None = None
    pinned: bool = False
    forgotten_at: datetime | None = None
    stale_at: datetime | None = None
    valid_until: datetime | None = None
    visibility: str = "project"
    chunk: ChunkLocation | None = None
    redacted: bool = False
    fields: Mapping[str, Any] = field(default_factory=empty_mapping, hash=False)
    attributes: Mapping[str, Any] = field(default_factory=empty_mapping, hash=False)
    anchors: tuple[CodeAnchor, ...] = ()
    questions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_fraction("confidence", self.confidence)
        _check_one_of("source", self.source, SOURCES)
        _check_one_of("scope", self.scope, SCOPES)
        _check_one_of("visibility", self.visibility, VISIBILITIES)
        if self.phase is not None:
            _check_one_of("phase", self.phase, PHASES)
        if self.citation is not None and len(self.citation) > CITATION_LENGTH:
            raise InvalidMemory(f"citation is longer than {CITATION_LENGTH} characters")
        if self.half_life_days is not None and self.half_life_days <= 0:
            raise InvalidMemory("half_life_days must be greater than 0")

    @property
    def forgotten(self) -> bool:
        """Is it hidden by a soft deletion?"""
        return self.forgotten_at is not None

    @property
    def superseded(self) -> bool:
        """Was it replaced by a newer memory, and not forgotten?"""
        return self.valid_until is not None and not self.forgotten

    @property
    def is_current(self) -> bool:
        """Is it neither forgotten nor superseded?"""
        return self.forgotten_at is None and self.valid_until is None

    @property
    def is_erased(self) -> bool:
        """Was its text erased? Then nothing brings it back: its row stays only so that its id is not taken in again."""
        return self.content == ERASED

    @property
    def is_persons(self) -> bool:
        """Did a person teach, confirm or pin it? Then only a person may replace or forget it."""
        return self.source == USER_TAUGHT or self.verified or self.pinned

    @property
    def is_taught(self) -> bool:
        """Did somebody store, confirm or pin it, rather than that it was learned from what was said or done?"""
        return self.source in TAUGHT or self.is_persons

    @property
    def proposal_for(self) -> str | None:
        """The id of the memory that it should replace once a person confirms it."""
        proposed = self.attributes.get(PROPOSAL)
        return proposed if isinstance(proposed, str) else None

    @property
    def quarantined(self) -> bool:
        """Does it wait for a person's review, because of its origin or because it would replace a person's memory?"""
        return (self.taint is not None and not self.verified) or self.proposal_for is not None

    @property
    def freshness(self) -> Freshness | None:
        """How the code it is about changed since it was stored; None if it is not bound to code."""
        return freshness_of(self.anchors)

    def is_stale(self, at: datetime) -> bool:
        """Did it no longer apply at that time?"""
        return self.stale_at is not None and self.stale_at <= at

    def bound_to(self, anchors: tuple[CodeAnchor, ...]) -> Memory:
        """Returns a copy with further anchors, in place of those at the same places; their files become its files."""
        if not anchors:
            return self
        places = {(anchor.path, anchor.symbol) for anchor in anchors}
        kept = (anchor for anchor in self.anchors if (anchor.path, anchor.symbol) not in places)
        files = tuple(dict.fromkeys((*self.files, *(anchor.path for anchor in anchors))))
        symbols = [anchor.node for anchor in anchors if anchor.symbol]
        node = self.target_node or (symbols[0] if len(symbols) == 1 else None)
        return replace(self, anchors=(*kept, *anchors), files=files, target_node=node)

    @property
    def contradicts(self) -> tuple[str, ...]:
        """The ids of the memories that cannot hold as well, as far as a comparison could tell."""
        return tuple(r.memory for r in self.relations if r.kind == CONFLICT and r.auto and r.memory is not None)

    @property
    def from_decision_record(self) -> bool:
        """Was it learned from a decision record, so that it follows the text of that document?"""
        return "document" in self.attributes

    @property
    def is_observation(self) -> bool:
        """Was it inferred from what agents did, so that it counts events and states nothing?"""
        return self.source in ("observer_inferred", "mcp_auto") and "signal" in self.attributes

    @property
    def known_since(self) -> datetime:
        """When it became known: when it was taught, or for a message when it was said.

        A memory that was inferred from a message, a document or a tool became known with its source.
        """
        if self.event_time is None or (self.source in TAUGHT and self.type != EPISODE):
            return self.created_at
        return min(self.created_at, self.event_time)

    def as_known(self, at: datetime, confidence: float) -> Memory:
        """The memory as it was known at that time, with the confidence of then: without ends that came later."""
        until = self.valid_until if self.valid_until and self.valid_until <= at else None
        stale = self.stale_at if self.stale_at and self.stale_at <= at else None
        return replace(self, confidence=confidence, valid_until=until, stale_at=stale)

    def believed(self, at: datetime) -> bool:
        """Was it believed at that time? Never if it is forgotten now, not even for an earlier time."""
        if self.forgotten or self.known_since > at or self.is_stale(at):
            return False
        return self.valid_until is None or self.valid_until > at


def _check_fraction(name: str, value: float) -> None:
    if not isinstance(value, (int, float)) or not 0.0 <= value <= 1.0:
        raise InvalidMemory(f"{name} must be between 0 and 1, not {value!r}")


def _check_one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise InvalidMemory(f"{name} must be one of {', '.join(known)}; not {value!r}")
