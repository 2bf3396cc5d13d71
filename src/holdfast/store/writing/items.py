"""Values of applications: used by intake."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.item import ItemChange, StoredItem


class ItemWriting(Protocol):
    """Keeps JSON values by project, space and key. An expired value counts as deleted."""

    def get(self, project: str, space: Sequence[str], key: str, now: datetime) -> StoredItem | None: ...
    def change(self, project: str, changes: Sequence[ItemChange], now: datetime) -> None:
        """Makes all changes in one durable transaction, in order."""
        ...

    def under(self, project: str, space: Sequence[str], now: datetime) -> tuple[StoredItem, ...]:
        """The values in a space and in the spaces inside it, by space and key; all for an empty space."""
        ...

    def spaces(self, project: str, now: datetime) -> tuple[tuple[str, ...], ...]:
        """The spaces with at least one value, in order."""
        ...

    def clear(self, project: str, space: Sequence[str]) -> int:
        """Deletes the values in a space and in the spaces inside it; returns how many."""
        ...
