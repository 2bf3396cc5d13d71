"""One memory in full: its history, the memories that replaced it and those it refers to."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from holdfast.core.anchor import CodeChange
from holdfast.core.frozen import frozen
from holdfast.core.memory import USER_TAUGHT, Memory


@frozen
class MemoryEvent:
    """One action on a memory, with its reason."""

    at: datetime
    verb: str
    reason: str
    detail: Mapping[str, Any]

    @property
    def by_program(self) -> bool:
        """Did an agent or another program do it, and no person?"""
        return bool(self.detail.get("source", USER_TAUGHT) != USER_TAUGHT)


@frozen
class Operation:
    """One change: its verb, and each memory now and before it (None if it added the memory).

    `verb` is `background` for what background work learned. `records` are the numbers under which it is stored.
    """

    verb: str
    changes: tuple[tuple[Memory, Memory | None], ...]
    records: tuple[int, ...]

    @property
    def memories(self) -> tuple[Memory, ...]:
        """The memories it changed."""
        return tuple(memory for memory, _ in self.changes)


@frozen
class LoggedOperation:
    """An entry of the log: what was changed, when (None if it was not recorded), of how many memories, and the first.

    `undone`: was it undone, and not done again?
    """

    verb: str
    at: datetime | None
    memories: int
    text: str
    undone: bool


@frozen
class MemoryDescription:
    """A memory, everything that was done to it in order, its successors, and the memories its relations name.

    `changes` are those of its code since it was stored, if they were asked for.
    """

    memory: Memory
    history: tuple[MemoryEvent, ...]
    successors: tuple[Memory, ...]
    related: tuple[Memory, ...]
    changes: tuple[CodeChange, ...] = ()
