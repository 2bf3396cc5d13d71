"""The current time, passed in so that a test can set it, and timestamps as text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from holdfast.core.errors import InvalidInput

# Replaces a stored time that cannot be read.
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
# The earliest and latest time. Not those of Python: a zone could show them in the year 0 or 10000.
_FIRST = datetime(1, 1, 2, tzinfo=UTC)
_LAST = datetime(9999, 12, 30, 23, 59, 59, 999000, tzinfo=UTC)


class SystemClock:
    """The system clock in UTC, to the millisecond, which is the precision of the store."""

    def now(self) -> datetime:
        now = datetime.now(UTC)
        return now.replace(microsecond=now.microsecond // 1000 * 1000)


class FixedClock:
    """A clock for tests that changes only by `advance`."""

    def __init__(self, at: datetime) -> None:
        self._at = at.astimezone(UTC)

    def now(self) -> datetime:
        return self._at

    def advance(self, seconds: float) -> None:
        self._at = datetime.fromtimestamp(self._at.timestamp() + seconds, UTC)


def stamp(at: datetime) -> str:
    """Formats a time as ISO 8601 in UTC with milliseconds: fixed width, so text order is time order."""
    return (at if at.tzinfo is UTC else _utc(at)).isoformat(timespec="milliseconds")[:-6] + "Z"


def in_utc(at: datetime, name: str) -> datetime:
    """Returns a caller's time in UTC; one without a zone is local time. Raises InvalidInput if it is no datetime.

    `datetime.min` and `datetime.max`, in whatever zone, mean the earliest and latest time that can be stored.
    """
    if not isinstance(at, datetime):
        raise InvalidInput(f"{name} {at!r} is not a datetime", hint="Pass a datetime; without a zone it is local time.")
    return _utc(at)


def unstamp(text: str) -> datetime:
    """Parses a timestamp; accepts any ISO 8601 text and takes it for local time when it has no zone."""
    return _utc(datetime.fromisoformat(text.strip().replace("z", "Z")))


def stored_time(text: str) -> datetime:
    """Parses a stored timestamp. An unreadable one is the beginning of 1970: a damaged value must not hide the rest."""
    try:
        return unstamp(text)
    except (ValueError, TypeError, AttributeError, OverflowError):
        return LONG_AGO


def unstamp_until(text: str) -> datetime:
    """Parses a time as an upper limit: a date alone means the end of that day, so "until Friday" includes Friday."""
    at = unstamp(text)
    is_day = len(text.strip()) == len("2026-03-01")
    return at + timedelta(days=1, milliseconds=-1) if is_day else at


def _utc(at: datetime) -> datetime:
    if at.tzinfo is UTC and _FIRST.year < at.year < _LAST.year:
        return at
    try:
        return min(max(at.astimezone(UTC), _FIRST), _LAST)
    except (ValueError, OverflowError):
        return _FIRST if at.year == _FIRST.year else _LAST
