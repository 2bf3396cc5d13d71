"""Resolves the day a sentence names, relative to the day of the message: a future day or a past one."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta

from holdfast.recall.when import windows

_WEEKDAYS = {
    **{name: n for n, name in enumerate("monday tuesday wednesday thursday friday saturday sunday".split())},
    **{name: n for n, name in enumerate("lundi mardi mercredi jeudi vendredi samedi dimanche".split())},
}
_DAY = "|".join(_WEEKDAYS)
_FUTURE = re.compile(
    rf"(?<!\w)(?:(?P<near>today|tonight|tomorrow|day after tomorrow|aujourd'hui|demain|après-demain|ce soir)"
    rf"|(?P<next>next |this |coming )?(?P<day>{_DAY})(?! (?:morning|afternoon|evening|night)s)(?P<after> prochain)?"
    rf"|(?:in|dans|d'ici) (?P<n>\d{{1,3}}|an?|one|two|three|four|five|six|un|une|deux|trois|quatre|cinq|six) "
    rf"(?P<unit>day|week|month|jour|semaine|mois)s?"
    rf"|(?P<span>next week|next month|la semaine prochaine|le mois prochain|end of (?:the )?week|end of (?:the )?month"
    rf"|eow|eom|fin de (?:la )?semaine|fin du mois))(?!\w)"
)
_NUMBERS = dict(
    zip(
        "a an one un une two deux three trois four quatre five cinq six".split(),
        (1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6),
        strict=True,
    )
)
_NEAR = {
    "today": 0,
    "tonight": 0,
    "aujourd'hui": 0,
    "ce soir": 0,
    "tomorrow": 1,
    "demain": 1,
    "day after tomorrow": 2,
    "après-demain": 2,
}
# A day that only the day of the message explains. A weekday alone may be every week's.
_RELATIVE = re.compile(
    rf"(?<![\w-])(?:(?P<near>today|tonight|tomorrow|day after tomorrow|aujourd'hui|demain|après-demain|ce soir)(?!'s)"
    rf"|(?P<past>yesterday|last night|hier soir|hier)(?!'s)|(?P<ago>\d{{1,2}}|two|three|four|five|six) days ago"
    rf"|il y a (?P<depuis>\d{{1,2}}|deux|trois|quatre|cinq|six) jours"
    rf"|(?P<next>next |this coming )(?P<day>{_DAY})|(?P<le>{_DAY}) prochain"
    rf"|last (?P<last>{_DAY})|(?P<dernier>{_DAY}) dernier)(?![\w-])",
    re.IGNORECASE,
)
_UNITS = {"day": 1, "jour": 1, "week": 7, "semaine": 7, "month": 30, "mois": 30}
_MAX_DAYS = 2


def future_day(text: str, at: datetime) -> datetime | None:
    """The day by which or on which something will happen; None when none is named. `text` is in lower case."""
    match = _FUTURE.search(text)
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
    found = _RELATIVE.search(line)
    if found is None:
        return line
    return f"{line[: found.end()]} ({_relative_day(found, at.date()).isoformat()}){line[found.end() :]}"


def _relative_day(found: re.Match[str], today: date) -> date:
    if found["near"]:
        return today + timedelta(days=_NEAR[found["near"].lower()])
    if found["past"]:
        return today - timedelta(days=1)
    if ago := found["ago"] or found["depuis"]:
        return today - timedelta(days=int(ago) if ago.isdigit() else _NUMBERS[ago.lower()])
    if day := found["day"] or found["le"]:
        return _weekday(_WEEKDAYS[day.lower()], today, later=(found["next"] or "").lower() == "next ")
    weekday = _WEEKDAYS[(found["last"] or found["dernier"]).lower()]
    return today - timedelta(days=(today.weekday() - weekday) % 7 or 7)


def past_day(text: str, at: datetime) -> datetime | None:
    """The day something happened, if a single day is named; None for a week, a month or no date."""
    for window in windows(text, at.date()):
        if (window.end - window.start).days < _MAX_DAYS:
            return _noon(window.start)
    return None


def _resolve(match: re.Match[str], today: date) -> date:
    if match["near"]:
        return today + timedelta(days=_NEAR[match["near"]])
    if match["day"]:
        return _weekday(_WEEKDAYS[match["day"]], today, later=(match["next"] or "").strip() == "next")
    if match["unit"]:
        count = int(match["n"]) if match["n"].isdigit() else _NUMBERS[match["n"]]
        return today + timedelta(days=count * _UNITS[match["unit"]])
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
