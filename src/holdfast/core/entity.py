"""Who and what is spoken of: a mention in a text, and the entity it names (R-F1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
class Neighbour:
    """An entity named together with another one, and in how many memories."""

    entity: Entity
    together: int


@dataclass(frozen=True, slots=True)
class Period:
    """A month, as `2026-07`, and how many memories of it name the entity."""

    month: str
    memories: int


@dataclass(frozen=True, slots=True)
class EntityProfile:
    """Everything about an entity: what was learned first, then what was said, each the newest first."""

    entity: Entity
    memories: tuple[Memory, ...]
    timeline: tuple[Period, ...]
    neighbours: tuple[Neighbour, ...]


def key_of(name: str) -> str:
    """A name as it is looked up: case, blanks at the ends and a leading @ or # make no difference."""
    return " ".join(name.split()).lstrip("@#").casefold()


def checked_type(type: str) -> str:
    """The type, when it is one of the seven."""
    if type not in TYPES:
        raise InvalidInput(f"an entity's type is one of {', '.join(TYPES)}; not {type!r}", hint="Name one of them.")
    return type


# Memories by id, each with what it names.
Pairs = Sequence[tuple[str, Sequence[Mention]]]
