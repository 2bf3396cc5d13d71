"""Values that applications keep by space and key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from datetime import datetime
from typing import Any

from holdfast.core.frozen import frozen


@frozen
class StoredItem:
    """A JSON value with its place and times. `space` has one part or more, like the folders of a path."""

    space: tuple[str, ...]
    key: str
    value: Any = field(hash=False)
    created_at: datetime
    updated_at: datetime


@frozen
class ItemChange:
    """A value to keep, or, without a value, to delete. `expires_at` ends it."""

    space: tuple[str, ...]
    key: str
    value: Any = field(default=None, hash=False)
    expires_at: datetime | None = None


def joined(space: Sequence[str]) -> str:
    """A space as one text, in which a space begins with the spaces that contain it."""
    return "/".join(part.replace("%", "%25").replace("/", "%2F") for part in space)


def parted(text: str) -> tuple[str, ...]:
    """The space of a text that `joined` returned."""
    return tuple(part.replace("%2F", "/").replace("%25", "%") for part in text.split("/"))
