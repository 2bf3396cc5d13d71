"""When a job's hour has come (R-J5): `enrich 02:00, consolidate 03:00, reflect sun 03:00`, in local time."""

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


class ScheduledHour(NamedTuple):
    """A time of day, on every day or on one of the week; Monday is 0."""

    hour: int
    minute: int
    weekday: int | None = None

    def last(self, now: datetime) -> datetime:
        """The latest moment it was so late, now at the latest."""
        moment = now.replace(hour=self.hour, minute=self.minute, second=0, microsecond=0)
        if self.weekday is not None:
            moment -= timedelta(days=(moment.weekday() - self.weekday) % 7)
        if moment > now:
            moment -= timedelta(days=1 if self.weekday is None else 7)
        return moment


def read(schedule: str) -> dict[str, ScheduledHour]:
    """The hour of each job that has one."""
    hours: dict[str, ScheduledHour] = {}
    for entry in filter(None, map(str.strip, schedule.split(","))):
        match = _ENTRY.fullmatch(entry)
        if match is None or int(match[3]) > 23 or int(match[4]) > 59:
            raise InvalidSettings(f"schedule: {entry!r}", hint="Write it as: consolidate 03:00, reflect sun 03:00.")
        day = _DAYS.index(match[2].lower()) if match[2] else None
        hours[match[1].lower()] = ScheduledHour(int(match[3]), int(match[4]), day)
    return hours


def due(
    jobs: Iterable[Job], hours: Mapping[str, ScheduledHour], last_runs: Mapping[str, datetime], now: datetime
) -> list[Job]:
    """The jobs whose turn it is: those without a period always, the others when their hour came since their last run.

    A job without an hour has its turn when its period is over. One that never ran waits for nothing.
    """
    return [job for job in jobs if _is_due(job, hours.get(job.name), last_runs.get(job.name), now)]


def _is_due(job: Job, hour: ScheduledHour | None, last: datetime | None, now: datetime) -> bool:
    if job.period is None or last is None:
        return True
    if hour is None:
        return now - last >= job.period
    return last < hour.last(now.astimezone())
