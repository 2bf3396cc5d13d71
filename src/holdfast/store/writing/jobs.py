"""Leases and records of background work: held by upkeep."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Protocol


class JobWriting(Protocol):
    """The writing face for background work. A lease is held by one process at a time."""

    def take(self, name: str, holder: str, seconds: float) -> bool:
        """Takes a lease that is free, expired or already one's own."""
        ...

    def keep(self, name: str, holder: str, seconds: float, progress: Mapping[str, Any]) -> bool:
        """Prolongs it and notes how far the work is. False: it was lost meanwhile, stop."""
        ...

    def free(self, name: str, holder: str) -> None: ...
    def record(
        self, name: str, started: datetime, finished: datetime, outcome: str, detail: Mapping[str, Any]
    ) -> None: ...
