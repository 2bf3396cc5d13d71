"""A row as an engine returns it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol


class Row(Protocol):
    """The values of a row in column order, each also available by its column's name."""

    def keys(self) -> Iterable[str]: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __getitem__(self, column: str, /) -> Any: ...
