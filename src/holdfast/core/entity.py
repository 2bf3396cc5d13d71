"""Who and what is spoken of: a mention in a text, and the entity it names (R-F1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from holdfast.core.errors import InvalidInput

if TYPE_CHECKING:
    from holdfast.core.memory import Memory

TYPES = ("person", "project", "organization", "location", "email", "url", "other")

# What a mention is called, finer than the seven types, and the type it belongs to. A project is anything with a name
# that people make or run: a library, a program, an operating system.
LABELS: Mapping[str, str] = {
    "person": "person",
    "username": "person",
    "organization": "organization",
    "location": "location",
    "email": "email",
    "url": "url",
    "website": "url",
    "project": "project",
    "library": "project",
    "application": "project",
    "os": "project",
    "language": "other",
    "class": "other",
    "function": "other",
    "symbol": "other",
    "file": "other",
    "filetype": "other",
    "error": "other",
    "hashtag": "other",
    "name": "other",
    "version": "other",
    "date": "other",
    "other": "other",
}
# What is found in a text but is nobody's name: it makes no entity.
UNNAMED = frozenset({"version", "date", "filetype"})


class Mention(NamedTuple):
    """A place in a text where something is named: from `start` up to, not including, `end`."""

    text: str
    start: int
    end: int
    label: str
    confidence: float

    @property
    def type(self) -> str:
        """One of the seven types."""
        return LABELS[self.label]


@dataclass(frozen=True, slots=True)
class Entity:
    """Someone or something that memories name. `mentions` counts those memories."""

    id: str
    project: str
    name: str
    type: str
    label: str
    created_at: datetime
    aliases: tuple[str, ...] = ()
    summary: str | None = None
    protected: bool = False
    mentions: int = 0

    def __post_init__(self) -> None:
        checked_type(self.type)


@dataclass(frozen=True, slots=True)
class EntityMentions:
    """An entity and the ids of all memories that name it."""

    entity: Entity
    memories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EntityMerge:
    """An entity that was merged into another, `kept`: as it was then, with the memories that named it.

    What was gained is what the other one has by this merge alone, and gives back when it is undone.
    """

    entity: Entity
    memories: tuple[str, ...]
    kept: str
    at: datetime
    gained_names: tuple[str, ...] = ()
    gained_memories: tuple[str, ...] = ()
    gained_summary: bool = False

    def goes_by(self, name: str) -> bool:
        """Is it the name of the entity that was merged, or another one that it had?"""
        return key_of(name) in map(key_of, (self.entity.name, *self.entity.aliases))


@dataclass(frozen=True, slots=True)
class RelatedEntity:
    """An entity named together with another one, and in how many memories."""

    entity: Entity
    together: int


@dataclass(frozen=True, slots=True)
class MonthCount:
    """A month, as `2026-07`, and how many memories of it name the entity."""

    month: str
    memories: int


@dataclass(frozen=True, slots=True)
class EntityProfile:
    """Everything about an entity: what was learned first, then what was said, each the newest first."""

    entity: Entity
    memories: tuple[Memory, ...]
    timeline: tuple[MonthCount, ...]
    neighbours: tuple[RelatedEntity, ...]


def key_of(name: str) -> str:
    """A name as it is looked up: case, blanks at the ends and a leading @ or # make no difference."""
    return " ".join(name.split()).lstrip("@#").casefold()


def handed_on(merge: EntityMerge, others: Iterable[EntityMerge]) -> tuple[EntityMerge, tuple[EntityMerge, ...]]:
    """A merge to be undone, less what other merges into the same entity give it too; and those others with it."""
    heirs = []
    for other in others:
        names = [name for name in merge.gained_names if other.goes_by(name)]
        memories = sorted(set(merge.gained_memories).intersection(other.memories))
        if names or memories:
            heirs.append(_gaining(other, [*other.gained_names, *names], [*other.gained_memories, *memories]))
            left = set(merge.gained_memories).difference(memories)
            merge = _gaining(merge, [name for name in merge.gained_names if name not in names], sorted(left))
    return merge, tuple(heirs)


def checked_type(type: str) -> str:
    """The type, when it is one of the seven."""
    if type not in TYPES:
        raise InvalidInput(f"an entity's type is one of {', '.join(TYPES)}; not {type!r}", hint="Name one of them.")
    return type


def _gaining(merge: EntityMerge, names: Iterable[str], memories: Iterable[str]) -> EntityMerge:
    return replace(merge, gained_names=tuple(names), gained_memories=tuple(memories))


# Memories by id, each with what it names.
Pairs = Sequence[tuple[str, Sequence[Mention]]]
