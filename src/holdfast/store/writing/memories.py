"""Changing memories: held by intake, trust, upkeep and team, by nobody else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from holdfast.core.conversation import ConsolidatedPage
    from holdfast.core.entity import Mention, Pairs
    from holdfast.core.memory import Memory
    from holdfast.core.memory_description import MemoryEvent


@dataclass(frozen=True, slots=True)
class Embedding:
    """A vector as it is kept: which model made it, and its float16 bytes.

    `said` is what the passage said when it was read; it keeps a vector from joining a text that changed meanwhile.
    `views` and `tokens` are the model's closer look, where it offers one.
    """

    embedder: str
    dimensions: int
    data: bytes
    said: str | None = None
    views: bytes = b""
    tokens: bytes = b""


class MemoryChange(Protocol):
    """One transaction on memories: all of it is kept, or nothing."""

    def get(self, id: str) -> Memory | None: ...
    def twins(self, project: str, hash: str) -> tuple[Memory, ...]: ...
    def successors(self, memory: Memory) -> tuple[Memory, ...]: ...
    def events(self, id: str) -> tuple[MemoryEvent, ...]:
        """What was done to a memory so far, in order."""
        ...

    def pointing_at(self, project: str, ids: Sequence[str]) -> tuple[Memory, ...]:
        """The memories of a project that have a relation to one of these."""
        ...

    def add(self, memory: Memory, embedding: Embedding | None = None) -> None:
        """A new memory, with its passage, searchable by words when the transaction ends."""
        ...

    def name(self, memory: Memory, mentions: Sequence[Mention]) -> None:
        """Links a memory of this transaction to what it names."""
        ...

    def put(self, memory: Memory) -> None:
        """The memory as it is now; its passage follows when its words, tags or files changed."""
        ...

    def close_page(self, project: str, page: ConsolidatedPage) -> None:
        """Moves a session's watermark with what was learned from the page. Raises Overtaken when it moved meanwhile."""
        ...

    def note(self, id: str, at: datetime, verb: str, reason: str = "", detail: Mapping[str, Any] | None = None) -> None:
        """Adds a line to the memory's history."""
        ...


class MemoryWriting(Protocol):
    """The writing face for memories and their vectors."""

    def change(self, *, durable: bool) -> AbstractContextManager[MemoryChange]:
        """A transaction. `durable`: when it ends without an error, the change survives a power cut."""
        ...

    def put_vectors(self, embeddings: Mapping[int, Embedding]) -> None:
        """Vectors by passage. A passage that is gone or says something else meanwhile is passed over."""
        ...

    def drop_vectors_except(self, embedder: str) -> int:
        """Forgets the vectors of other models; returns how many."""
        ...

    def join_words(self, may_go_on: Callable[[], bool]) -> int:
        """Joins the parts into which the index of words has grown, so that a word is looked for once; returns how many
        there were. In small transactions, between which it asks whether it may go on.
        """
        ...

    def count_words(self, may_go_on: Callable[[], bool]) -> int:
        """Counts the words of passages that nobody has counted yet; returns of how many. In small transactions, too."""
        ...


class EpisodeWriting(Protocol):
    """The hot path: messages as they are said, in one transaction, without embedding."""

    def add_episodes(self, episodes: Sequence[Memory], kind: str, named: Pairs = ()) -> None:
        """Keeps the messages and notes their sessions; words find them at once. `named` is what they name, by id."""
        ...
