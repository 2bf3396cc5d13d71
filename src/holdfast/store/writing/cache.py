"""Vectors by text: held by models through the workspace, cleaned by upkeep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol


class CacheWriting(Protocol):
    """The embedding cache; entries live seven days (R-B4)."""

    def get(self, keys: Sequence[str]) -> dict[str, bytes]: ...
    def put(self, entries: Mapping[str, bytes]) -> None: ...
    def evict(self) -> int:
        """Removes what has expired; returns how many."""
        ...
