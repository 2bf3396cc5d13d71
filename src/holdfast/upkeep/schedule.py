"""Decides which jobs are due by the setting `schedule`: `enrich 02:00, reflect sun 03:00`, in local time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from holdfast.core.errors import InvalidSettings

if TYPE_CHECKING:
    from holdfast.upkeep.jobs import Job

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_ENTRY = re.compile(rf"(\w+)\s+(?:({'|'.join(_DAYS)})\s+)?(\d\d?):(\d\d)", re.IGNORECASE)


class ScheduledTime(NamedTuple):
    """A time of day, daily or only on one weekday; Monday is 0."""

    hour: int
    minute: int
    weekday: int | None = None

    def last(self, now: datetime) -> datetime:
        """Returns the latest occurrence of this time that is not after `now`."""
        moment = now.replace(hour=self.hour, minute=self.minute, second=0, microsecond=0)
        if self.weekday is not None:
            moment -= timedelta(days=(moment.weekday() - self.weekday) % 7)
        if moment > now:
            moment -= timedelta(days=1 if self.weekday is None else 7)
        return moment


def read(schedule: str) -> dict[str, ScheduledTime]:
    """Parses a schedule into the time of each job it names; raises InvalidSettings for an invalid entry."""
    times: dict[str, ScheduledTime] = {}
    for entry in filter(None, map(str.strip, schedule.split(","))):
        match = _ENTRY.fullmatch(entry)
        if match is None or int(match[3]) > 23 or int(match[4]) > 59:
            raise InvalidSettings(f"schedule: {entry!r}", hint="Write it as: consolidate 03:00, reflect sun 03:00.")
        day = _DAYS.index(match[2].lower()) if match[2] else None
        times[match[1].lower()] = ScheduledTime(int(match[3]), int(match[4]), day)
    return times


def due(
    jobs: Iterable[Job], times: Mapping[str, ScheduledTime], last_runs: Mapping[str, datetime], now: datetime
) -> list[Job]:
    """Returns the jobs that are due.

    A job without a period, or one that never ran, is always due. A job with a scheduled time is due if that time has
    passed since its last run; any other job when its period has passed.
    """
    return [job for job in jobs if _is_due(job, times.get(job.name), last_runs.get(job.name), now)]


def _is_due(job: Job, scheduled: ScheduledTime | None, last: datetime | None, now: datetime) -> bool:
    if job.period is None or last is None:
        return True
    if scheduled is None:
        return now - last >= job.period
    return last < scheduled.last(now.astimezone())
