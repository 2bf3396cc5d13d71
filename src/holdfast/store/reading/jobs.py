"""Reading the state of background work."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.frozen import frozen
from holdfast.core.vector_size import VectorSize

if TYPE_CHECKING:
    from holdfast.core.health import JobRun
    from holdfast.core.project_description import ProjectSummary


@frozen
class PendingPassage:
    """A passage that needs a vector or a better one, and its present text."""

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

    def pending(self, embedder: str, limit: int, size: VectorSize = VectorSize.SINGLE) -> tuple[PendingPassage, ...]:
        """Passages without a vector of that embedder of at least that size, in the order in which to embed them.

        The highest priority comes first, then the newest. Cheap at any size of the store.
        """
        ...

    def count_pending(self, embedder: str, size: VectorSize = VectorSize.SINGLE) -> int: ...
    def any_pending(self, embedder: str, size: VectorSize = VectorSize.SINGLE) -> bool:
        """Whether any passage lacks such a vector. Cheap at any size of the store."""
        ...

    def count_by_size(self, embedder: str) -> Mapping[VectorSize, int]:
        """The number of passages with a vector of that embedder, by its size."""
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

    def last_runs(self, project: str, outcome: str | None = "ok") -> Mapping[str, datetime]:
        """When each background job last ended with an outcome (None: any), for this project or for the whole store."""
        ...

    def totals(self) -> Mapping[str, int]:
        """Row counts of the whole store, all projects together."""
        ...

    def projects(self) -> tuple[Mapping[str, Any], ...]:
        """Every project in the store, the most recently used first."""
        ...

    def project_summaries(self) -> tuple[ProjectSummary, ...]:
        """Every project with the number of its current memories, the most recently used first."""
        ...
