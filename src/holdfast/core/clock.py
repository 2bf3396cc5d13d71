"""The current time, passed in so that a test can set it, and timestamps as text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from holdfast.core.errors import InvalidInput

# Stands for a stored time that cannot be read.
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


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
    if at.tzinfo is UTC:
        return at.isoformat(timespec="milliseconds")[:-6] + "Z"
    if at.tzinfo is None:
        at = at.astimezone()
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def in_utc(at: datetime, name: str) -> datetime:
    """Returns a caller's time in UTC; one without a zone is local time. Raises InvalidInput if it is no datetime."""
    if not isinstance(at, datetime):
        raise InvalidInput(f"{name} {at!r} is not a datetime", hint="Pass a datetime; without a zone it is local time.")
    return at if at.tzinfo is UTC else at.astimezone(UTC)


def unstamp(text: str) -> datetime:
    """Parses a timestamp; accepts any ISO 8601 text and takes it for local time when it has no zone."""
    if text.endswith("Z"):
        return datetime.fromisoformat(text.strip())
    at = datetime.fromisoformat(text.strip().replace("z", "Z"))
    if at.tzinfo is UTC:
        return at
    if at.tzinfo is None:
        at = at.astimezone()
    return at.astimezone(UTC)


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
