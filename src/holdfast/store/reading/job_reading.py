"""Reading the state of background work."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.core.health import JobRun
    from holdfast.system.project_description import ProjectSummary


@frozen
class Lease:
    """Who is doing a background job, until when, and its progress."""

    name: str
    holder: str
    expires_at: datetime
    progress: Mapping[str, Any]


class JobReading(Protocol):
    """Reads leases, job runs, totals and projects."""

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

    def totals(self, project: str | None = None) -> Mapping[str, int]:
        """Row counts of the whole store, or of all projects of the person who works in this one."""
        ...

    def projects(self) -> tuple[Mapping[str, Any], ...]:
        """Every project in the store, the most recently used first."""
        ...

    def project_summaries(self) -> tuple[ProjectSummary, ...]:
        """Every project with the number of its current memories, the most recently used first."""
        ...
