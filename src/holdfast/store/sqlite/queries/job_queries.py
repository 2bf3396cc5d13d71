"""Reads the state of background work from SQLite."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.clock import stored_time
from holdfast.store.reading.job_reading import Lease
from holdfast.store.sqlite.queries.query_parts import SqliteReader

if TYPE_CHECKING:
    from holdfast.core.health import JobRun
    from holdfast.system.project_description import ProjectSummary


class SqliteJobReading(SqliteReader):
    """`JobReading` on SQLite."""

    def lease(self, name: str) -> Lease | None:
        rows = self._rows("lease", {"name": name})
        if not rows:
            return None
        row = rows[0]
        return Lease(row["name"], row["holder"], stored_time(row["expires_at"]), json.loads(row["progress"]))

    def job_runs(self, limit: int = 10) -> tuple[JobRun, ...]:
        return tuple(_job_run(row) for row in self._rows("job_runs", {"limit": limit}))

    def last_run(self, job: str) -> JobRun | None:
        rows = self._rows("last_run", {"name": job})
        return _job_run(rows[0]) if rows else None

    def last_runs(self, project: str, outcome: str | None = "ok") -> Mapping[str, datetime]:
        rows = self._rows("last_runs", {"project": project, "outcome": outcome})
        return {row["name"]: stored_time(row["at"]) for row in rows}

    def totals(self, project: str | None = None) -> Mapping[str, int]:
        return dict(self._rows("totals_of_person", {"project": project})[0] if project else self._rows("totals", {})[0])

    def projects(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(dict(row) for row in self._rows("projects", {}))

    def project_summaries(self) -> tuple[ProjectSummary, ...]:
        from holdfast.system.project_description import ProjectSummary  # Imported here: one command needs it.

        counts = {row["project_id"]: (row["memories"], row["messages"]) for row in self._rows("count_by_project", {})}
        return tuple(
            ProjectSummary(
                row["id"], row["name"], row["root"], *counts.get(row["id"], (0, 0)), stored_time(row["last_seen_at"])
            )
            for row in self._rows("projects", {})
        )


def _job_run(row: sqlite3.Row) -> JobRun:
    from holdfast.core.health import JobRun  # Imported here: only `stats` needs it.

    started, finished = stored_time(row["started_at"]), stored_time(row["finished_at"])
    return JobRun(row["name"], started, finished, row["outcome"], json.loads(row["detail"]))
