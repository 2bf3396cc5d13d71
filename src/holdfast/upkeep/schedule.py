"""Decides which jobs are due by the setting `schedule`: `enrich 02:00, reflect sun 03:00`, in local time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.core.errors import InvalidSettings

if TYPE_CHECKING:
    from holdfast.core.job import Job

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_ENTRY = re.compile(rf"(\w+)\s+(?:({'|'.join(_DAYS)})\s+)?(\d\d?):(\d\d)", re.IGNORECASE)

# A job that failed is tried again after this time.
_RETRY_AFTER = timedelta(hours=1)
# A clock may be put back by this much without a job running again.
_CLOCK_DRIFT = timedelta(hours=1)


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


def read(schedule: str, jobs: Iterable[Job[Any]]) -> dict[str, ScheduledTime]:
    """Parses a schedule into the time of each job it names; raises InvalidSettings for an invalid entry."""
    schedulable = [job.name for job in jobs if job.period is not None]
    times: dict[str, ScheduledTime] = {}
    for entry in filter(None, map(str.strip, schedule.split(","))):
        match = _ENTRY.fullmatch(entry)
        if match is None or int(match[3]) > 23 or int(match[4]) > 59:
            raise InvalidSettings(f"schedule: {entry!r}", hint="Write it as: enrich 02:00, reflect sun 03:00.")
        if match[1].lower() not in schedulable:
            hint = f"Only these jobs have one: {', '.join(schedulable)}. The others run whenever there is work."
            raise InvalidSettings(f"schedule: {match[1]!r} has no schedule", hint=hint)
        day = _DAYS.index(match[2].lower()) if match[2] else None
        times[match[1].lower()] = ScheduledTime(int(match[3]), int(match[4]), day)
    return times


def due(
    jobs: Iterable[Job[Any]], times: Mapping[str, ScheduledTime], last_runs: Mapping[str, datetime], now: datetime
) -> list[Job[Any]]:
    """Returns the jobs that are due.

    A job without a period, or one that never ran, is always due. A job with a scheduled time is due if that time has
    passed since its last run; any other job when its period has passed.
    """
    return [job for job in jobs if _is_due(job.period, times.get(job.name), last_runs.get(job.name), now)]


def any_overdue(
    jobs: Iterable[Job[Any]],
    times: Mapping[str, ScheduledTime],
    succeeded: Mapping[str, datetime],
    tried: Mapping[str, datetime],
    now: datetime,
) -> bool:
    """Is a job with a period due? One that failed a short time ago does not count."""
    waiting = {name for name, at in tried.items() if timedelta() <= now - at < _RETRY_AFTER}
    periodic = [job for job in jobs if job.period is not None and job.name not in waiting]
    return bool(due(periodic, times, succeeded, now))


def _is_due(period: timedelta | None, scheduled: ScheduledTime | None, last: datetime | None, now: datetime) -> bool:
    # A run with a later date comes from a clock that was corrected since: how long ago it was is unknown.
    if period is None or last is None or last > now + _CLOCK_DRIFT:
        return True
    if scheduled is None:
        return now - last >= period
    return last < scheduled.last(now.astimezone())
