"""Times that a query names, checked against a calendar."""

from __future__ import annotations

import unicodedata
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.text.days import DateRange, nearest, windows

WEDNESDAY = date(2024, 3, 13)
TUESDAY = date(2024, 3, 12)
SUNDAY = date(2024, 3, 17)
NEW_YEAR = date(2024, 1, 1)
AUTUMN = date(2026, 11, 15)


def days(text: str, asked: date = WEDNESDAY) -> list[str]:
    """The date ranges in short form: a day, or first and last day."""
    found = windows(text, asked)
    return [str(one.start) if one.start == one.end else f"{one.start}/{one.end}" for one in found]


@pytest.mark.parametrize(
    ("text", "asked", "expected"),
    [
        # Dates; without a year the latest that is not in the future.
        ("what broke on 2024-02-29?", WEDNESDAY, "2024-02-29"),
        ("the 2023/05/20 release", WEDNESDAY, "2023-05-20"),
        ("2023.5.2", WEDNESDAY, "2023-05-02"),
        ("on March 13", WEDNESDAY, "2024-03-13"),
        ("on March 14th", WEDNESDAY, "2023-03-14"),
        ("on Dec. 31, 2021", WEDNESDAY, "2021-12-31"),
        ("on December 31st", NEW_YEAR, "2023-12-31"),
        ("the 3rd of May", WEDNESDAY, "2023-05-03"),
        ("4 july 2020", WEDNESDAY, "2020-07-04"),
        ("on February 29", AUTUMN, "2024-02-29"),
        ("le 1er février", WEDNESDAY, "2024-02-01"),
        ("le 14 juillet 1999", WEDNESDAY, "1999-07-14"),
        ("5月3日开会", WEDNESDAY, "2023-05-03"),
        ("2022年12月25日", WEDNESDAY, "2022-12-25"),
        ("五月二十三号", WEDNESDAY, "2023-05-23"),
        ("去年10月1日", WEDNESDAY, "2023-10-01"),
        # A time ago: exact for a few days, else give or take a fifth.
        ("yesterday", NEW_YEAR, "2023-12-31"),
        ("last night", WEDNESDAY, "2024-03-12"),
        ("the day before yesterday", date(2024, 3, 1), "2024-02-28"),
        ("the day before yesterday", date(2024, 3, 2), "2024-02-29"),
        ("three days ago", WEDNESDAY, "2024-03-10"),
        ("ten days ago", WEDNESDAY, "2024-03-01/2024-03-05"),
        ("a couple of days ago", WEDNESDAY, "2024-03-10/2024-03-12"),
        ("a few days ago", WEDNESDAY, "2024-03-09/2024-03-11"),
        ("a week ago", WEDNESDAY, "2024-03-05/2024-03-07"),
        ("two weeks ago", WEDNESDAY, "2024-02-26/2024-03-01"),
        ("couple of weeks ago", WEDNESDAY, "2024-02-26/2024-03-01"),
        ("a fortnight ago", WEDNESDAY, "2024-02-26/2024-03-01"),
        ("three months back", WEDNESDAY, "2023-11-26/2024-01-01"),
        ("half a year ago", WEDNESDAY, "2023-08-08/2023-10-19"),
        ("a year ago", WEDNESDAY, "2022-12-31/2023-05-26"),
        ("a few hours ago", WEDNESDAY, "2024-03-12/2024-03-13"),
        ("30 hours ago", WEDNESDAY, "2024-03-11/2024-03-13"),
        ("avant-hier", WEDNESDAY, "2024-03-11"),
        ("hier soir", WEDNESDAY, "2024-03-12"),
        ("il y a deux jours", WEDNESDAY, "2024-03-11"),
        ("il y a trois semaines", WEDNESDAY, "2024-02-17/2024-02-25"),
        ("il y a quinze jours", WEDNESDAY, "2024-02-24/2024-03-01"),
        ("il y a un an", WEDNESDAY, "2022-12-31/2023-05-26"),
        ("il y a deux heures", WEDNESDAY, "2024-03-12/2024-03-13"),
        ("昨天", WEDNESDAY, "2024-03-12"),
        ("前天", WEDNESDAY, "2024-03-11"),
        ("大前天", WEDNESDAY, "2024-03-10"),
        ("三天前", WEDNESDAY, "2024-03-10"),
        ("十二天前", WEDNESDAY, "2024-02-28/2024-03-03"),
        ("两周前", WEDNESDAY, "2024-02-26/2024-03-01"),
        ("3 个月之前", WEDNESDAY, "2023-11-26/2024-01-01"),
        ("半年前", WEDNESDAY, "2023-08-08/2023-10-19"),
        ("五小时前", WEDNESDAY, "2024-03-12/2024-03-13"),
        # A period until today.
        ("in the last 10 days", WEDNESDAY, "2024-03-03/2024-03-13"),
        ("over the past couple of weeks", WEDNESDAY, "2024-02-28/2024-03-13"),
        ("in the last week", WEDNESDAY, "2024-03-06/2024-03-13"),
        ("this past month", WEDNESDAY, "2024-02-12/2024-03-13"),
        ("recently", WEDNESDAY, "2024-02-12/2024-03-13"),
        ("the other day", WEDNESDAY, "2024-03-03/2024-03-13"),
        ("ces deux dernières semaines", WEDNESDAY, "2024-02-28/2024-03-13"),
        ("les 3 derniers mois", WEDNESDAY, "2023-12-14/2024-03-13"),
        ("ces derniers jours", WEDNESDAY, "2024-03-10/2024-03-13"),
        ("depuis trois jours", WEDNESDAY, "2024-03-10/2024-03-13"),
        ("récemment", WEDNESDAY, "2024-02-12/2024-03-13"),
        ("过去两周", WEDNESDAY, "2024-02-28/2024-03-13"),
        ("最近三个月", WEDNESDAY, "2023-12-14/2024-03-13"),
        ("前几天", WEDNESDAY, "2024-03-03/2024-03-13"),
        ("最近", WEDNESDAY, "2024-02-12/2024-03-13"),
        # Today.
        ("earlier today", WEDNESDAY, "2024-03-13"),
        ("this afternoon", WEDNESDAY, "2024-03-13"),
        ("aujourd’hui", WEDNESDAY, "2024-03-13"),
        ("今早", WEDNESDAY, "2024-03-13"),
        # Weekdays: the latest before today.
        ("last Tuesday", WEDNESDAY, "2024-03-12"),
        ("last Tuesday", TUESDAY, "2024-03-05"),
        ("on Friday", NEW_YEAR, "2023-12-29"),
        ("mardi dernier", TUESDAY, "2024-03-05"),
        ("周二", WEDNESDAY, "2024-03-12"),
        ("上周二", WEDNESDAY, "2024-03-05"),
        ("上星期天", WEDNESDAY, "2024-03-10"),
        # Weekends, weeks, months and years of the calendar.
        ("last weekend", WEDNESDAY, "2024-03-09/2024-03-10"),
        ("last weekend", SUNDAY, "2024-03-09/2024-03-10"),
        ("this past weekend", WEDNESDAY, "2024-03-09/2024-03-10"),
        ("over the weekend", SUNDAY, "2024-03-16/2024-03-17"),
        ("this weekend", SUNDAY, "2024-03-16/2024-03-17"),
        ("this weekend", TUESDAY, "2024-03-09/2024-03-10"),
        ("ce week-end", SUNDAY, "2024-03-16/2024-03-17"),
        ("这个周末", SUNDAY, "2024-03-16/2024-03-17"),
        ("two weekends ago", WEDNESDAY, "2024-03-02/2024-03-03"),
        ("the weekend before last", WEDNESDAY, "2024-03-02/2024-03-03"),
        ("le week-end dernier", WEDNESDAY, "2024-03-09/2024-03-10"),
        ("上周末", WEDNESDAY, "2024-03-09/2024-03-10"),
        ("上上周末", WEDNESDAY, "2024-03-02/2024-03-03"),
        ("last week", NEW_YEAR, "2023-12-25/2023-12-31"),
        ("the week before last", WEDNESDAY, "2024-02-26/2024-03-03"),
        ("earlier this week", WEDNESDAY, "2024-03-06/2024-03-13"),
        ("la semaine dernière", WEDNESDAY, "2024-03-04/2024-03-10"),
        ("cette semaine", WEDNESDAY, "2024-03-06/2024-03-13"),
        ("上个星期", WEDNESDAY, "2024-03-04/2024-03-10"),
        ("上上周", WEDNESDAY, "2024-02-26/2024-03-03"),
        ("本周", WEDNESDAY, "2024-03-06/2024-03-13"),
        ("last month", WEDNESDAY, "2024-02-01/2024-02-29"),
        ("last month", NEW_YEAR, "2023-12-01/2023-12-31"),
        ("the month before last", NEW_YEAR, "2023-11-01/2023-11-30"),
        ("earlier this month", WEDNESDAY, "2024-03-01/2024-03-13"),
        ("le mois passé", WEDNESDAY, "2024-02-01/2024-02-29"),
        ("上个月", WEDNESDAY, "2024-02-01/2024-02-29"),
        ("上上个月", NEW_YEAR, "2023-11-01/2023-11-30"),
        ("last year", date(2024, 2, 29), "2023-01-01/2023-12-31"),
        ("the year before last", WEDNESDAY, "2022-01-01/2022-12-31"),
        ("earlier this year", WEDNESDAY, "2024-01-01/2024-03-13"),
        ("in 2022", WEDNESDAY, "2022-01-01/2022-12-31"),
        ("l’année dernière", WEDNESDAY, "2023-01-01/2023-12-31"),
        ("cette année", WEDNESDAY, "2024-01-01/2024-03-13"),
        ("去年", WEDNESDAY, "2023-01-01/2023-12-31"),
        ("前年", WEDNESDAY, "2022-01-01/2022-12-31"),
        ("2022年", WEDNESDAY, "2022-01-01/2022-12-31"),
        # Months: the latest that has begun.
        ("in May", WEDNESDAY, "2023-05-01/2023-05-31"),
        ("in March", WEDNESDAY, "2024-03-01/2024-03-31"),
        ("last March", WEDNESDAY, "2023-03-01/2023-03-31"),
        ("in February", AUTUMN, "2026-02-01/2026-02-28"),
        ("February 2024", AUTUMN, "2024-02-01/2024-02-29"),
        ("late January", WEDNESDAY, "2024-01-01/2024-01-31"),
        ("the first week of January", WEDNESDAY, "2024-01-01/2024-01-31"),
        ("en août", WEDNESDAY, "2023-08-01/2023-08-31"),
        ("au mois d’avril", WEDNESDAY, "2023-04-01/2023-04-30"),
        ("fin décembre", WEDNESDAY, "2023-12-01/2023-12-31"),
        ("mars dernier", WEDNESDAY, "2023-03-01/2023-03-31"),
        ("十二月", WEDNESDAY, "2023-12-01/2023-12-31"),
        ("去年5月", WEDNESDAY, "2023-05-01/2023-05-31"),
        # Seasons.
        ("last spring", WEDNESDAY, "2023-03-01/2023-05-31"),
        ("last summer", AUTUMN, "2026-06-01/2026-08-31"),
        ("last autumn", AUTUMN, "2025-09-01/2025-11-30"),
        ("last fall", WEDNESDAY, "2023-09-01/2023-11-30"),
        ("last winter", WEDNESDAY, "2023-12-01/2024-02-29"),
        ("last winter", NEW_YEAR, "2022-12-01/2023-02-28"),
        ("this winter", NEW_YEAR, "2023-12-01/2024-02-29"),
        ("over the winter", WEDNESDAY, "2023-12-01/2024-02-29"),
        ("in the summer of 2021", WEDNESDAY, "2021-06-01/2021-08-31"),
        ("l’été dernier", WEDNESDAY, "2023-06-01/2023-08-31"),
        ("cet hiver", WEDNESDAY, "2023-12-01/2024-02-29"),
        ("au printemps", WEDNESDAY, "2024-03-01/2024-05-31"),
        ("去年夏天", WEDNESDAY, "2023-06-01/2023-08-31"),
        # Holidays.
        ("on Valentine's Day", WEDNESDAY, "2024-02-14"),
        ("last Christmas", WEDNESDAY, "2023-12-25"),
        ("on Christmas", date(2024, 12, 25), "2024-12-25"),
        ("Christmas Eve 2020", WEDNESDAY, "2020-12-24"),
        ("on New Year's Eve", NEW_YEAR, "2023-12-31"),
        ("at New Year", WEDNESDAY, "2024-01-01"),
        ("for Thanksgiving", WEDNESDAY, "2023-11-23"),
        ("over Thanksgiving", date(2024, 11, 30), "2024-11-28"),
        ("à Noël", WEDNESDAY, "2023-12-25"),
        ("pour la Saint-Valentin", WEDNESDAY, "2024-02-14"),
        ("au nouvel an", WEDNESDAY, "2024-01-01"),
        ("圣诞节", WEDNESDAY, "2023-12-25"),
        ("去年情人节", WEDNESDAY, "2023-02-14"),
        ("元旦", WEDNESDAY, "2024-01-01"),
        # Until today.
        ("since last Monday", WEDNESDAY, "2024-03-11/2024-03-13"),
        ("since May", WEDNESDAY, "2023-05-01/2024-03-13"),
        ("since March", WEDNESDAY, "2024-03-01/2024-03-13"),
        ("since 2020", WEDNESDAY, "2020-01-01/2024-03-13"),
        ("depuis le 3 mars", WEDNESDAY, "2024-03-03/2024-03-13"),
        ("depuis l’an dernier", WEDNESDAY, "2023-01-01/2024-03-13"),
        ("自从去年", WEDNESDAY, "2023-01-01/2024-03-13"),
    ],
)
def test_a_time_is_read_as_people_mean_it(text: str, asked: date, expected: str) -> None:
    assert days(f"So {text}, what was it?" if text.isascii() else text, asked) == [expected]
    assert days(text.upper(), asked) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "how do I rotate the signing certificate?",
        "how many days are there in a leap year?",
        "three days before the wedding",
        "option 3 may be wrong",
        "on Monday mornings",
        "31 february",
        "2023-02-29",
        "2024-13-01",
        "on May 0",
        "0000-05-01",
        "year 99999-01-01",
        "999999999999 days ago",
        "1.5 years ago",
        "what shall I cook this weekend",
        "in the Spring Fling Market",
        "the Christmas tree",
        "a new year resolution",
        "may I go back?",
        "每周一次",
        "几月",
        "2020年前",
        "13月",
    ],
)
def test_no_time_is_read_where_none_is_named(text: str) -> None:
    assert days(text) == []


def test_several_times_are_returned_in_order() -> None:
    text = "was it yesterday, in May, on 2024-01-05, or hier?"
    assert days(text) == ["2024-03-12", "2023-05-01/2023-05-31", "2024-01-05"]
    assert [one.phrase for one in windows(text, WEDNESDAY)] == ["yesterday", "in may", "2024-01-05"]


def test_accents_may_be_missing_or_decomposed() -> None:
    text = "la semaine dernière"
    assert days("la semaine derniere") == days(unicodedata.normalize("NFD", text)) == days(text) != []


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    assert days("today " * 200_000) == ["2024-03-13"]
    assert days("word " * 200_000 + "yesterday") == []


def test_dates_beyond_the_calendar_are_ignored() -> None:
    for asked in (date.min, date.max):
        for text in (
            "yesterday",
            "last year",
            "last winter",
            "on monday",
            "this weekend",
            "this winter",
            "12 years ago",
        ):
            assert all(one.start <= one.end for one in windows(text, asked))
    assert windows("yesterday", date.min) == ()


words = st.sampled_from(
    "last past this the in on ago since il y a depuis dernier before may march 29 february days weeks 999 9999 0000 "
    "two couple of few summer winter christmas weekend tuesday year 31 - 2024-02-30 "
    "上 周 末 个 月 年 前 天 十 三 日 去年 99999999999999999999 ²  ٣ İ \x00".split(" ")
)


@given(st.text() | st.lists(words, max_size=12).map(" ".join) | st.lists(words, max_size=12).map("".join), st.dates())
def test_any_text_on_any_day_gives_windows_in_order(text: str, asked: date) -> None:
    for one in windows(text, asked):
        assert one.start <= one.end
        since, until = one.wider()
        assert since.date() <= one.start
        assert one.end <= until.date()
        assert 0 <= one.nearness(asked) <= 1


@given(st.integers(0, 10**400))
def test_any_number_may_be_named(number: int) -> None:
    for unit in ("days", "weekends", "years", "hours"):
        assert len(windows(f"{number} {unit} ago", WEDNESDAY)) == (number <= 999)


@given(st.dates(), st.dates(), st.dates())
def test_a_window_is_nearest_inside_and_never_overflows(one: date, other: date, day: date) -> None:
    window = DateRange(min(one, other), max(one, other), "")
    since, until = window.wider()
    assert since.date() <= window.start <= window.end <= until.date()
    assert (window.nearness(day) == 1) == (window.start <= day <= window.end)


def test_nearness_falls_by_half_for_each_width_outside() -> None:
    week = DateRange(date(2024, 3, 4), date(2024, 3, 10), "last week")
    day = DateRange(TUESDAY, TUESDAY, "yesterday")
    assert week.nearness(date(2024, 3, 17)) == 0.5
    assert week.nearness(date(2024, 2, 19)) == 0.25
    assert day.nearness(date(2024, 3, 14)) == 0.5
    assert nearest((week, day), date(2024, 3, 14)) == pytest.approx(0.5 ** (4 / 7))
    assert nearest((), TUESDAY) == 0


def test_wider_reaches_one_width_to_either_side() -> None:
    since, until = DateRange(TUESDAY, TUESDAY, "yesterday").wider()
    assert since == datetime(2024, 3, 10, tzinfo=UTC)
    assert until == datetime(2024, 3, 14, 23, 59, 59, 999999, tzinfo=UTC)
