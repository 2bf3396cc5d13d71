"""Changing memories: used by intake, trust and upkeep only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.core.conversation import ConsolidatedPage
    from holdfast.core.entity import Mention, MentionsByMemory
    from holdfast.core.memory import Memory
    from holdfast.core.memory_description import MemoryEvent


@frozen
class Embedding:
    """A vector to store: its model and its float16 bytes.

    `said` is the passage's text when it was embedded: the vector is dropped if the text has changed since.
    `views` are the packed vectors of its sentences, if the model makes them.
    """

    embedder: str
    dimensions: int
    data: bytes
    said: str | None = None
    views: bytes = b""


class MemoryChange(Protocol):
    """One transaction on memories, all or nothing."""

    def get(self, id: str) -> Memory | None: ...
    def twins(self, project: str, hash: str) -> tuple[Memory, ...]: ...
    def successors(self, memory: Memory) -> tuple[Memory, ...]: ...
    def events(self, id: str) -> tuple[MemoryEvent, ...]:
        """The history of a memory, oldest first."""
        ...

    def pointing_at(self, project: str, ids: Sequence[str]) -> tuple[Memory, ...]:
        """The memories of a project with a relation to one of these."""
        ...

    def add(self, memory: Memory, embedding: Embedding | None = None) -> None:
        """Adds a memory with its passage; words find it when the transaction ends."""
        ...

    def name(self, memory: Memory, mentions: Sequence[Mention]) -> None:
        """Links a memory of this transaction to the entities it names."""
        ...

    def put(self, memory: Memory) -> None:
        """Updates a memory, and its passage if text, tags or files changed."""
        ...

    def close_page(self, project: str, page: ConsolidatedPage) -> None:
        """Moves a session's watermark together with what was learned. Raises Overtaken if another process moved it."""
        ...

    def note(self, id: str, at: datetime, verb: str, reason: str = "", detail: Mapping[str, Any] | None = None) -> None:
        """Adds an event to the memory's history."""
        ...


class MemoryWriting(Protocol):
    """Writes memories and their vectors."""

    def change(self, *, durable: bool) -> AbstractContextManager[MemoryChange]:
        """Starts a transaction. If `durable`, the change survives a power cut once the transaction has ended."""
        ...

    def put_vectors(self, embeddings: Mapping[int, Embedding]) -> None:
        """Stores vectors by passage. Skips passages that no longer exist or have another text."""
        ...

    def drop_vectors_except(self, embedder: str) -> int:
        """Deletes the vectors of other models; returns how many."""
        ...

    def join_words(self, may_go_on: Callable[[], bool]) -> int:
        """Merges the segments of the full-text index, so that a word is looked up once; returns how many there were.

        Works in small transactions and calls `may_go_on` between them.
        """
        ...

    def count_words(self, may_go_on: Callable[[], bool]) -> int:
        """Makes missing word bags; returns how many. Works in small transactions, as `join_words` does."""
        ...


class EpisodeWriting(Protocol):
    """Writes messages as they come in: the hot path, without embedding."""

    def add_episodes(self, episodes: Sequence[Memory], kind: str, named: MentionsByMemory = ()) -> None:
        """Stores messages and their sessions in one transaction; words find them at once. `named`: mentions by id."""
        ...
