"""The registry of entities: read by all, changed by the room of entities and what links memories on their way in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.entity import Entity, EntityMerge, MonthCount, Pairs, RelatedEntity
    from holdfast.core.memory import Memory


class EntityReading(Protocol):
    """The reading face for entities."""

    def find(self, project: str, name: str) -> tuple[Entity, ...]:
        """The entities of that name: those whose own name it is before those that are also called so."""
        ...

    def like(self, project: str, text: str, limit: int = 3) -> tuple[str, ...]:
        """Names that contain the text, the most mentioned first."""
        ...

    def entities(self, project: str, limit: int = 50, type: str | None = None) -> tuple[Entity, ...]:
        """The most mentioned entities."""
        ...

    def of(self, memory: str) -> tuple[Entity, ...]:
        """What a memory names."""
        ...

    def memories(self, entity: Entity, limit: int = 20) -> tuple[Memory, ...]:
        """What names the entity and is believed: what was learned first, then what was said, the newest first."""
        ...

    def timeline(self, entity: Entity) -> tuple[MonthCount, ...]:
        """The months in which it was named, oldest first."""
        ...

    def neighbours(self, entity: Entity, limit: int = 10) -> tuple[RelatedEntity, ...]:
        """The entities named in the same memories, the closest first."""
        ...

    def mentioning(self, project: str, keys: Sequence[str], each: int = 200) -> Mapping[int, tuple[int, ...]]:
        """Passages of memories that name one of these, newest first and at most so many of each entity.

        Each with how often the entities it names are named at all: the rarer, the more a shared one tells.
        """
        ...

    def merges(self, project: str) -> tuple[EntityMerge, ...]:
        """The merges that can be undone, the latest first."""
        ...

    def sparse(self, limit: int, at_most: int = 2) -> tuple[Memory, ...]:
        """Memories of any project that name no more than so many and were not read a second time, newest first."""
        ...


class EntityWriting(EntityReading, Protocol):
    """The writing face for entities."""

    def link_all(self, project: str, pairs: Pairs, at: datetime, reader: str | None = None) -> int:
        """Links memories to what they name and makes the entities that are new; returns how many links are new.

        An entity is looked up by name and type, then by its other names. Doing it twice changes nothing. With a
        `reader`, the memories are stamped as read by it. A memory that is gone meanwhile is passed over.
        """
        ...

    def put(self, entity: Entity) -> None:
        """The entity's type, label, summary and protection as they are now."""
        ...

    def rename(self, entity: Entity, name: str) -> Entity:
        """Another name for an entity; it is still found by the old one."""
        ...

    def merge(self, kept: Entity, merged: Entity, at: datetime) -> Entity:
        """Two entities are one: names, summary and memories of the second go to the first."""
        ...

    def split(self, merge: EntityMerge) -> Entity:
        """Undoes a merge: the one that was merged is back as it was, and the other gives back what it gained by it.

        What was said of either since then stays where it is.
        """
        ...
