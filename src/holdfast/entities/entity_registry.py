"""The registry of entities: find by any name, merge, split, rename, protect, describe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.entity import Entity, EntityMerge, EntityProfile, checked_type, key_of
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.frozen import frozen
from holdfast.text.names import name_words

if TYPE_CHECKING:
    from holdfast.core.ids import Ids
    from holdfast.store.writing.entities import EntityWriting

_MOST_NAMED = 5


@frozen
class Registry:
    """The entities of one project."""

    entities: EntityWriting
    project: str
    now: Callable[[], datetime]
    ids: Ids

    def find(self, name: str) -> Entity:
        """Returns the entity with that name or alias; of several, the one mentioned most. Raises NotFound."""
        found = self.entities.find(self.project, name) or self._find_folded(name)
        if found:
            return found[0]
        near = self.entities.like(self.project, name) if name.strip() else ()
        hint = f"Did you mean {' or '.join(map(repr, near))}?" if near else "See `holdfast entity list`."
        raise NotFound(f"entity {name!r}", hint=hint)

    def profile(self, name: str, limit: int = 20) -> EntityProfile:
        """Returns an entity with its memories, its timeline and the entities mentioned with it."""
        entity, store = self.find(name), self.entities
        return EntityProfile(entity, store.memories(entity, limit), store.timeline(entity), store.neighbours(entity))

    def most_mentioned(self, limit: int = 50, type: str | None = None) -> tuple[Entity, ...]:
        """Returns the entities mentioned in the most memories."""
        return self.entities.entities(self.project, limit, checked_type(type) if type else None)

    def add(self, name: str, type: str | None = None, aliases: Sequence[str] = ()) -> Entity:
        """Registers a name, or adds aliases to the entity that has it. Older memories are linked in the background.

        Without a `type`, an entity of any type with that name, or else a new person.
        """
        known = self.entities.find(self.project, name) or self._find_folded(name)
        found = next((entity for entity in known if type in (None, entity.type)), None)
        entity = self._confirmed(found, name) if found else self._new(name, type or "person")
        for alias in aliases:
            entity = self.entities.add_alias(entity, alias)
        return entity

    def _confirmed(self, entity: Entity, name: str) -> Entity:
        """Marks an entity as named by a person; it takes their spelling."""
        if key_of(name) not in map(key_of, (entity.name, *entity.aliases)):
            return self.entities.rename(entity, name)
        return self._put(entity)

    def _find_folded(self, name: str) -> tuple[Entity, ...]:
        """The entities with that name without case, accents, hyphens and apostrophes."""
        words = name_words(name)
        near = self.entities.registered(self.project, words[:1]) if words else ()
        return tuple(
            entity
            for known in near
            if name_words(known.name) == words
            for entity in self.entities.find(self.project, known.name)
            if entity.id == known.entity
        )

    def _new(self, name: str, type: str) -> Entity:
        shown = " ".join(name.split()).lstrip("@#")
        if not key_of(shown):
            raise InvalidInput("an entity needs a name")
        id = f"ent_{self.ids.new()}"
        return self.entities.add(Entity(id, self.project, shown, checked_type(type), type, self.now()))

    def merge(self, kept: str, merged: str) -> Entity:
        """Merges the second entity into the first, which is then found by the names of both."""
        first, second = self.find(kept), self.find(merged)
        if second.id == first.id:  # Two entities of different types may have one name.
            same = self.entities.find(self.project, merged)
            second = next((other for other in same if _is_named(other, merged) and other.id != first.id), second)
        if second.protected:
            hint = f"Keep it instead: holdfast entity merge {second.name!r} {first.name!r}"
            raise InvalidInput(f"{second.name!r} is protected", hint=hint)
        return self.entities.merge(first, second, self.now())

    def split(self, name: str) -> Entity:
        """Undoes the merge of the entity with that name or alias. Of nested merges, undo the outer one first."""
        merges = self.entities.merges(self.project)
        candidates = [merge for merge in merges if merge.has_name(name)]
        if not candidates:
            raise NotFound(f"a merge of {name!r}", hint=_undoable(merges))
        # A name takes precedence over an alias, and the latest merge over earlier ones.
        chosen = min(candidates, key=lambda merge: key_of(merge.entity.name) != key_of(name))
        for merge in merges:
            if merge.entity.id == chosen.kept:
                outer = merge.entity.name
                hint = f"First: holdfast entity split {outer!r}"
                raise InvalidInput(f"{outer!r} itself was merged later", hint=hint)
        return self.entities.split(chosen)

    def rename(self, name: str, new: str) -> Entity:
        """Renames an entity; it is still found by its old name."""
        return self.entities.rename(self.find(name), new)

    def protect(self, name: str, on: bool = True) -> Entity:
        """Keeps later reading from changing the entity's name and type, and keeps it from being merged into another."""
        return self._put(replace(self.find(name), protected=on))

    def describe(self, name: str, summary: str) -> Entity:
        """Sets the entity's summary; an empty text removes it."""
        return self._put(replace(self.find(name), summary=" ".join(summary.split()) or None))

    def _put(self, entity: Entity) -> Entity:
        self.entities.put(entity)
        return entity


def _is_named(entity: Entity, name: str) -> bool:
    return key_of(entity.name) == key_of(name)


def _undoable(merges: Sequence[EntityMerge]) -> str:
    if not merges:
        return "Nothing was merged."
    return f"Merged entities: {', '.join(repr(merge.entity.name) for merge in merges[:_MOST_NAMED])}."
