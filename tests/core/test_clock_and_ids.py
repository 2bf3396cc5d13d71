"""Timestamps and ids sort as text in the order of time."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.clock import FixedClock, SystemClock, in_utc, stamp, unstamp, unstamp_until
from holdfast.core.ids import Ids, short, twin
from holdfast.core.memory_types import TypeRegistry

zones = st.timedeltas(timedelta(hours=-14), timedelta(hours=14)).map(timezone)
moments = st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29), timezones=zones)


@given(moments)
def test_a_stamp_names_its_moment_to_the_millisecond(at: datetime) -> None:
    assert timedelta(0) <= at - unstamp(stamp(at)) < timedelta(milliseconds=1)
    assert stamp(unstamp(stamp(at))) == stamp(at)


@given(moments, moments)
def test_stamps_sort_as_moments(a: datetime, b: datetime) -> None:
    assert len(stamp(a)) == len(stamp(b)) == 24
    assert (a <= b) <= (stamp(a) <= stamp(b))


@pytest.mark.parametrize("text", ["2025-06-01T12:00:00Z", "2025-06-01T14:00:00+02:00", " 2025-06-01 12:00:00z "])
def test_other_ways_to_write_a_moment(text: str) -> None:
    assert unstamp(text) == datetime(2025, 6, 1, 12, tzinfo=UTC)


def test_a_moment_without_zone_is_local() -> None:
    naive = datetime(2025, 6, 1, 12)
    assert unstamp(stamp(naive)) == naive.astimezone()
    assert unstamp("2025-06-01T12:00:00") == naive.astimezone()


EAST, WEST = timezone(timedelta(hours=14)), timezone(timedelta(hours=-14))
EXTREMES = [limit.replace(tzinfo=zone) for limit in (datetime.min, datetime.max) for zone in (None, UTC, EAST, WEST)]


@pytest.mark.parametrize("local", ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
@pytest.mark.parametrize("at", EXTREMES, ids=str)
def test_the_first_and_last_moments_can_be_stored_and_shown_in_every_zone(
    at: datetime, local: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", local)
    time.tzset()
    try:
        utc = in_utc(at, "when")
        assert utc.year == at.year
        assert unstamp(stamp(at)).year == unstamp(at.isoformat()).year == at.year
        for zone in (None, EAST, WEST):
            utc.astimezone(zone).isoformat()
        unstamp_until(at.date().isoformat())
    finally:
        monkeypatch.undo()
        time.tzset()


def test_the_clocks() -> None:
    clock = FixedClock(datetime(2025, 6, 1, tzinfo=UTC))
    assert clock.now() == clock.now()
    clock.advance(90)
    assert clock.now() == datetime(2025, 6, 1, 0, 1, 30, tzinfo=UTC)
    now = SystemClock().now()
    assert (now.tzinfo, unstamp(stamp(now))) == (UTC, now)


def test_ids_sort_and_never_repeat() -> None:
    ids = Ids()
    made = [ids.new() for _ in range(20_000)]
    assert made == sorted(made)
    assert len(set(made)) == len(made)
    assert {len(id) for id in made} == {26}


def test_ids_sort_when_the_clock_stops_or_goes_back() -> None:
    times = iter([5, 5, 5, 3, 2, 6])
    ids = Ids(lambda: next(times), lambda size: b"\xff" * size)
    made = [ids.new() for _ in range(6)]
    assert made == sorted(set(made))


def test_two_that_count_on_from_one_do_not_meet() -> None:
    def ids() -> Ids:
        first = iter([b"\xff" * 10])
        made = Ids(lambda: 0, lambda size: next(first, None) or os.urandom(size))
        made.new()
        return made

    one, two = ids(), ids()
    assert not {one.new() for _ in range(100)} & {two.new() for _ in range(100)}


@pytest.mark.parametrize(
    ("type", "prefix"), [("episode", "ep_"), ("fact", "fact_"), ("reflection", "ref_"), ("gotcha", "mem_")]
)
def test_an_id_says_what_it_is(type: str, prefix: str) -> None:
    id = Ids().memory(TypeRegistry().get(type).id_prefix)
    assert id.startswith(prefix)
    assert short(id) == id[-8:]


def test_a_twin_is_the_same_for_the_same_project_only() -> None:
    id = Ids().memory("fact")
    assert twin(id, "p") == twin(id, "p")
    assert len({id, twin(id, "p"), twin(id, "q")}) == 3
    assert (len(twin(id, "p")), twin(id, "p")[:15]) == (len(id), id[:15])


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("2026-03-01", "2026-03-01T23:59:59.999"),
        (" 2026-03-01 ", "2026-03-01T23:59:59.999"),
        ("2026-03-01T14:30", "2026-03-01T14:30"),
        ("2026-03-01T14:30:00Z", "2026-03-01T14:30:00Z"),
    ],
)
def test_a_day_lasts_until_its_end(text: str, last: str) -> None:
    assert unstamp_until(text) == unstamp(last)
