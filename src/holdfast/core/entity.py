"""Entities: the people and things that memories name, and their mentions in texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from holdfast.core.errors import InvalidInput
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.core.memory import Memory

TYPES = ("person", "project", "organization", "location", "email", "url", "other")

# Label of a mention -> entity type. Labels are finer than the seven types. A project is anything with a name that
# people make or run: a library, a program, an operating system.
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
# Labels of mentions that name nothing and become no entity.
UNNAMED = frozenset({"version", "date", "filetype"})


# The label of a capitalised word that may name anything, and the memories that must have it until it is matched.
UNKNOWN_KIND, ESTABLISHED = "name", 2


class Mention(NamedTuple):
    """A name in a text, from `start` up to, but not including, `end`.

    `text` is the name as written, or that of the registered entity. `relation` says who a person is to the speaker.
    """

    text: str
    start: int
    end: int
    label: str
    confidence: float
    relation: str | None = None

    @property
    def type(self) -> str:
        """One of the seven types."""
        return LABELS[self.label]

    def is_within(self, other: Mention) -> bool:
        """Do the two overlap, without this one being the longer?"""
        overlap = self.start < other.end and other.start < self.end
        return overlap and self.end - self.start <= other.end - other.start


@frozen
class Entity:
    """A person or thing that memories name. `mentions` counts those memories.

    `relation` says who a person is to the speaker, as in "my sister Ann".
    """

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
    relation: str | None = None

    def __post_init__(self) -> None:
        checked_type(self.type)


class RegisteredName(NamedTuple):
    """A name or an alias of an entity, and the entity's id, own name, type and label.

    `by_hand`: a person named or corrected the entity. `mentions` counts the memories that name it.
    """

    name: str
    alias: bool
    entity: str
    entity_name: str
    type: str
    label: str
    by_hand: bool
    mentions: int = 0

    @property
    def is_matched(self) -> bool:
        """Is it matched in any case and position? Other names are recognised by their form alone.

        These are the names of people, organizations, places and projects, those that a person gave or corrected, and,
        where they are capitalised, names of an unknown kind that two memories have.
        """
        return (
            self.by_hand
            or self.type in ("person", "organization", "location")
            or self.label == "project"
            or self.of_unknown_kind
        )

    @property
    def of_unknown_kind(self) -> bool:
        """Is it known by its capital letter alone, from at least two memories?"""
        return not self.by_hand and self.label == UNKNOWN_KIND and self.mentions >= ESTABLISHED


@frozen
class PendingName:
    """A name whose older memories are not linked yet; `key` is its normalised form."""

    project: str
    key: str
    registered: RegisteredName


@frozen
class EntityMentions:
    """An entity and the ids of all memories that name it."""

    entity: Entity
    memories: tuple[str, ...] = ()


@frozen
class EntityMerge:
    """An entity that was merged into another (`kept`): its state at the merge, with the memories that named it.

    The `gained_…` fields list what the other entity gained by this merge alone; undoing the merge removes them.
    """

    entity: Entity
    memories: tuple[str, ...]
    kept: str
    at: datetime
    gained_names: tuple[str, ...] = ()
    gained_memories: tuple[str, ...] = ()
    gained_summary: bool = False

    def has_name(self, name: str) -> bool:
        """Is this the name or an alias of the merged entity?"""
        return key_of(name) in map(key_of, (self.entity.name, *self.entity.aliases))


@frozen
class RelatedEntity:
    """An entity named together with another one, and the number of memories that name both."""

    entity: Entity
    together: int


@frozen
class MonthCount:
    """A month, as `2026-07`, and the number of its memories that name the entity."""

    month: str
    memories: int


@frozen
class EntityProfile:
    """Everything about an entity. `memories` has learned memories before messages, each newest first."""

    entity: Entity
    memories: tuple[Memory, ...]
    timeline: tuple[MonthCount, ...]
    neighbours: tuple[RelatedEntity, ...]


def key_of(name: str) -> str:
    """Normalises a name for lookup: ignores case, extra spaces and a leading @ or #."""
    return " ".join(name.split()).lstrip("@#").casefold()


def hand_over_gains(merge: EntityMerge, others: Iterable[EntityMerge]) -> tuple[EntityMerge, tuple[EntityMerge, ...]]:
    """Prepares undoing a merge: names and memories that another merge into the same entity also provides pass to it.

    Returns the merge without these gains, and the other merges that changed.
    """
    receivers = []
    for other in others:
        names = [name for name in merge.gained_names if other.has_name(name)]
        memories = sorted(set(merge.gained_memories).intersection(other.memories))
        if names or memories:
            receivers.append(_gaining(other, [*other.gained_names, *names], [*other.gained_memories, *memories]))
            left = set(merge.gained_memories).difference(memories)
            merge = _gaining(merge, [name for name in merge.gained_names if name not in names], sorted(left))
    return merge, tuple(receivers)


def checked_type(type: str) -> str:
    """Returns the type. Raises InvalidInput if it is not one of the seven."""
    if type not in TYPES:
        raise InvalidInput(f"an entity type must be one of {', '.join(TYPES)}, not {type!r}", hint="")
    return type


def _gaining(merge: EntityMerge, names: Iterable[str], memories: Iterable[str]) -> EntityMerge:
    return replace(merge, gained_names=tuple(names), gained_memories=tuple(memories))


# The id of each memory, with its mentions.
MentionsByMemory = Sequence[tuple[str, Sequence[Mention]]]
