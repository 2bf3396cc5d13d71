"""Which jobs are due, by period and schedule."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from holdfast.container.job_table import JOBS
from holdfast.core.errors import InvalidSettings
from holdfast.core.job import Job
from holdfast.upkeep.schedule import ScheduledTime, any_overdue, due, read

NOW = datetime(2026, 11, 18, 10, 30, tzinfo=UTC)  # a Wednesday
DAY = timedelta(days=1)


def job(name: str, period: timedelta | None = DAY) -> Job[Any]:
    return Job(name, lambda parts, progress: {}, period)


def names(jobs: list[Job[Any]]) -> list[str]:
    return [job.name for job in jobs]


def test_a_schedule_is_read() -> None:
    times = read("enrich 02:00, Reflect SUN 3:05", JOBS)
    assert times == {"enrich": ScheduledTime(2, 0), "reflect": ScheduledTime(3, 5, 6)}
    assert read("", JOBS) == {}


@pytest.mark.parametrize(
    "wrong", ["enrich", "enrich 25:00", "enrich someday 02:00", "enrich 02:61", "consolidate 03:00"]
)
def test_an_invalid_entry_is_refused(wrong: str) -> None:
    with pytest.raises(InvalidSettings):
        read(wrong, JOBS)


def test_the_last_occurrence_of_a_time() -> None:
    assert ScheduledTime(3, 0).last(NOW) == NOW.replace(hour=3, minute=0)
    assert ScheduledTime(11, 0).last(NOW) == NOW.replace(hour=11, minute=0) - DAY
    assert ScheduledTime(3, 0, 6).last(NOW) == datetime(2026, 11, 15, 3, tzinfo=UTC)
    assert ScheduledTime(11, 0, 2).last(NOW) == datetime(2026, 11, 11, 11, tzinfo=UTC)


def test_a_job_is_due_once_per_period() -> None:
    table = [job("embed", None), job("evict")]
    assert names(due(table, {}, {}, NOW)) == ["embed", "evict"]
    assert names(due(table, {}, {"embed": NOW, "evict": NOW - DAY / 2}, NOW)) == ["embed"]
    assert names(due(table, {}, {"evict": NOW - DAY}, NOW)) == ["embed", "evict"]


def test_a_job_with_a_scheduled_time_waits_for_it() -> None:
    here = NOW.astimezone()
    hours = {"reflect": ScheduledTime(here.hour, here.minute)}
    assert names(due([job("reflect")], hours, {"reflect": NOW - timedelta(minutes=1)}, NOW)) == ["reflect"]
    assert names(due([job("reflect")], hours, {"reflect": NOW + timedelta(minutes=1)}, NOW)) == []


def test_overdue_jobs_are_those_with_a_period_that_did_not_just_fail() -> None:
    recent = dict.fromkeys([job.name for job in JOBS if job.period], NOW - timedelta(hours=2))
    assert any_overdue(JOBS, {}, {}, {}, NOW)
    assert not any_overdue(JOBS, {}, recent, recent, NOW)
    old = {**recent, "evict": NOW - timedelta(days=2)}
    assert any_overdue(JOBS, {}, old, recent, NOW)
    assert not any_overdue(JOBS, {}, old, {**recent, "evict": NOW - timedelta(minutes=5)}, NOW)
