"""Maps expressions of time in English, French and Chinese to the days they mean.

Texts must be in lower case, without accents and with straight apostrophes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from functools import cache

from holdfast.text.calendar_words import FRENCH_MONTHS, FRENCH_WEEKDAYS, MONTHS, WEEKDAYS
from holdfast.text.names import fold
from holdfast.text.patterns import compiled

Days = tuple[date, date]
# Maps a match and the current day to days. Raises ValueError or OverflowError for a day that does not exist.
Reader = Callable[[re.Match[str], date], Days | None]
_Rules = tuple[tuple[str, Reader], ...]
_YEAR_DIGITS = 4


def expressions(text: str) -> Iterator[tuple[re.Pattern[str], Reader]]:
    """Yields the expressions that a text may contain, each with the function that computes its days.

    Where two matches overlap, the expression that was yielded first wins.
    """
    words = compiled(r"\w+").findall(text)
    spaced = " ".join(("", *words, ""))
    has_year = any(len(word) == _YEAR_DIGITS and word.isdecimal() for word in words)
    for group, hints, takes_years in _groups():
        if (has_year and takes_years) or any(hint in spaced for hint in hints):
            yield from _prepared(group)


@cache
def _groups() -> tuple[tuple[Callable[[], _Rules], tuple[str, ...], bool], ...]:
    """Groups of expressions, each with hints: unless one occurs among the words, or a year if so marked, none matches.

    Hints, because compiling expressions is slow and few queries name a time. They are no expressions themselves.
    """
    distances = "ago earlier back before last past recent lately other dernier depuis autre recem 前 近 这 去"
    holidays = "mas year hallow valentin independ thanks noel sylvestre toussaint 圣诞 平安 元旦 国庆 节"
    months = tuple(f" {month} " for month in _MONTHS)
    return (
        (_dates, (*months, "月"), True),
        (_distances, ("il y a", *distances.split()), False),
        (_near_days, tuple("day night hier this soir matin hui apres 前 昨 今".split()), False),
        (_calendar, ("ce mois", *"day week month dernier passe semaine 周 月 星期 礼拜".split()), False),
        (_seasons, tuple("spring summer autumn fall winter printemps ete automne hiver 春 夏 秋 冬".split()), False),
        (_holidays, ("an ", *holidays.split()), False),
        (_months_and_years, (*months, "year", " l an", "annee", "月", "年"), True),
    )


@cache
def _prepared(group: Callable[[], _Rules]) -> tuple[tuple[re.Pattern[str], Reader], ...]:
    return tuple((re.compile(pattern), read) for pattern, read in group())


NUMBERS = {
    **{w: n for n, w in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen twenty".split())},
    **{w: n for n, w in enumerate(
        "zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize".split())},
    **{w: n for n, w in enumerate("零一二三四五六七八九")},
    "a": 1, "an": 1, "une": 1, "a couple of": 2, "couple of": 2, "a couple": 2, "couple": 2, "a few": 3, "few": 3,
    "several": 3, "quelques": 3, "vingt": 20, "thirty": 30, "trente": 30, "两": 2, "几": 3,
}  # fmt: skip
VAGUE = {"a couple of", "couple of", "a couple", "couple", "a few", "few", "several", "quelques", "几"}
_MONTHS = {
    **{month: n for n, month in enumerate(MONTHS, 1)},
    **{month[:3]: n for n, month in enumerate(MONTHS, 1)},
    **{fold(month): n for n, month in enumerate(FRENCH_MONTHS, 1)},
    "sept": 9,
}
WEEKDAY_NUMBERS = {
    **{day: n for days in (WEEKDAYS, FRENCH_WEEKDAYS, "一二三四五六日") for n, day in enumerate(days)},
    "天": 6,
}
UNITS = {
    "day": 1, "jour": 1, "天": 1, "week": 7, "semaine": 7, "周": 7, "星期": 7, "礼拜": 7, "fortnight": 14,
    "month": 30, "mois": 30, "月": 30, "year": 365, "an": 365, "annee": 365, "年": 365,
}  # fmt: skip
# The first month of each season on the northern hemisphere.
_SEASONS = {
    "spring": 3, "printemps": 3, "春": 3, "summer": 6, "ete": 6, "夏": 6,
    "autumn": 9, "fall": 9, "automne": 9, "秋": 9, "winter": 12, "hiver": 12, "冬": 12,
}  # fmt: skip
_ENGLISH_HOLIDAYS = {
    "christmas eve": (12, 24), "christmas": (12, 25), "xmas": (12, 25), "new year's eve": (12, 31),
    "new years eve": (12, 31), "new year's": (1, 1), "new years": (1, 1), "new year": (1, 1), "halloween": (10, 31),
    "valentine's day": (2, 14), "valentines day": (2, 14), "independence day": (7, 4),
}  # fmt: skip
_FRENCH_HOLIDAYS = {
    "noel": (12, 25), "saint-sylvestre": (12, 31), "nouvel an": (1, 1), "jour de l'an": (1, 1), "toussaint": (11, 1),
    "saint-valentin": (2, 14),
}  # fmt: skip
_CHINESE_HOLIDAYS = {
    "平安夜": (12, 24), "圣诞": (12, 25), "元旦": (1, 1), "万圣节": (10, 31), "情人节": (2, 14), "国庆": (10, 1),
}  # fmt: skip
_HOLIDAYS = _ENGLISH_HOLIDAYS | _FRENCH_HOLIDAYS | _CHINESE_HOLIDAYS
_YEARS_BACK = {"今年": 0, "去年": 1, "前年": 2}

_YEAR = r"(?P<year>(?:19|20)\d{2})\b"
_CHINESE_YEAR = r"(?:(?<!\d)(?P<year>\d{4})年|(?P<back>[今去前]年))"
_CHINESE_NUMBER = r"\d{1,2}|[二三]?十[一二三四五六七八九]?|[一二三四五六七八九]"


def _dates() -> _Rules:
    """Dates: `2024-05-01`, `May 3rd`, `3 mai 2024`, `5月3日`."""
    month, day = rf"(?P<month>{any_of(_MONTHS)})", r"(?P<day>\d{1,2})"
    # `option 3 may be` names no day.
    no_verb = r"\b(?! (?:be|have|not|need|also|i|we|you|he|she|it|they)\b)"
    chinese = rf"(?P<month>{_CHINESE_NUMBER})月(?P<day>{_CHINESE_NUMBER})[日号]"
    return (
        (r"(?<![\w.])(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)", _dated),
        (rf"\b{month}\.? (?:the )?{day}(?:st|nd|rd|th)?(?:,? (?P<year>\d{{4}}))?\b", _dated),
        (rf"\b{day}(?:st|nd|rd|th|er)?(?: of)? {month}{no_verb}(?:,? (?P<year>\d{{4}})\b)?", _dated),
        (rf"{_CHINESE_YEAR}?{chinese}", _dated),
    )


def _distances() -> _Rules:
    """A time ago (`two weeks ago`), and a period until today (`the last two weeks`)."""
    number = rf"(?<![\d.,])(?P<n>\d{{1,3}}|{any_of(NUMBERS)})"
    chinese = rf"(?<!\d)(?P<n>\d{{1,3}}|{_CHINESE_NUMBER}|两|几) ?个?"
    english_unit = r"(?P<unit>day|week|fortnight|month|year)s?"
    french_unit, chinese_unit = r"(?P<unit>jour|semaine|mois|an|annee)s?", r"(?P<unit>天|周|星期|礼拜|月|年)"
    # `before` only at the end of a phrase: two days before the wedding is not relative to today.
    ago, chinese_ago = r"(?:ago\b|earlier\b|back\b|before\b(?! \w))", "(?:以|之)?前"
    return (
        (rf"\bhalf a year {ago}|半年{chinese_ago}", lambda m, d: _about(d, 182)),
        (rf"\b{number} weekends? {ago}", lambda m, d: _weekend(d, _number(m["n"]))),
        (rf"\b{number} {english_unit} {ago}", _ago),
        (rf"\bil y a {number} {french_unit}\b", _ago),
        (rf"{chinese}{chinese_unit}{chinese_ago}", _ago),
        (rf"\b{number} (?P<unit>hour|minute)s? {ago}", _hours),
        (rf"\bil y a {number} (?P<unit>heure|minute)s?\b", _hours),
        (rf"{chinese}(?P<unit>小时|分钟){chinese_ago}", _hours),
        (rf"\b(?:last|past) {number} {english_unit}\b", _lately),
        (rf"\b(?:ces|les) {number} derni(?:er|ere)s {french_unit}\b", _lately),
        (rf"\bdepuis {number} {french_unit}\b", _lately),
        (rf"(?:过去|最近|近)的?这?{chinese}{chinese_unit}", _lately),
        (r"\b(?:the|this) (?:past|last) (?P<unit>week|month|year)\b(?! of\b| in\b| before\b)", _lately),
        (r"\bces derni(?:er|ere)s (?P<unit>jour|semaine|mois|annee)s?\b", lambda m, d: _back(d, 3 * UNITS[m["unit"]])),
        (r"\b(?:the other day|l'autre jour)\b|[前这](?:几|两)天", lambda m, d: _back(d, 10)),
        (r"\b(?:recently|lately|recemment|dernierement)\b|最近", lambda m, d: _back(d, 30)),
    )


def _near_days() -> _Rules:
    """Today and the days before it."""
    today = r"\b(?:today|this (?:morning|afternoon|evening)|tonight|aujourd'hui|ce (?:matin|soir)|cet apres-midi)\b"
    return (
        (r"大前天", lambda m, d: _back(d, 3, 3)),
        (r"\b(?:day before yesterday|avant[- ]hier)\b|前天|前晚", lambda m, d: _back(d, 2, 2)),
        (r"\b(?:yesterday|last night|hier)\b|昨[天晚日]", lambda m, d: _back(d, 1, 1)),
        (rf"{today}|今[天早晚日]", lambda m, d: _back(d, 0)),
    )


def _calendar() -> _Rules:
    """Weekdays, weekends, weeks and months as the calendar counts them."""
    day = rf"(?P<day>{any_of(WEEKDAY_NUMBERS)})"
    week, chinese_day = "(?:周|星期|礼拜)", r"(?P<day>[一二三四五六日天])(?!次)"
    whole = r"\b(?! of\b| in\b)"
    return (
        (r"\bweekend before last\b|上上个?周末", lambda m, d: _weekend(d, 2)),
        (r"\b(?:last|previous) weekend\b|\ble week-?end (?:dernier|passe)\b|上个?周末", lambda m, d: _weekend(d, 1)),
        (r"\b(?:past|over the) weekend\b", lambda m, d: _weekend_begun(d)),
        (r"\bthis weekend\b|\bce week-?end\b|(?:这个?|本)周末", _this_weekend),
        (rf"\b(?:last|past|on|previous) {day}\b(?! mornings| afternoons| evenings| nights)", _weekday),
        (rf"\b{day} (?:dernier|passe)\b", _weekday),
        (rf"上个?{week}{chinese_day}", _weekday_of_last_week),
        (rf"(?<![每下两几一二三四五六七八九十\d]){week}{chinese_day}", _weekday),
        (rf"\bweek before last\b|上上个?{week}", lambda m, d: _week(d, 2)),
        (rf"\b(?:last|previous) week{whole}|\bla semaine (?:derniere|passee)\b|上个?{week}", lambda m, d: _week(d, 1)),
        (rf"\bthis week\b|\bcette semaine\b|(?:这个?|本){week}", lambda m, d: _back(d, 7)),
        (r"\bmonth before last\b|上上个?月", lambda m, d: _month_back(d, 2)),
        (
            rf"\b(?:last|previous) month{whole}|\ble mois (?:dernier|passe)\b|上个?月",
            lambda m, d: _month_back(d, 1),
        ),
        (r"\bthis month\b|\bce mois(?:-ci)?\b|这个月|本月", lambda m, d: (d.replace(day=1), d)),
    )


def _seasons() -> _Rules:
    season, chinese = rf"(?P<season>{any_of(_SEASONS)})", "(?P<season>[春夏秋冬])[天季]"
    # The Spring Fling Market is no season.
    alone = r"(?= (?:i|we|you|he|she|they|it|my|our|did|and|or|to|for|at|with|when|before|after)\b|\W*$|[^\w ])"
    return (
        (rf"\b{season}(?: of| de)? {_YEAR}", _season),
        (rf"{_CHINESE_YEAR}的?{chinese}", _season),
        (rf"\b(?:last|previous) {season}\b", _last_season),
        (rf"\b(?:l'|le ){season} (?:dernier|passe)\b", _last_season),
        (rf"\b(?:this|past|cet|ce|en|au) {season}\b", _season),
        (rf"\b(?:in|over|during) the {season}\b{alone}", _season),
        (rf"这个{chinese}", _season),
    )


def _holidays() -> _Rules:
    """Holidays with a fixed date, and Thanksgiving; in English and French only after a preposition or before a year."""
    on = r"\b(?:on|at|over|during|around|for|last|this|past|since) "
    french_on = r"\b(?:a|pour|au|le|depuis|a la|pour la|le jour de) "
    english, french = rf"(?P<holiday>{any_of(_ENGLISH_HOLIDAYS)})", rf"(?P<holiday>{any_of(_FRENCH_HOLIDAYS)})"
    chinese = rf"(?P<holiday>{'|'.join(_CHINESE_HOLIDAYS)})"
    return (
        (rf"\b{english}(?: day| of|,)* {_YEAR}", _holiday),
        (rf"{on}{english}\b", _holiday),
        (rf"\b{french} {_YEAR}", _holiday),
        (rf"{french_on}{french}\b", _holiday),
        (rf"{_CHINESE_YEAR}?的?{chinese}", _holiday),
        (rf"\bthanksgiving {_YEAR}", _thanksgiving),
        (rf"{on}thanksgiving\b|感恩节", _thanksgiving),
    )


def _months_and_years() -> _Rules:
    month = rf"(?P<month>{any_of(_MONTHS)})\b"
    part = r"early|mid|late|debut|mi|fin|the (?:beginning|middle|end|month|\w+ (?:day|week|weekend)) of"
    return (
        (rf"\b{month},?(?: of)? {_YEAR}", _month),
        (rf"\blast {month}", _last_month_named),
        (rf"\b{month} (?:dernier|passe)\b", _last_month_named),
        (rf"\b(?:(?:in|during|since|en|depuis|{part}|au mois de)[ -]|au mois d'){month}", _month),
        (rf"{_CHINESE_YEAR}?(?P<month>{_CHINESE_NUMBER})月(?![前以之])", _month),
        (r"\byear before last\b|前年", lambda m, d: _year(d.year - 2)),
        (r"\b(?:last|previous) year\b|\bl'an(?:nee)? (?:derniere?|passee?)\b|去年", lambda m, d: _year(d.year - 1)),
        (r"\bthis year\b|\bcette annee\b|今年", lambda m, d: (date(d.year, 1, 1), d)),
        (rf"\b(?:in|during|since|en|depuis) {_YEAR}(?![-/.]\d)", lambda m, d: _year(int(m["year"]))),
        (r"(?<!\d)(?P<year>(?:19|20)\d{2})年(?![前以之])", lambda m, d: _year(int(m["year"]))),
    )


def any_of(words: Iterable[str]) -> str:
    """A pattern for any of the words in Latin letters, the longest first."""
    return "|".join(sorted((word for word in words if word.isascii()), key=len, reverse=True))


def _number(text: str) -> int:
    if "十" in text:
        tens, ones = text.split("十")
        return 10 * NUMBERS.get(tens, 1) + NUMBERS.get(ones, 0)
    return int(text) if text.isdecimal() else NUMBERS[text]


def _year_of(match: re.Match[str], today: date) -> int | None:
    named = match.groupdict()
    if named.get("back"):
        return today.year - _YEARS_BACK[named["back"]]
    return int(named["year"]) if named.get("year") else None


def _month_of(match: re.Match[str]) -> int:
    return _MONTHS.get(match["month"]) or _number(match["month"])


def _dated(match: re.Match[str], today: date) -> Days | None:
    month, day = _month_of(match), _number(match["day"])
    return _yearly(lambda year: date(year, month, day), match, today)


def _holiday(match: re.Match[str], today: date) -> Days | None:
    return _yearly(lambda year: date(year, *_HOLIDAYS[match["holiday"]]), match, today)


def _thanksgiving(match: re.Match[str], today: date) -> Days | None:
    """The fourth Thursday of November."""
    return _yearly(lambda year: date(year, 11, 28 - (date(year, 11, 28).weekday() - 3) % 7), match, today)


def _yearly(day_of: Callable[[int], date], match: re.Match[str], today: date) -> Days | None:
    """The day in the year named; without a year, the latest such day that is not in the future."""
    named = _year_of(match, today)
    if named is not None:
        return _back(day_of(named), 0)
    # Leap days may be eight years apart.
    for year in range(today.year, max(today.year - 9, 0), -1):
        try:
            day = day_of(year)
        except ValueError:
            continue
        if day <= today:
            return day, day
    return None


def _back(today: date, days: int, until: int = 0) -> Days:
    """The days from `days` ago to `until` days ago."""
    return today - timedelta(days), today - timedelta(until)


def _ago(match: re.Match[str], today: date) -> Days:
    days = _number(match["n"]) * UNITS[match["unit"]]
    return _about(today, days, exact=UNITS[match["unit"]] == 1 and days < 5 and match["n"] not in VAGUE)


def _about(today: date, days: int, *, exact: bool = False) -> Days:
    """The days around `days` ago, plus or minus a fifth: "three months ago" is rarely exact."""
    slack = 0 if exact else max(days // 5, 1)
    return _back(today, days + slack, days - slack)


def _hours(match: re.Match[str], today: date) -> Days:
    hours = _number(match["n"]) if match["unit"] in ("hour", "heure", "小时") else 0
    return _back(today, hours // 24 + 1)


def _lately(match: re.Match[str], today: date) -> Days:
    number = match.groupdict().get("n")
    return _back(today, (_number(number) if number else 1) * UNITS[match["unit"]])


def _weekday(match: re.Match[str], today: date) -> Days:
    """The latest such day before today."""
    back = (today.weekday() - WEEKDAY_NUMBERS[match["day"]]) % 7 or 7
    return _back(today, back, back)


def _weekday_of_last_week(match: re.Match[str], today: date) -> Days:
    back = today.weekday() + 7 - WEEKDAY_NUMBERS[match["day"]]
    return _back(today, back, back)


def _weekend(today: date, before: int) -> Days:
    """The weekend `before` weeks before the one of this week."""
    saturday = today.weekday() + 2 + 7 * (before - 1)
    return _back(today, saturday, saturday - 1)


def _this_weekend(match: re.Match[str], today: date) -> Days | None:
    """The current or last weekend; None from Wednesday to Friday, when "this weekend" means the next one."""
    return None if today.weekday() in (2, 3, 4) else _weekend_begun(today)


def _weekend_begun(today: date) -> Days:
    saturday = (today.weekday() - 5) % 7
    return _back(today, saturday, saturday - 1)


def _week(today: date, before: int) -> Days:
    monday = today.weekday() + 7 * before
    return _back(today, monday, monday - 6)


def _month_back(today: date, before: int) -> Days:
    year, month = divmod(today.year * 12 + today.month - 1 - before, 12)
    return _whole_month(year, month + 1)


def _month(match: re.Match[str], today: date) -> Days:
    """The month of the year named; without a year, the latest that has begun."""
    month, named = _month_of(match), _year_of(match, today)
    latest = today.year if month <= today.month else today.year - 1
    return _whole_month(latest if named is None else named, month)


def _last_month_named(match: re.Match[str], today: date) -> Days:
    return _month(match, today.replace(day=1) - timedelta(1))


def _whole_month(year: int, month: int) -> Days:
    from calendar import monthrange

    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def _year(year: int) -> Days:
    return date(year, 1, 1), date(year, 12, 31)


def _season(match: re.Match[str], today: date) -> Days:
    """The season of the year named; without a year, the latest that has begun."""
    named = _year_of(match, today)
    this = _whole_season(match, today.year if named is None else named)
    return this if named is not None or this[0] <= today else _whole_season(match, today.year - 1)


def _last_season(match: re.Match[str], today: date) -> Days:
    """The latest such season that is over."""
    return next(days for back in range(3) if (days := _whole_season(match, today.year - back))[1] < today)


def _whole_season(match: re.Match[str], year: int) -> Days:
    """Three whole months; a winter belongs to the year it begins in."""
    first = _SEASONS[match["season"]]
    last_year, last = (year + 1, 2) if first == 12 else (year, first + 2)
    return date(year, first, 1), _whole_month(last_year, last)[1]
