"""Erasing the text of memories for good."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.text.removal import SentenceRemoval


# The lock that a process holds while it erases, or copies the database.
LOCK = "erasure"


@frozen
class RecordedErasure:
    """An erasure that was asked for and is not finished.

    `texts` are to be removed everywhere; None once they were. Then the database file itself is left: it has to be
    written again, unless it was `compacted`, and its log emptied.
    """

    id: int
    project: str
    memories: tuple[str, ...]
    texts: tuple[str, ...] | None
    compacted: bool = False


class ErasureWriting(Protocol):
    """Erases the text of memories from every table. Nothing of it can be restored."""

    def projects(self, project: str, ids: Collection[str]) -> tuple[str, ...]:
        """The projects to clean: this one and the person's own; all of theirs, if a memory is or was personal."""
        ...

    def connected(self, projects: Collection[str], ids: Collection[str]) -> tuple[Memory, ...]:
        """The memories that these were learned from, that were learned from them, and that replace or were replaced."""
        ...

    def record(self, project: str, ids: Collection[str], texts: Collection[str]) -> None:
        """Records what is to be erased, durably, before anything of it is."""
        ...

    def recorded(self) -> tuple[RecordedErasure, ...]:
        """The erasures of all projects that are not finished, the oldest first."""
        ...

    def forget_texts(self, erasure: int) -> None:
        """Notes that the texts of a recorded erasure are nowhere any more, and deletes them from the record."""
        ...

    def finish(self, erasure: int) -> None:
        """Deletes the record of an erasure."""
        ...

    def erase(
        self, projects: Collection[str], ids: Collection[str], removal: SentenceRemoval, at: datetime
    ) -> tuple[Memory, ...]:
        """Empties these memories and removes their text wherever a row repeats it; returns every changed memory."""
        ...

    def compact(self) -> None:
        """Writes the file again without deleted data, which stays in the log until that is empty."""
        ...

    def mark_compacted(self, erasure: int) -> None:
        """Notes that the file was written again since the texts of a recorded erasure were deleted."""
        ...

    def delete_copies(self) -> tuple[str, ...]:
        """Deletes all backups and old databases that were kept; returns which."""
        ...

    def empty_log(self) -> bool:
        """Empties the log of the database. Returns False if a reader keeps old pages in it."""
        ...
