"""Changing memories: used by intake, trust and upkeep only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from holdfast.core.conversation import ConsolidatedPage
    from holdfast.core.cosine_scale import MeasuredCosines
    from holdfast.core.document import Chunk
    from holdfast.core.embedding import Embedding
    from holdfast.core.entity import Mention, MentionsByMemory
    from holdfast.core.memory import Memory
    from holdfast.core.memory_description import MemoryEvent, Operation


class EmbedNow(Protocol):
    """Embeds new or changed passages inside the transaction that stores them, so it must be fast and must not fail."""

    def __call__(self, owners: Sequence[Memory | Chunk]) -> Sequence[Embedding]:
        """Returns the vectors of memories and chunks, all of one size; none if there is no model that fast."""
        ...


def no_vectors(owners: Sequence[Memory | Chunk]) -> Sequence[Embedding]:
    """Embeds nothing: passages wait for the background."""
    return ()


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
        """Adds a memory with its passage, which is found when the transaction ends.

        Without an `embedding`, the passage gets the vector that the store's `EmbedNow` makes, if any.
        """
        ...

    def name(self, memory: Memory, mentions: Sequence[Mention], project: str) -> None:
        """Links a memory of this transaction to the entities of a project that it names."""
        ...

    def put(self, memory: Memory) -> None:
        """Updates a memory; its passage and vector too if text, tags or files changed."""
        ...

    def put_code_text(self, project: str, hash: str, text: str) -> None:
        """Stores the code that a memory is bound to by this hash, to show later what changed. Without secrets."""
        ...

    def close_page(self, project: str, page: ConsolidatedPage) -> None:
        """Moves a session's watermark together with what was learned. Raises Overtaken if another process moved it."""
        ...

    def note(self, id: str, at: datetime, verb: str, reason: str = "", detail: Mapping[str, Any] | None = None) -> None:
        """Adds an event to the memory's history."""
        ...

    def latest_operation(self, project: str) -> Operation | None:
        """The latest operation of a project that was not undone."""
        ...

    def undone_operation(self, project: str) -> Operation | None:
        """The operation of a project that was undone last; None if something was changed after it.

        Its values "before" are those that a redo brings back.
        """
        ...

    def mark_undone(self, operation: Operation, restored: Mapping[str, Memory]) -> None:
        """Marks an operation as undone; `restored` are its memories, by id, as they are now."""
        ...

    def mark_redone(self, operation: Operation, restored: Mapping[str, Memory]) -> None:
        """Marks an operation as not undone any more; `restored` are its memories, by id, as they are now."""
        ...


class MemoryWriting(Protocol):
    """Writes memories and their vectors."""

    def change(self, *, durable: bool, undoable: str = "") -> AbstractContextManager[MemoryChange]:
        """Starts a transaction. If `durable`, the change survives a power cut once the transaction has ended.

        `undoable` is the verb under which it is recorded as an operation, so that it can be undone.
        """
        ...

    def together(self, verb: str) -> AbstractContextManager[None]:
        """Records the undoable transactions of this thread as one operation, until the context ends."""
        ...

    def add_operation(self, project: str, verb: str) -> None:
        """Records an operation that changes no memory itself, such as an import of sessions."""
        ...

    def put_vectors(self, embeddings: Mapping[int, Embedding]) -> None:
        """Stores vectors by passage.

        Skips passages that no longer exist, have another text, or have a vector of a larger size in the same space.
        """
        ...

    def put_sentences(self, embeddings: Mapping[int, Embedding]) -> None:
        """Stores the vectors of messages' sentences by passage: the data of each are the float16 rows of its sentences.

        Skips passages that are not queued for it, have another text, or have some of a larger size in the same space.
        """
        ...

    def put_cosines(self, embedder: str, measured: MeasuredCosines) -> None:
        """Stores the scales of an embedder's cosines, in place of earlier ones."""
        ...

    def drop_vectors_except(self, embedder: str) -> int:
        """Deletes the vectors and indexes of other models; returns how many vectors. Cheap if there are none.

        Does nothing as long as there is no vector of `embedder`.
        """
        ...

    def join_words(self, may_go_on: Callable[[], bool]) -> int:
        """Merges the segments of the full-text index, so that a word is looked up once; returns how many there were.

        Works in small transactions and calls `may_go_on` between them.
        """
        ...

    def count_words(self, may_go_on: Callable[[], bool]) -> int:
        """Makes missing word bags; returns how many. Works in small transactions, as `join_words` does."""
        ...

    def drop_unused_code(self, project: str) -> int:
        """Deletes the texts of code that no memory is bound to any more; returns how many."""
        ...


class EpisodeWriting(Protocol):
    """Writes messages as they come in: the hot path."""

    def add_episodes(self, episodes: Sequence[Memory], kind: str, named: MentionsByMemory = ()) -> None:
        """Stores messages, their sessions and their vectors in one transaction. `named`: mentions by id."""
        ...
