"""What time it is, passed in so that a test can hold it still."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class SystemClock:
    """The machine's clock, in UTC, to the millisecond: as it is kept, so that a memory told equals the one read."""

    def now(self) -> datetime:
        now = datetime.now(UTC)
        return now.replace(microsecond=now.microsecond // 1000 * 1000)


class FixedClock:
    """A clock that stands where it was put; `advance` moves it."""

    def __init__(self, at: datetime) -> None:
        self._at = at.astimezone(UTC)

    def now(self) -> datetime:
        return self._at

    def advance(self, seconds: float) -> None:
        self._at = datetime.fromtimestamp(self._at.timestamp() + seconds, UTC)


def stamp(at: datetime) -> str:
    """ISO 8601 in UTC with milliseconds: fixed width, so text order is time order."""
    if at.tzinfo is UTC:
        return at.isoformat(timespec="milliseconds")[:-6] + "Z"
    if at.tzinfo is None:
        at = at.astimezone()
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def unstamp(text: str) -> datetime:
    """The moment a stamp names; accepts any ISO 8601 text, local time when no zone is given."""
    if text.endswith("Z"):
        return datetime.fromisoformat(text.strip())
    at = datetime.fromisoformat(text.strip().replace("z", "Z"))
    if at.tzinfo is UTC:
        return at
    if at.tzinfo is None:
        at = at.astimezone()
    return at.astimezone(UTC)


def last_of(text: str) -> datetime:
    """The last moment a text names: of a date alone the end of that day, so that "until Friday" includes Friday."""
    at = unstamp(text)
    is_day = len(text.strip()) == len("2026-03-01")
    return at + timedelta(days=1, milliseconds=-1) if is_day else at
