"""Reads the days a text names ("last Tuesday", "in May", "il y a deux jours"), relative to the day it was written."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, date, datetime, time, timedelta

from holdfast.core.frozen import frozen
from holdfast.text.day_expressions import (
    NUMBERS,
    UNITS,
    VAGUE,
    WEEKDAY_NUMBERS,
    Days,
    Reader,
    any_of,
    expressions,
)
from holdfast.text.patterns import compiled

# The number of characters to read: a query may be a whole page, but names a time early.
_READ = 4_000
_ACCENTS = str.maketrans("àâäçéèêëîïôöùûü’", "aaaceeeeiioouuu'")
# A date after one of these is the start of a range that ends today.
_SINCE = r"(?:\bsince (?:the )?|\bdepuis (?:l[ea] |l')?|自从?|从)$"

# Days from today on, and the words for them.
_NEAR_DAYS = {
    "today": 0, "tonight": 0, "aujourd'hui": 0, "ce soir": 0, "tomorrow": 1, "demain": 1, "day after tomorrow": 2,
    "après-demain": 2,
}  # fmt: skip
_NEAR, _WEEKDAY = rf"(?P<near>{'|'.join(_NEAR_DAYS)})", any_of(WEEKDAY_NUMBERS)
_COUNT = rf"\d{{1,3}}|{any_of(NUMBERS.keys() - VAGUE)}"
_FUTURE = (
    rf"(?<!\w)(?:{_NEAR}"
    rf"|(?P<next>next |this |coming )?(?P<day>{_WEEKDAY})(?! (?:morning|afternoon|evening|night)s)(?P<after> prochain)?"
    rf"|(?:in|dans|d'ici) (?P<n>{_COUNT}) (?P<unit>day|week|month|jour|semaine|mois)s?"
    r"|(?P<span>next week|next month|la semaine prochaine|le mois prochain|end of (?:the )?week|end of (?:the )?month"
    r"|eow|eom|fin de (?:la )?semaine|fin du mois))(?!\w)"
)
# A day that only the day of the message explains. A weekday alone may be every week's.
_RELATIVE = (
    rf"(?i)(?<![\w-])(?:{_NEAR}(?!'s)|(?P<past>yesterday|last night|hier soir|hier)(?!'s)"
    rf"|(?P<ago>{_COUNT}) days ago|il y a (?P<depuis>{_COUNT}) jours"
    rf"|(?P<next>next |this coming )(?P<day>{_WEEKDAY})|(?P<le>{_WEEKDAY}) prochain"
    rf"|last (?P<last>{_WEEKDAY})|(?P<dernier>{_WEEKDAY}) dernier)(?![\w-])"
)
_MAX_DAYS = 2


@frozen
class DateRange:
    """The days from `start` to `end`, both included, and the phrase of the query that names them."""

    start: date
    end: date
    phrase: str

    @property
    def width(self) -> int:
        """The number of days, at least two, because people date loosely."""
        return max((self.end - self.start).days + 1, 2)

    def nearness(self, day: date) -> float:
        """Returns 1 inside the range; outside, it halves with each width of distance."""
        gap = max((self.start - day).days, (day - self.end).days, 0)
        return float(0.5 ** (gap / self.width))

    def wider(self) -> tuple[datetime, datetime]:
        """Returns the range, extended by its width at both ends because people date loosely, as moments."""
        start = max(self.start.toordinal() - self.width, date.min.toordinal())
        end = min(self.end.toordinal() + self.width, date.max.toordinal())
        return (
            datetime.combine(date.fromordinal(start), time.min, UTC),
            datetime.combine(date.fromordinal(end), time.max, UTC),
        )


def windows(text: str, today: date) -> tuple[DateRange, ...]:
    """Returns the date ranges a text names, in order, relative to `today`; ignores case and accents.

    Reads only the first few thousand characters.
    """
    plain = unicodedata.normalize("NFC", text[:_READ]).lower().translate(_ACCENTS)
    found: list[tuple[int, int, DateRange]] = []
    for pattern, read in expressions(plain):
        for match in pattern.finditer(plain):
            if any(start < match.end() and match.start() < end for start, end, _ in found):
                continue
            days = _days(read, match, today)
            if days is not None:
                found.append((*match.span(), DateRange(*days, match[0].strip())))
    named: dict[Days, DateRange] = {}
    for _, _, window in sorted(found, key=lambda item: item[0]):
        named.setdefault((window.start, window.end), window)
    return tuple(named.values())


def nearest(ranges: tuple[DateRange, ...], day: date) -> float:
    """Returns how well a day fits the nearest of the ranges, 0 to 1; 0 without any."""
    return max((window.nearness(day) for window in ranges), default=0.0)


def future_day(text: str, at: datetime) -> datetime | None:
    """The day by which or on which something will happen; None when none is named. `text` is in lower case."""
    match = compiled(_FUTURE).search(text)
    if match is not None:
        return _noon(_resolve(match, at.date()))
    found = next((each for each in windows(text, at.date()) if (each.end - each.start).days < _MAX_DAYS), None)
    if found is None:
        return None
    # Days without a date, such as the weekend, are those of the last week; a promise means those of this week.
    week = timedelta(days=7 if found.start < found.end < at.date() else 0)
    return _noon(_not_past(found.end + week, at.date()))


def dated(line: str, at: datetime) -> str:
    """The line with the date after the first word that only its day explains: `next Tuesday (2026-11-24)`."""
    found = compiled(_RELATIVE).search(line)
    if found is None:
        return line
    return f"{line[: found.end()]} ({_relative_day(found, at.date()).isoformat()}){line[found.end() :]}"


def _relative_day(found: re.Match[str], today: date) -> date:
    if found["near"]:
        return today + timedelta(days=_NEAR_DAYS[found["near"].lower()])
    if found["past"]:
        return today - timedelta(days=1)
    if ago := found["ago"] or found["depuis"]:
        return today - timedelta(days=int(ago) if ago.isdigit() else NUMBERS[ago.lower()])
    if day := found["day"] or found["le"]:
        return _weekday(WEEKDAY_NUMBERS[day.lower()], today, later=(found["next"] or "").lower() == "next ")
    weekday = WEEKDAY_NUMBERS[(found["last"] or found["dernier"]).lower()]
    return today - timedelta(days=(today.weekday() - weekday) % 7 or 7)


def past_day(text: str, at: datetime) -> datetime | None:
    """The day something happened, if a single day is named; None for a week, a month or no date."""
    for window in windows(text, at.date()):
        if (window.end - window.start).days < _MAX_DAYS:
            return _noon(window.start)
    return None


def _resolve(match: re.Match[str], today: date) -> date:
    if match["near"]:
        return today + timedelta(days=_NEAR_DAYS[match["near"]])
    if match["day"]:
        return _weekday(WEEKDAY_NUMBERS[match["day"]], today, later=(match["next"] or "").strip() == "next")
    if match["unit"]:
        count = int(match["n"]) if match["n"].isdigit() else NUMBERS[match["n"]]
        return today + timedelta(days=count * UNITS[match["unit"]])
    return _end_of(match["span"], today)


def _weekday(day: int, today: date, later: bool) -> date:
    """The next such weekday; with `next`, a day still to come this week means the one of the following week."""
    gap = (day - today.weekday()) % 7 or 7
    return today + timedelta(days=gap + 7 if later and today.weekday() < day else gap)


def _end_of(span: str, today: date) -> date:
    if "month" in span or "mois" in span or span == "eom":
        months = today.year * 12 + today.month + ("next" in span or "prochain" in span)
        return date(months // 12, months % 12 + 1, 1) - timedelta(days=1)
    friday = today + timedelta(days=4 - today.weekday())
    return friday + timedelta(days=7) if "next" in span or "prochain" in span else max(friday, today)


def _not_past(day: date, today: date) -> date:
    """Moves a past date to its next occurrence: `by March 3` in a message from November means next year."""
    if day >= today:
        return day
    try:
        return day.replace(year=today.year if day.replace(year=today.year) >= today else today.year + 1)
    except ValueError:  # the 29th of February
        return day


def _noon(day: date) -> datetime:
    """Noon UTC of a day, which is the same date in almost every time zone."""
    return datetime.combine(day, time(12), UTC)


def _days(read: Reader, match: re.Match[str], today: date) -> Days | None:
    """Returns the days an expression means; None if there is no such day."""
    try:
        days = read(match, today)
    except (ValueError, OverflowError):
        return None
    since = match[0].startswith(("since", "depuis")) or compiled(_SINCE).search(match.string, 0, match.start())
    return (days[0], today) if days and since and days[0] <= today else days
