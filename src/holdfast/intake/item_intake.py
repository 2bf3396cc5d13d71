"""Keeps values of applications by space and key; secrets are removed before anything is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.arguments import checked_methods
from holdfast.core.errors import InvalidInput
from holdfast.core.frozen import frozen
from holdfast.intake.scrub import scrub

if TYPE_CHECKING:
    from holdfast.core.item import ItemChange, StoredItem
    from holdfast.store.writing.items import ItemWriting

LONGEST_NAME = 500
MOST_PARTS = 20


@frozen
@checked_methods
class ItemKeeper:
    """The values of one project. A value is anything that JSON can represent, except null."""

    items: ItemWriting
    project: str
    now: Callable[[], datetime]

    def get(self, space: Sequence[str], key: str) -> StoredItem | None:
        """The value at a place, unless it has expired."""
        return self.items.get(self.project, _checked(space, key), key, self.now())

    def change(self, changes: Iterable[ItemChange]) -> None:
        """Makes all changes in one durable transaction. Raises InvalidInput or InvalidMemory."""
        clean = []
        for change in changes:
            _checked(change.space, change.key)
            value, _ = scrub({"value": change.value})
            clean.append(replace(change, value=value["value"]))
        self.items.change(self.project, clean, self.now())

    def under(self, space: Sequence[str] = ()) -> tuple[StoredItem, ...]:
        """The values in a space and in the spaces inside it."""
        return self.items.under(self.project, tuple(space), self.now())

    def spaces(self) -> tuple[tuple[str, ...], ...]:
        """The spaces with at least one value."""
        return self.items.spaces(self.project, self.now())

    def clear(self, space: Sequence[str]) -> int:
        """Deletes the values in a space and in the spaces inside it; returns how many."""
        return self.items.clear(self.project, tuple(space))


def _checked(space: Sequence[str], key: str) -> tuple[str, ...]:
    names = (*space, key)
    if not space or len(space) > MOST_PARTS or not all(isinstance(name, str) for name in names):
        raise InvalidInput("the place of a value is a space of 1 to 20 texts and a key", hint="")
    if any(not name or len(name) > LONGEST_NAME or "\0" in name for name in names):
        raise InvalidInput(f"the parts of a place have 1 to {LONGEST_NAME} characters", hint="")
    return tuple(space)
