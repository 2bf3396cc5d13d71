"""The registry as people use it: look up by any name, merge, rename, protect, describe (R-F1, R-F3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.entity import Entity, EntityMerge, EntityProfile, checked_type, key_of
from holdfast.core.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from holdfast.store.writing.entities import EntityWriting

_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class Registry:
    """The entities of one project."""

    entities: EntityWriting
    project: str
    now: Callable[[], datetime]

    def find(self, name: str) -> Entity:
        """The entity of that name, or the one also called so; of several, the one mentioned most."""
        found = self.entities.find(self.project, name)
        if found:
            return found[0]
        near = self.entities.like(self.project, name) if name.strip() else ()
        hint = f"Did you mean {' or '.join(map(repr, near))}?" if near else "See `holdfast entity list`."
        raise NotFound(f"entity {name!r}", hint=hint)

    def profile(self, name: str, limit: int = 20) -> EntityProfile:
        """Everything about an entity: what names it, when, and what is named beside it."""
        entity, store = self.find(name), self.entities
        return EntityProfile(entity, store.memories(entity, limit), store.timeline(entity), store.neighbours(entity))

    def most_mentioned(self, limit: int = 50, type: str | None = None) -> tuple[Entity, ...]:
        """The entities that most memories name."""
        return self.entities.entities(self.project, limit, checked_type(type) if type else None)

    def merge(self, kept: str, merged: str) -> Entity:
        """Two entities are one and the same: the first stays, and is found by the names of both."""
        first, second = self.find(kept), self.find(merged)
        if second.protected:
            hint = f"Keep it instead: holdfast entity merge {second.name!r} {first.name!r}"
            raise InvalidInput(f"{second.name!r} is protected", hint=hint)
        return self.entities.merge(first, second, self.now())

    def split(self, name: str) -> Entity:
        """Undoes a merge: the one of that name, which was merged into another, is itself again."""
        merges = self.entities.merges(self.project)
        found = [merge for merge in merges if merge.goes_by(name)]
        if not found:
            raise NotFound(f"a merge of {name!r}", hint=_undoable(merges))
        # Why so: its own name tells more than another one it had, and the latest merge more than one before.
        chosen = min(found, key=lambda merge: key_of(merge.entity.name) != key_of(name))
        for merge in merges:
            if merge.entity.id == chosen.kept:
                outer = merge.entity.name
                raise InvalidInput(f"{outer!r} itself was merged since", hint=f"First: holdfast entity split {outer!r}")
        return self.entities.split(chosen)

    def rename(self, name: str, new: str) -> Entity:
        """Another name; it is still found by the old one."""
        return self.entities.rename(self.find(name), new)

    def protect(self, name: str, on: bool = True) -> Entity:
        """Keeps its name and type from being changed by what is read, and itself from being merged away."""
        return self._put(replace(self.find(name), protected=on))

    def describe(self, name: str, summary: str) -> Entity:
        """What is to be known about it in a sentence or two; an empty text takes it away."""
        return self._put(replace(self.find(name), summary=" ".join(summary.split()) or None))

    def _put(self, entity: Entity) -> Entity:
        self.entities.put(entity)
        return entity


def _undoable(merges: Sequence[EntityMerge]) -> str:
    if not merges:
        return "Nothing was merged."
    return f"What was merged: {', '.join(repr(merge.entity.name) for merge in merges[:_MOST_NAMED])}."
