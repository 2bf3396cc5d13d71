"""Leases and records of background work: used by upkeep."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Protocol


class JobWriting(Protocol):
    """Writes leases and job runs. One process at a time holds a lease."""

    def take(self, name: str, holder: str, seconds: float) -> bool:
        """Takes a lease that is free, expired or already held by `holder`."""
        ...

    def keep(self, name: str, holder: str, seconds: float, progress: Mapping[str, Any]) -> bool:
        """Extends a lease and stores the progress. False means that the lease was lost: stop."""
        ...

    def free(self, name: str, holder: str) -> None: ...
    def record(
        self,
        name: str,
        started: datetime,
        finished: datetime,
        outcome: str,
        detail: Mapping[str, Any],
        project: str | None = None,
    ) -> None:
        """Records a run of a job, of one project or of the whole store."""
        ...
