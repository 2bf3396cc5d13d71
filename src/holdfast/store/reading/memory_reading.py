"""Reading memories and sessions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from holdfast.core.answer import Filters
    from holdfast.core.health import TypeCount
    from holdfast.core.memory import Memory
    from holdfast.core.memory_description import LoggedOperation, MemoryEvent


class SessionSpan(NamedTuple):
    """A session's first and last moment."""

    id: str
    began: datetime
    ended: datetime


class MemoryReading(Protocol):
    """Reads memories by id, filter or session."""

    def memory(self, id: str) -> Memory | None: ...
    def resolve(self, project: str, id: str) -> str:
        """Returns the full id of a memory given by its id or the end of it. Raises NotFound."""
        ...

    def memories(
        self, project: str, filters: Filters, *, order: str = "newest", limit: int = 100, offset: int = 0
    ) -> tuple[Memory, ...]:
        """The memories that pass the filters; `order` is newest, oldest, confidence or used."""
        ...

    def count(self, project: str, filters: Filters, most: int = -1) -> int:
        """The number of memories that pass the filters; counting ends at `most`, if it is not negative."""
        ...

    def count_by_type(self, project: str) -> tuple[TypeCount, ...]: ...
    def latest(self, project: str, type: str, limit: int) -> tuple[Memory, ...]:
        """The newest memories of a type that are neither forgotten nor superseded. Cheap at any size."""
        ...

    def standing_memories(
        self, project: str, types: Sequence[str], *, not_session: str | None = None, limit: int = 100
    ) -> tuple[Memory, ...]:
        """Pinned memories and those of these types that hold everywhere; none that waits for review.

        Pinned ones come first, then verified ones, then by confidence, use and age.
        """
        ...

    def twins(self, project: str, hash: str) -> tuple[Memory, ...]:
        """Memories with the same normalised text, except messages; those believed now come first."""
        ...

    def episodes(self, project: str, session: str, limit: int = 1000, offset: int = 0) -> tuple[Memory, ...]:
        """The messages of a session, in order."""
        ...

    def sessions(self, project: str, limit: int = -1) -> tuple[SessionSpan, ...]:
        """The sessions that have memories or messages, latest first; a negative limit returns all."""
        ...


class WholeProjectReading(Protocol):
    """Reads about all memories of a project, however many there are."""

    def each(self, project: str, filters: Filters) -> Iterator[Memory]:
        """All memories that pass the filters, without messages, by age. Read in pages: no transaction stays open."""
        ...

    def erased_anchors(self, anchors: Collection[str]) -> frozenset[str]:
        """Which of these short ids belong to memories that were erased, in any project; not to messages."""
        ...

    def forgotten_texts(self, project: str) -> tuple[str, ...]:
        """The texts of all forgotten memories and messages that were not erased."""
        ...

    def forgotten_messages(self, project: str) -> tuple[str, ...]:
        """The ids of all forgotten messages."""
        ...

    def imported(self, project: str, keys: Iterable[str]) -> frozenset[str]:
        """Those of the keys (`import:…`) that a memory has as a source, whatever became of it."""
        ...


class ChangeReading(Protocol):
    """Reads what became of memories: their history, and what replaced them."""

    def events(self, id: str) -> tuple[MemoryEvent, ...]:
        """A memory's history, oldest first."""
        ...

    def operations(self, project: str, limit: int) -> tuple[LoggedOperation, ...]:
        """The latest operations of a project, latest first."""
        ...

    def successors(self, memory: Memory) -> tuple[Memory, ...]:
        """The memories that supersede this one."""
        ...

    def replacements(self, project: str, messages: Sequence[Memory]) -> Mapping[str, tuple[Memory, ...]]:
        """The memories that replaced one learned from each message, by message id; only those believed now.

        Messages without any are left out, as are memories that were learned from the message itself.
        """
        ...


class MemoryChangeReading(MemoryReading, WholeProjectReading, ChangeReading, Protocol):
    """Reads memories and what became of them."""
