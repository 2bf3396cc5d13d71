"""A row as an engine returns it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Protocol, TypeVar

Value = TypeVar("Value", tuple[Any, ...], dict[str, Any])


class Row(Protocol):
    """The values of a row in column order, each also available by its column's name."""

    def keys(self) -> Iterable[str]: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __getitem__(self, column: str, /) -> Any: ...


def stored_json(text: str, default: Value) -> Value:
    """A stored list or mapping; the default if it cannot be read: a damaged value must not hide the rest."""
    try:
        found = json.loads(text)
        return type(default)(found)
    except (ValueError, TypeError):
        return default
