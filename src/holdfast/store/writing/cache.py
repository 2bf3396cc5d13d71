"""The embedding cache: used by models, cleaned by upkeep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol


class CacheWriting(Protocol):
    """Vectors by text hash; entries expire after seven days."""

    def get(self, keys: Sequence[str]) -> dict[str, bytes]: ...
    def put(self, entries: Mapping[str, bytes]) -> None: ...
    def evict(self) -> int:
        """Removes expired entries; returns how many."""
        ...
