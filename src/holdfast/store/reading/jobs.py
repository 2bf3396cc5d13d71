"""Reading the state of background work."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.core.health import JobRun


@frozen
class PendingPassage:
    """A passage without a vector of the current embedder, and its present text."""

    passage: int
    memory: str
    kind: str
    said: str


@frozen
class Lease:
    """Who is doing a background job, until when, and its progress."""

    name: str
    holder: str
    expires_at: datetime
    progress: Mapping[str, Any]


class JobReading(Protocol):
    """Reads embedders, pending passages, leases, job runs and totals."""

    def pending(self, embedder: str, limit: int) -> tuple[PendingPassage, ...]:
        """Passages without a vector of that embedder, in the order in which they should be embedded."""
        ...

    def count_pending(self, embedder: str) -> int: ...
    def any_pending(self, embedder: str) -> bool:
        """Whether any passage lacks a vector of that embedder. Cheap at any size."""
        ...

    def embedders(self) -> tuple[str, ...]:
        """The ids of the embedders that have vectors, the latest first."""
        ...

    def lease(self, name: str) -> Lease | None: ...
    def job_runs(self, limit: int = 10) -> tuple[JobRun, ...]:
        """The latest runs of background jobs, newest first."""
        ...

    def last_run(self, job: str) -> JobRun | None:
        """The latest run of a job, successful or not."""
        ...

    def last_runs(self) -> Mapping[str, datetime]:
        """When each background job last succeeded."""
        ...

    def totals(self) -> Mapping[str, int]:
        """Row counts of the whole store, all projects together."""
        ...

    def projects(self) -> tuple[Mapping[str, Any], ...]:
        """Every project in the store, the most recently used first."""
        ...
