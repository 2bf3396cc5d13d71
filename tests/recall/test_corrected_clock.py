"""What was stored by a clock that was ahead is found once the clock is right again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import holdfast
from holdfast.container.job_table import JOBS
from holdfast.core.clock import FixedClock, SystemClock
from holdfast.upkeep import schedule
from holdfast.workspace import Workspace

NOW = datetime.now(UTC)
PERIODIC = [job.name for job in JOBS if job.period]


def opened(tmp_path: Path, project: Path, at: datetime) -> Workspace:
    clock: SystemClock = FixedClock(at)  # type: ignore[assignment] # a clock is what has `now`
    return holdfast.open(db=str(tmp_path / "memory.db"), project=str(project), background=False, clock=clock)


def test_search_and_context_find_it(tmp_path: Path, project: Path) -> None:
    with opened(tmp_path, project, NOW + timedelta(days=400)) as ws:
        ws.remember("The harbour crane is painted yellow.")
        ws.session("s").say("user", "The pilot boat leaves at seven.")
    with opened(tmp_path, project, NOW) as ws:
        assert "yellow" in ws.recall("What colour is the harbour crane?").hits[0].text
        assert "yellow" in ws.context("paint the harbour crane").text
        assert "seven" in ws.recall("When does the pilot boat leave?").hits[0].text


def test_a_query_of_a_past_day_does_not_know_it(tmp_path: Path, project: Path) -> None:
    with opened(tmp_path, project, NOW) as ws:
        ws.remember("The harbour crane is painted yellow.")
    with opened(tmp_path, project, NOW - timedelta(days=30)) as ws:
        assert not ws.recall("What colour is the harbour crane?").hits


def test_jobs_that_ran_later_than_now_are_due() -> None:
    later = dict.fromkeys(PERIODIC, NOW + timedelta(days=400))
    earlier = dict.fromkeys(PERIODIC, NOW - timedelta(minutes=1))
    assert schedule.any_overdue(JOBS, {}, later, later, NOW)
    assert not schedule.any_overdue(JOBS, {}, earlier, earlier, NOW)
    night = schedule.read("enrich 02:00", JOBS)
    assert schedule.any_overdue(JOBS, night, {**earlier, "enrich": NOW + timedelta(days=400)}, {}, NOW)
