"""Times named in a question ("last Tuesday", "in May", "il y a deux jours"), as windows seen from the asking date."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache


@dataclass(frozen=True, slots=True)
class Window:
    """Days from `start` to `end`, both included, as a phrase of the question names them."""

    start: date
    end: date
    phrase: str

    def nearness(self, day: date) -> float:
        """1 inside, falling by half for every width of the window outside: people date loosely."""
        gap = max((self.start - day).days, (day - self.end).days, 0)
        width = max((self.end - self.start).days + 1, 2)
        return float(0.5 ** (gap / width))

    def wider(self) -> tuple[datetime, datetime]:
        """From when to when something may have happened that people would still date so."""
        width = timedelta(max((self.end - self.start).days + 1, 2))
        start, end = max(self.start, date.min + width), min(self.end, date.max - width)
        return (
            datetime.combine(start - width, time.min, UTC),
            datetime.combine(end + width, time.max, UTC),
        )


def windows(text: str, asked: date) -> tuple[Window, ...]:
    """The windows a question names, in order, seen from the day it is asked."""
    found: dict[tuple[date, date], Window] = {}
    taken: list[tuple[int, int]] = []
    for pattern, read in _rules():
        for match in pattern.finditer(text.lower()):
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            days = read(match, asked)
            if days is not None:
                taken.append(match.span())
                found.setdefault(days, Window(*days, match.group(0)))
    return tuple(found.values())


Days = tuple[date, date]
_Reader = Callable[[re.Match[str], date], Days | None]

_NUMBERS = {
    **{w: n for n, w in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())},
    **{w: n for n, w in enumerate("zéro un deux trois quatre cinq six sept huit neuf dix onze douze".split())},
    **{w: n for n, w in enumerate("零一二三四五六七八九十")},
    "a": 1, "an": 1, "une": 1, "couple": 2, "a couple of": 2, "few": 3, "a few": 3, "several": 3, "quelques": 3,
    "两": 2, "几": 3,
}  # fmt: skip
_MONTHS = {
    **{m: n for n, m in enumerate(
        "january february march april may june july august september october november december".split(), 1)},
    **{m: n for n, m in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)},
    **{m: n for n, m in enumerate(
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(), 1)},
    "sept": 9,
}  # fmt: skip
_DAYS = {
    **{d: n for n, d in enumerate("monday tuesday wednesday thursday friday saturday sunday".split())},
    **{d: n for n, d in enumerate("lundi mardi mercredi jeudi vendredi samedi dimanche".split())},
}
_UNITS = {
    "day": 1, "jour": 1, "天": 1, "日": 1, "week": 7, "semaine": 7, "周": 7, "星期": 7, "weekend": 7,
    "month": 30, "mois": 30, "月": 30, "year": 365, "an": 365, "année": 365, "年": 365,
}  # fmt: skip


@cache
def _rules() -> tuple[tuple[re.Pattern[str], _Reader], ...]:
    number = r"\d+|" + "|".join(sorted(_NUMBERS, key=len, reverse=True))
    month = "|".join(sorted(_MONTHS, key=len, reverse=True))
    day = "|".join(_DAYS)
    rules: tuple[tuple[str, _Reader], ...] = (
        (r"\b(\d{4})-(\d{2})-(\d{2})\b", _iso),
        (rf"\b({month})\.? (\d{{1,2}})(?:st|nd|rd|th)?(?:,? (\d{{4}}))?\b", _month_day),
        (rf"\b(\d{{1,2}})(?:st|nd|rd|th|er)?(?: of)? ({month})(?: (\d{{4}}))?\b", _day_month),
        (rf"\b({number}) (day|week|weekend|month|year)s? (?:ago|earlier|before)\b", _ago),
        (rf"\bil y a ({number}) (jour|semaine|mois|an|année)s?\b", _ago),
        (rf"({number})(?:个)?(天|周|星期|月|年)前", _ago),
        (r"\b(?:the|this) past (week|month|year)\b", lambda m, d: (d - timedelta(_UNITS[m[1]]), d)),
        (rf"\b(?:in|over|during|within)? ?(?:the )?(?:last|past) ({number}) (day|week|month|year)s?\b", _lately),
        (rf"\b(?:ces|les) ({number}) derni[eè]re?s (jour|semaine|mois|an|année)s?\b", _lately),
        (r"\b(?:day before yesterday|avant-hier)\b|前天", lambda m, d: _around(d, -2)),
        (r"\b(?:yesterday|last night|hier)\b|昨天", lambda m, d: _around(d, -1)),
        (r"\b(?:today|this morning|tonight|this evening|aujourd['’]hui|ce matin)\b|今天", lambda m, d: _around(d, 0)),
        (r"\b(?:last|past|previous) weekend\b|\ble week-?end dernier\b|上周末", _last_weekend),
        (rf"\b(?:last|past|this past|on|previous) ({day})\b(?! mornings| afternoons| evenings| nights)", _weekday),
        (rf"\b({day}) dernier\b", _weekday),
        (r"\b(?:last|previous) week\b|\bla semaine (?:dernière|passée)\b|上(?:个)?(?:周|星期)", _last_week),
        (r"\bthis week\b|\bcette semaine\b|这(?:个)?(?:周|星期)", lambda m, d: (d - timedelta(7), d)),
        (r"\b(?:last|previous) month\b|\ble mois (?:dernier|passé)\b|上个月", _last_month),
        (r"\bthis month\b|\bce mois(?:-ci)?\b|这个月", lambda m, d: (d.replace(day=1), d)),
        (r"\b(?:last|previous) year\b|\bl['’]an(?:née)? (?:dernier|dernière|passé|passée)\b|去年", _last_year),
        (r"\bthis year\b|\bcette année\b|今年", lambda m, d: (date(d.year, 1, 1), d)),
        (rf"\b(?:in|during|since|en|au mois d[e'’] ?|last) ?({month})(?: (\d{{4}}))?\b", _month),
        (r"\b(?:early|mid|late)[- ](" + month + r")\b", _month),
        (r"(\d{1,2})月(\d{1,2})[日号]", _month_day),
        (r"\b(?:recently|lately|récemment|dernièrement)\b|最近", lambda m, d: (d - timedelta(30), d)),
    )
    return tuple((re.compile(pattern), read) for pattern, read in rules)


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _NUMBERS[text]


def _around(asked: date, days: int) -> Days:
    day = asked + timedelta(days)
    return day, day


def _iso(match: re.Match[str], asked: date) -> Days | None:
    return _one(int(match[1]), int(match[2]), int(match[3]))


def _month_day(match: re.Match[str], asked: date) -> Days | None:
    year = match[3] if match.re.groups > 2 else None
    return _dated(int(match[1]) if match[1].isdigit() else _MONTHS[match[1]], int(match[2]), year, asked)


def _day_month(match: re.Match[str], asked: date) -> Days | None:
    return _dated(_MONTHS[match[2]], int(match[1]), match[3], asked)


def _dated(month: int, day: int, year: str | None, asked: date) -> Days | None:
    """The day itself; without a year the latest such day that is not in the future."""
    if year is not None:
        return _one(int(year), month, day)
    this = _one(asked.year, month, day)
    return this if this is None or this[0] <= asked else _one(asked.year - 1, month, day)


def _one(year: int, month: int, day: int) -> Days | None:
    try:
        found = date(year, month, day)
    except ValueError:
        return None
    return found, found


def _ago(match: re.Match[str], asked: date) -> Days:
    """So long ago, give or take a fifth: nobody counts days when they say three months."""
    days = _number(match[1]) * _UNITS[match[2]]
    slack = max(days // 5, 0 if _UNITS[match[2]] == 1 and days < 5 else 1)
    middle = asked - timedelta(days)
    return middle - timedelta(slack), middle + timedelta(slack)


def _lately(match: re.Match[str], asked: date) -> Days:
    return asked - timedelta(_number(match[1]) * _UNITS[match[2]]), asked


def _weekday(match: re.Match[str], asked: date) -> Days:
    back = (asked.weekday() - _DAYS[match[1]]) % 7 or 7
    return _around(asked, -back)


def _last_weekend(match: re.Match[str], asked: date) -> Days:
    saturday = asked - timedelta((asked.weekday() - 5) % 7 or 7)
    return saturday, saturday + timedelta(1)


def _last_week(match: re.Match[str], asked: date) -> Days:
    monday = asked - timedelta(asked.weekday() + 7)
    return monday, monday + timedelta(6)


def _last_month(match: re.Match[str], asked: date) -> Days:
    last = asked.replace(day=1) - timedelta(1)
    return last.replace(day=1), last


def _last_year(match: re.Match[str], asked: date) -> Days:
    return date(asked.year - 1, 1, 1), date(asked.year - 1, 12, 31)


def _month(match: re.Match[str], asked: date) -> Days:
    month = _MONTHS[match[1]]
    named = match[2] if match.re.groups > 1 else None
    year = int(named) if named else asked.year if month <= asked.month else asked.year - 1
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def nearest(found: tuple[Window, ...], day: date) -> float:
    """How well a day fits the windows: the best of them, 0 when there are none."""
    return max((window.nearness(day) for window in found), default=0.0)
