"""The two events of storing. Whoever takes part is listed by the container: no package calls one above or beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.core.admission import Admission
    from holdfast.core.embedding import Embedding
    from holdfast.core.entity import Mention
    from holdfast.core.memory import Memory


@frozen
class MemoryAboutToBeWritten:
    """A new memory and what is written with it: the names in it, the code it is about by hash, and its vector.

    A subscriber returns the event with its part added.
    """

    memory: Memory
    mentions: Sequence[Mention] = ()
    code: Mapping[str, str] = field(default_factory=dict, hash=False)
    embedding: Embedding | None = None


@frozen
class MessagesStored:
    """Messages of a session were stored; `answers` has the answer for each that was offered."""

    session: str
    answers: Sequence[Admission]


BeforeWriting = Callable[[MemoryAboutToBeWritten], MemoryAboutToBeWritten]
OnMessages = Callable[[MessagesStored], object]


def about_to_be_written(memory: Memory, subscribers: Iterable[BeforeWriting]) -> MemoryAboutToBeWritten:
    """Asks the subscribers, in their order, for what belongs to a new memory."""
    event = MemoryAboutToBeWritten(memory)
    for subscriber in subscribers:
        event = subscriber(event)
    return event
