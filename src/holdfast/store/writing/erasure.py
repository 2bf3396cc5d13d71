"""Erasing the text of memories for good."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.memory import Memory


class TextRemoval(Protocol):
    """Removes from a text the sentences that repeat erased memories."""

    @property
    def words(self) -> Collection[str]: ...
    def repeats(self, text: str) -> bool: ...
    def clean(self, text: str) -> str: ...
    def clean_json(self, text: str) -> str: ...


class ErasureWriting(Protocol):
    """Erases the text of memories from every table. Nothing of it can be restored."""

    def projects(self, project: str, ids: Collection[str]) -> tuple[str, ...]:
        """The projects to clean: this one and the person's own; with a personal memory, all of the person."""
        ...

    def connected(self, projects: Collection[str], ids: Collection[str]) -> tuple[Memory, ...]:
        """The memories that these were learned from, that were learned from them, and that replace or were replaced."""
        ...

    def erase(
        self, projects: Collection[str], ids: Collection[str], removal: TextRemoval, at: datetime
    ) -> tuple[Memory, ...]:
        """Empties these memories and removes their text wherever a row repeats it; returns every changed memory."""
        ...

    def compact(self) -> bool:
        """Writes the file again without deleted data. Returns False if a reader keeps old pages in the log."""
        ...
