"""The operations on entities."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from holdfast.core.arguments import several
from holdfast.core.filters import check_limit
from holdfast.core.job import NAMES
from holdfast.workspace.operation_verbs import Operations

if TYPE_CHECKING:
    from holdfast.core.entity import Entity, EntityProfile


class EntityOperations(Operations):
    """Shows and changes the people and things that memories name."""

    def entity(self, name: str, limit: int = 20) -> EntityProfile:
        """Everything about a person or thing by name: memories, months, and the entities mentioned with it."""
        return self.container.entities.profile(name, limit)

    def entities(self, limit: int = 50, type: str | None = None) -> tuple[Entity, ...]:
        """The entities that most memories name; of one of the seven types, or of all."""
        return self.container.entities.most_mentioned(check_limit(limit), type)

    def add_entity(self, name: str, type: str | None = None, aliases: Iterable[str] = ()) -> Entity:
        """Registers a person, or an entity of another type, or adds aliases to it; older memories are linked later."""
        redact = self.container.review.redact
        return self._then_wake(
            self.container.entities.add(redact(name), type, tuple(map(redact, several(aliases)))), NAMES
        )

    def merge_entities(self, kept: str, merged: str) -> Entity:
        """Merges the second entity into the first, which is then found by both names."""
        return self._then_wake(self.container.entities.merge(kept, merged), NAMES)

    def split_entity(self, name: str) -> Entity:
        """Undoes a merge. Memories linked to either since then stay where they are."""
        return self.container.entities.split(name)

    def rename_entity(self, name: str, new: str) -> Entity:
        """Renames an entity; it is still found by the old name."""
        redact = self.container.review.redact
        return self._then_wake(self.container.entities.rename(name, redact(new)), NAMES)

    def protect_entity(self, name: str, on: bool = True) -> Entity:
        """Keeps an entity's name and type unchanged and prevents it from being merged into another."""
        return self.container.entities.protect(name, on)

    def describe_entity(self, name: str, summary: str) -> Entity:
        """Sets the summary of an entity, a sentence or two."""
        return self.container.entities.describe(name, self.container.review.redact(summary))
