"""Temporal modes: the last sessions, a window, around an event, a trend; and beliefs at a past moment."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.core.answer import Filters
from holdfast.core.clock import FixedClock
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.recall.search import time_modes as modes
from holdfast.recall.search.time_modes import AroundEvent, RecentSessions, TimeWindow, Trend
from holdfast.workspace import Workspace

# A Sunday.
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def clock() -> Any:
    return FixedClock(NOW - 10 * DAY)


@pytest.fixture
def diary(tmp_path: Path, project: Path, clock: Any) -> Iterator[Workspace]:
    """Ten days with one session each, and one memory about the boiler in each session."""
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), clock=clock, per_session=0) as ws:
        for day in range(10):
            ws.remember(f"The boiler hums in key {day} of opus {day * 7919}", session=f"s{day}", type="gotcha")
            clock.advance(86_400)
        yield ws


def days(answer: holdfast.Recall) -> list[int]:
    return [int(hit.memory.session[1:]) for hit in answer.hits if hit.memory and hit.memory.session]


def asked(ws: Workspace, temporal: Any, **more: Any) -> list[int]:
    return days(ws.recall("boiler hums", temporal=temporal, limit=20, **more))


def test_the_last_sessions_newest_first(diary: Workspace) -> None:
    assert asked(diary, "recent:3") == [9, 8, 7]
    assert asked(diary, RecentSessions(2)) == [9, 8]
    assert asked(diary, "recent:99") == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    assert asked(diary, "recent:3", sessions=("s8", "s1")) == [8]


def test_sessions_with_messages_only_count_too(diary: Workspace) -> None:
    diary.session("talk").say("user", "the boiler hums again", when=NOW)
    assert [hit.text for hit in diary.recall("boiler hums", temporal="recent:1").hits] == ["the boiler hums again"]


def test_a_project_without_sessions_has_no_recent_ones(ws: Workspace) -> None:
    ws.remember("The boiler hums")
    assert ws.recall("boiler hums", temporal="recent:5").hits == ()
    assert ws.recall("boiler hums", temporal="around:2026-01-01").hits == ()


def test_a_window_includes_its_last_day(diary: Workspace) -> None:
    # s0 is of February 19
    assert sorted(asked(diary, "window:2026-02-21T00:00Z..2026-02-23T23:00Z")) == [2, 3, 4]
    assert sorted(asked(diary, "window:2026-02-26T00:00Z..")) == [7, 8, 9]
    day = modes.read("window:2026-02-20..2026-02-20")
    assert isinstance(day, TimeWindow)
    assert day.since is not None
    assert day.until == day.since + DAY - timedelta(milliseconds=1)
    assert sorted(asked(diary, "window:2026-02-21T00:00Z..", until=NOW - 7 * DAY)) == [2, 3]


def test_around_a_memory_are_three_sessions_each_way(diary: Workspace) -> None:
    event = next(memory for memory in diary.list() if memory.session == "s5")
    assert sorted(asked(diary, f"around:{event.id}")) == [2, 3, 4, 5, 6, 7, 8]
    first = next(memory for memory in diary.list() if memory.session == "s0")
    assert sorted(asked(diary, f"around:{first.id[-8:]}")) == [0, 1, 2, 3]
    with pytest.raises(NotFound):
        asked(diary, "around:nothing-here")


def test_around_a_moment_or_a_memory_without_session_the_nearest_counts(diary: Workspace) -> None:
    assert sorted(asked(diary, "around:2026-02-22T15:00Z")) == [0, 1, 2, 3, 4, 5, 6]
    assert sorted(asked(diary, "around:2030-01-01")) == [6, 7, 8, 9]
    late = diary.remember("Inspection passed with honours").memory
    assert late is not None
    assert sorted(asked(diary, f"around:{late.id}")) == [6, 7, 8, 9]


def test_a_trend_counts_by_week_and_shows_the_newest_first(diary: Workspace) -> None:
    answer = diary.recall("boiler hums", temporal="trend:7", limit=20)
    # February 22 is a Sunday and closes week 8
    assert sorted(days(answer)) == [3, 4, 5, 6, 7, 8, 9]
    assert days(answer)[-1] == 3
    assert answer.trace.steps[-2].step == "by week"
    assert answer.trace.steps[-2].notes == {"weeks": {"2026-W09": 6, "2026-W08": 1}}


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("recent:5", RecentSessions(5)),
        (" trend:30 ", Trend(30)),
        ("around:mem_1", AroundEvent("mem_1")),
        ("around:2026-01-02T03:04Z", AroundEvent(datetime(2026, 1, 2, 3, 4, tzinfo=UTC))),
        ("window:2026-01-02T00:00Z..", TimeWindow(datetime(2026, 1, 2, tzinfo=UTC), None)),
    ],
)
def test_modes_are_parsed(text: str, mode: modes.Temporal) -> None:
    assert modes.read(text) == mode


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("yesterday", "Write it like recent:5"),
        ("", "Write it like recent:5"),
        ("recent:", "no number from 1"),
        ("recent:0", "no number from 1"),
        ("recent:-2", "no number from 1"),
        ("trend:many", "no number from 1"),
        ("trend:" + "9" * 5_000, "no number from 1"),
        ("window:2026-01-01", "two dates"),
        ("window:..", "two dates"),
        ("window:soon..later", "'soon' in temporal 'window:soon..later' is not a date"),
        ("window:2026-02-01..2026-01-01", "ends before it begins"),
        ("around:", "names no event"),
    ],
)
def test_an_invalid_mode_is_refused_with_a_hint(text: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        modes.read(text)


def test_a_mode_never_widens_the_filters(ws: Workspace) -> None:
    filters = Filters(since=NOW - DAY, sessions=("a",))
    wide = modes.narrowed(TimeWindow(NOW - 5 * DAY, NOW), filters, ws.project, ws.container.reading, NOW)
    assert (wide.since, wide.until) == (NOW - DAY, NOW)
    assert modes.narrowed(RecentSessions(5), filters, ws.project, ws.container.reading, NOW).sessions == ()


def test_a_chain_of_corrections_answers_for_every_moment(tmp_path: Path, project: Path) -> None:
    clock: Any = FixedClock(NOW)
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), clock=clock) as ws:
        belief = ws.remember("Tea is at four").memory
        for hour in ("five", "six"):
            clock.advance(86_400)
            assert belief is not None
            belief = ws.correct(belief.id, f"Tea is at {hour}", how="outdated").memory
        clock.advance(86_400)
        assert belief is not None

        def believed(at: datetime | None) -> list[str]:
            return [hit.text for hit in ws.recall("tea", as_of=at).hits]

        assert believed(None) == ["Tea is at six"]
        moments = [NOW - DAY / 2, NOW + DAY / 2, NOW + DAY, NOW + 3 * DAY / 2, NOW + 2 * DAY, NOW + 3 * DAY]
        now_then = [
            [],
            ["Tea is at four"],
            ["Tea is at five"],
            ["Tea is at five"],
            ["Tea is at six"],
            ["Tea is at six"],
        ]
        assert [believed(at) for at in moments] == now_then
        ws.forget(belief.id)
        assert believed(NOW + 3 * DAY) == []
        assert believed(NOW + DAY / 2) == ["Tea is at four"]
