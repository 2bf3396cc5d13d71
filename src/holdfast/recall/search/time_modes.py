"""Temporal modes of a query: the last sessions, a time window, the sessions around an event, a trend by week."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from holdfast.core.clock import in_utc, unstamp, unstamp_until
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.frozen import frozen
from holdfast.recall.question import Notes, Question, RecallCandidate

if TYPE_CHECKING:
    from holdfast.core.answer import Filters
    from holdfast.recall.steps import Candidates, Step
    from holdfast.store.reading import MemoryReading, SessionSpan

# The number of sessions before and after an event.
_AROUND = 3
# The highest number of sessions or days.
_MOST = 9_999
_DAY = timedelta(days=1)
_FORMS = "recent:5, window:2026-01-01..2026-02-01, around:ID, around:2026-01-15 or trend:30"


@frozen
class RecentSessions:
    """The last `sessions` sessions, the newest first."""

    sessions: int


@frozen
class TimeWindow:
    """From `since` to `until`; None leaves that end open. A time without a zone is local time."""

    since: datetime | None
    until: datetime | None


@frozen
class AroundEvent:
    """The session of a memory, or the one nearest to a moment, with three sessions before and after it."""

    event: str | datetime


@frozen
class Trend:
    """The last `days` days, grouped by week, with the number of candidates per week."""

    days: int


Temporal = RecentSessions | TimeWindow | AroundEvent | Trend


def read(text: str) -> Temporal:
    """Parses a mode such as `recent:5`. Raises InvalidInput that lists the valid forms."""
    mode, _, rest = text.strip().partition(":")
    reader = _READERS.get(mode)
    if reader is None:
        raise InvalidInput(f"temporal {text!r}", hint=f"Write it like {_FORMS}.")
    return reader(rest.strip(), text)


def narrowed(mode: Temporal, filters: Filters, project: str, reading: MemoryReading, now: datetime) -> Filters:
    """Narrows filters to the time of a mode; filters that are already set still apply."""
    match mode:
        case RecentSessions(count):
            return _within(filters, reading.sessions(project, count))
        case TimeWindow(since, until):
            return _between(filters, since, until)
        case AroundEvent(event):
            return _within(filters, _around(event, project, reading))
        case Trend(days):
            return _between(filters, now - days * _DAY, None)


def ordering(mode: Temporal) -> tuple[Step, ...]:
    """The steps that a mode appends to a recipe."""
    if isinstance(mode, RecentSessions):
        return (NewestFirst(),)
    return (ByWeek(),) if isinstance(mode, Trend) else ()


@frozen
class NewestFirst:
    """Sorts the first `limit` candidates by time, the newest first."""

    name: str = "newest first"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        chosen = sorted(candidates[: question.limit], key=lambda candidate: candidate.when, reverse=True)
        return (*chosen, *candidates[question.limit :]), {}


@frozen
class ByWeek:
    """Sorts the first `limit` candidates by week, the newest first; the notes count all candidates by week."""

    name: str = "by week"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        chosen = sorted(candidates[: question.limit], key=_week, reverse=True)
        counts: dict[str, int] = {}
        for week in sorted(map(_week, candidates), reverse=True):
            counts[week] = counts.get(week, 0) + 1
        return (*chosen, *candidates[question.limit :]), {"weeks": counts}


def _recent(rest: str, text: str) -> RecentSessions:
    return RecentSessions(_count(rest, text))


def _trend(rest: str, text: str) -> Trend:
    return Trend(_count(rest, text))


def _window(rest: str, text: str) -> TimeWindow:
    since, dots, until = rest.partition("..")
    if not dots or not (since or until):
        raise InvalidInput(f"temporal {text!r} has no two dates", hint="Write it like window:2026-01-01..2026-02-01.")
    window = TimeWindow(_moment(since, text) if since else None, _end(until, text) if until else None)
    if window.since and window.until and window.since > window.until:
        raise InvalidInput(f"temporal {text!r} ends before it begins", hint="Put the earlier date first.")
    return window


def _around_read(rest: str, text: str) -> AroundEvent:
    if not rest:
        raise InvalidInput(f"temporal {text!r} names no event", hint="Write the id of a memory, or a date, after it.")
    try:
        return AroundEvent(unstamp(rest))
    except (ValueError, OverflowError, OSError):
        return AroundEvent(rest)


_READERS: dict[str, Callable[[str, str], Temporal]] = {
    "recent": _recent,
    "window": _window,
    "around": _around_read,
    "trend": _trend,
}


def _count(rest: str, text: str) -> int:
    # Check the length first: converting a million digits is slow.
    valid = rest.isascii() and rest.isdigit() and len(rest) <= len(str(_MOST)) and 0 < int(rest) <= _MOST
    if not valid:
        raise InvalidInput(f"temporal {text!r} has no number from 1 to {_MOST}", hint=f"Write it like {_FORMS}.")
    return int(rest)


def _moment(date: str, text: str, read: Callable[[str], datetime] = unstamp) -> datetime:
    try:
        return read(date)
    except (ValueError, OverflowError, OSError):
        raise InvalidInput(f"{date!r} in temporal {text!r} is not a date", hint="Write it like 2026-03-01.") from None


def _end(date: str, text: str) -> datetime:
    """The end of a window; a date means its last millisecond."""
    return _moment(date, text, unstamp_until)


def _within(filters: Filters, spans: tuple[SessionSpan, ...]) -> Filters:
    ids = tuple(span.id for span in spans)
    if filters.sessions is not None:
        ids = tuple(id for id in ids if id in filters.sessions)
    return replace(filters, sessions=ids)


def _between(filters: Filters, since: datetime | None, until: datetime | None) -> Filters:
    starts = [in_utc(at, "since") for at in (filters.since, since) if at]
    ends = [in_utc(at, "until") for at in (filters.until, until) if at]
    return replace(filters, since=max(starts, default=None), until=min(ends, default=None))


def _around(event: str | datetime, project: str, reading: MemoryReading) -> tuple[SessionSpan, ...]:
    session, at = _place(event, project, reading)
    spans = sorted(reading.sessions(project), key=lambda span: (span.began, span.id))
    if not spans:
        return ()
    there = next((n for n, span in enumerate(spans) if span.id == session), None)
    middle = there if there is not None else min(range(len(spans)), key=lambda n: _distance(spans[n], at))
    return tuple(spans[max(0, middle - _AROUND) : middle + _AROUND + 1])


def _place(event: str | datetime, project: str, reading: MemoryReading) -> tuple[str | None, datetime]:
    if isinstance(event, datetime):
        return None, in_utc(event, "event")
    memory = reading.memory(reading.resolve(project, event))
    if memory is None:
        raise NotFound(f"memory {event}")
    return memory.session, memory.event_time or memory.created_at


def _distance(span: SessionSpan, at: datetime) -> timedelta:
    return max(span.began - at, at - span.ended, timedelta(0))


def _week(candidate: RecallCandidate) -> str:
    year, week, _ = candidate.when.isocalendar()
    return f"{year}-W{week:02d}"
