"""Counting which memories are found, and recording what each session was given: used by recall and inject."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.memory_use import MemoryUse


class UsageWriting(Protocol):
    """Writes usage statistics."""

    def found(self, project: str, answers: Sequence[Sequence[str]], at: datetime) -> bool:
        """Counts, for each answer, an access to each of its memories and the pairs among its first five.

        Never waits long for other writers: returns False if it did not count.
        """
        ...

    def supply(self, project: str, session: str, ids: Sequence[str], at: datetime) -> bool:
        """Records what was supplied to a session: for a month, at most the newest thousand of each session.

        Never waits long for other writers: returns False if it recorded nothing.
        """
        ...

    def supplied(self, project: str, session: str) -> frozenset[str]:
        """The ids of what was supplied to a session since it last ended."""
        ...

    def last_supplied(self, project: str, id: str) -> str | None:
        """The last session that was supplied with a memory, if any."""
        ...

    def record_uses(self, project: str, session: str, uses: Sequence[MemoryUse]) -> None:
        """Stores what became of the memories that a session was given, in place of what was stored before.

        What somebody stated is replaced only by what is stated later.
        """
        ...

    def uses(self, project: str, session: str) -> tuple[MemoryUse, ...]:
        """What became of the memories that a session was given, in the order they were given."""
        ...
