"""The entity registry: read by all, changed by the entities package and when memories are stored."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.entity import (
        Entity,
        EntityMerge,
        MentionsByMemory,
        MonthCount,
        PendingName,
        RegisteredName,
        RelatedEntity,
    )
    from holdfast.core.memory import Memory


class EntityReading(Protocol):
    """Reads entities."""

    def find(self, project: str, name: str) -> tuple[Entity, ...]:
        """The entities with that name: first by their own name, then by alias."""
        ...

    def like(self, project: str, text: str, limit: int = 3) -> tuple[str, ...]:
        """Names that contain the text, the most mentioned first."""
        ...

    def entities(self, project: str, limit: int = 50, type: str | None = None) -> tuple[Entity, ...]:
        """The most mentioned entities."""
        ...

    def of(self, memory: str) -> tuple[Entity, ...]:
        """The entities that a memory names."""
        ...

    def memories(self, entity: Entity, limit: int = 20) -> tuple[Memory, ...]:
        """The believed memories that name the entity: learned ones, then messages, each newest first."""
        ...

    def timeline(self, entity: Entity) -> tuple[MonthCount, ...]:
        """How often it was named per month, oldest first."""
        ...

    def neighbours(self, entity: Entity, limit: int = 10) -> tuple[RelatedEntity, ...]:
        """The entities named in the same memories, the closest first."""
        ...

    def mentioning(self, project: str, keys: Sequence[str], each: int = 200) -> Mapping[int, tuple[int, ...]]:
        """Passages of memories that name one of these entities, newest first, at most `each` per entity.

        Each with the mention counts of the entities it names: a shared rare entity means more than a common one.
        """
        ...

    def merges(self, project: str) -> tuple[EntityMerge, ...]:
        """The merges that can be undone, the latest first."""
        ...

    def sparse(self, limit: int, at_most: int = 2) -> tuple[Memory, ...]:
        """Memories of any project with at most `at_most` names that were not read a second time, newest first."""
        ...

    def registered(self, project: str, words: Collection[str]) -> tuple[RegisteredName, ...]:
        """The names that one of these words begins, or whose last part it begins. The words are folded."""
        ...

    def pending_names(self, limit: int = 100) -> tuple[PendingName, ...]:
        """Names of any project that older memories are not linked to yet."""
        ...

    def any_pending_names(self) -> bool:
        """Is there such a name? Cheap at any size of the store."""
        ...

    def memories_with(self, project: str, name: str) -> tuple[str, ...]:
        """The ids of all memories with one of the words of a name, oldest first, without reflections."""
        ...

    def contents(self, memories: Sequence[str]) -> Mapping[str, str]:
        """The texts of memories by id; of those that exist."""
        ...


class EntityWriting(EntityReading, Protocol):
    """Reads and writes entities."""

    def link_all(self, project: str, pairs: MentionsByMemory, at: datetime, reader: str | None = None) -> int:
        """Links memories to the entities they name and creates missing entities; returns the number of new links.

        Looks entities up by name and type, then by alias. Doing it twice changes nothing. With a `reader`, marks the
        memories as read by it. Skips memories that no longer exist.
        """
        ...

    def finish_name(self, pending: PendingName) -> None:
        """Marks a pending name as linked."""
        ...

    def add(self, entity: Entity) -> Entity:
        """Adds an entity with its aliases; older memories wait to be linked. Raises InvalidInput if it exists."""
        ...

    def add_alias(self, entity: Entity, alias: str) -> Entity:
        """Adds another name; older memories wait to be linked. A name that it has already changes nothing."""
        ...

    def put(self, entity: Entity) -> None:
        """Updates an entity's type, label, summary, relation and protection."""
        ...

    def rename(self, entity: Entity, name: str) -> Entity:
        """Renames an entity; the old name becomes an alias."""
        ...

    def merge(self, kept: Entity, merged: Entity, at: datetime) -> Entity:
        """Merges the second entity into the first, with its names, summary and memories."""
        ...

    def split(self, merge: EntityMerge) -> Entity:
        """Undoes a merge: restores the merged entity, and takes from the other what it gained by the merge.

        Memories linked to either since then stay where they are.
        """
        ...
