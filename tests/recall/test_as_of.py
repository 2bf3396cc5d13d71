"""Searches as of an earlier moment, times without a zone, and confidence after decay."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.core.clock import FixedClock
from holdfast.core.errors import InvalidInput
from holdfast.core.memory import Memory
from holdfast.recall.search.time_modes import AroundEvent, TimeWindow
from holdfast.workspace import Workspace

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


class Diary:
    """A workspace whose clock the test moves."""

    def __init__(self, ws: Workspace, clock: FixedClock) -> None:
        self.ws = ws
        self.clock = clock

    def later(self, days: float) -> None:
        self.clock.advance(days * 86_400)

    def learn(self, text: str, **about: Any) -> Memory:
        stored = self.ws.remember(text, **about).memory
        assert stored is not None
        return stored

    def texts(self, query: str, **about: Any) -> list[str]:
        return [hit.text for hit in self.ws.recall(query, abstain=False, count=False, **about).hits]

    def confidence(self, query: str, as_of: datetime) -> float:
        return self.ws.recall(query, abstain=False, count=False, as_of=as_of).hits[0].why.factors["confidence"]


@pytest.fixture
def diary(tmp_path: Path, project: Path) -> Iterator[Diary]:
    clock: Any = FixedClock(NOW)
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), clock=clock) as ws:
        yield Diary(ws, clock)


@pytest.fixture
def _far_from_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A local time zone nine hours ahead of UTC."""
    if not hasattr(time, "tzset"):
        pytest.skip("this system cannot change the time zone of a process")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


# -- what was known then -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["user_taught", "agent_explicit"])
def test_a_memory_taught_later_about_an_earlier_day_was_not_known_then(diary: Diary, source: str) -> None:
    diary.learn("The old pier burned down", when=NOW - 60 * DAY, source=source)
    assert diary.texts("old pier", as_of=NOW - 30 * DAY) == []
    assert diary.ws.list(as_of=NOW - 30 * DAY) == ()
    assert diary.texts("old pier", as_of=NOW) == ["The old pier burned down"]


def test_an_imported_message_was_known_when_it_was_said(diary: Diary) -> None:
    diary.ws.session("s").say("user", "The old pier burned down", when=NOW - 60 * DAY)
    asked: dict[str, Any] = {"types": ["episode"]}
    assert diary.texts("old pier", as_of=NOW - 30 * DAY, **asked) == ["The old pier burned down"]
    assert diary.texts("old pier", as_of=NOW - 90 * DAY, **asked) == []


def test_a_fact_learned_from_a_message_was_known_when_the_message_was_said(diary: Diary) -> None:
    diary.ws.session("s").say("user", "I prefer tea with oat milk.", when=NOW - 60 * DAY)
    diary.ws.consolidate("s")
    (fact,) = diary.ws.list(types=["preference"])
    assert fact.created_at == NOW
    assert diary.texts("which milk do I prefer?", as_of=NOW - 30 * DAY) == [fact.content]
    assert diary.texts("which milk do I prefer?", as_of=NOW - 90 * DAY, types=["preference"]) == []


def test_a_correction_of_a_learned_fact_was_known_when_it_was_made(diary: Diary) -> None:
    diary.ws.session("s").say("user", "I prefer tea with oat milk.", when=NOW - 60 * DAY)
    diary.ws.consolidate("s")
    (fact,) = diary.ws.list(types=["preference"])
    diary.later(1)
    diary.ws.correct(fact.id, "The user prefers tea with soy milk.")
    assert diary.texts("which milk?", as_of=NOW - 30 * DAY, types=["preference"]) == [fact.content]
    assert diary.texts("which milk?", as_of=NOW + 2 * DAY) == ["The user prefers tea with soy milk."]


def test_a_belief_lasts_until_its_replacement_is_taught(diary: Diary) -> None:
    from holdfast.core.admission import Candidate

    old = diary.learn("The ferry costs four euros", source="agent_explicit")
    diary.later(20)
    new = Candidate("The ferry costs five euros", replaces=(old.id,), when=NOW + 5 * DAY, source="user_taught")
    diary.ws.remember_all([new])
    assert diary.texts("ferry costs", as_of=NOW + 10 * DAY) == ["The ferry costs four euros"]
    assert diary.texts("ferry costs", as_of=NOW + 21 * DAY) == ["The ferry costs five euros"]


# -- confidence then ----------------------------------------------------------------------------------------------


def test_a_superseded_memory_has_the_confidence_it_had_then(diary: Diary) -> None:
    old = diary.learn("The lamp burns whale oil", confidence=0.9)
    diary.later(5)
    diary.ws.correct(old.id, "The lamp burns diesel")
    assert diary.texts("lamp burns", as_of=NOW + DAY, min_confidence=0.5) == ["The lamp burns whale oil"]
    assert diary.texts("lamp burns", as_of=NOW + DAY, min_confidence=0.95) == []
    assert diary.confidence("lamp burns", NOW + DAY) == pytest.approx(0.9)
    assert [m.content for m in diary.ws.list(as_of=NOW + DAY, min_confidence=0.5)] == ["The lamp burns whale oil"]


def test_flagging_and_confirming_later_do_not_change_the_confidence_then(diary: Diary) -> None:
    memory = diary.learn("The lamp burns whale oil", source="agent_explicit", confidence=0.6)
    diary.later(5)
    diary.ws.flag(memory.id)
    diary.later(5)
    diary.ws.confirm(memory.id)
    moments = (NOW + DAY, NOW + 6 * DAY, NOW + 11 * DAY)
    assert [diary.confidence("lamp", at) for at in moments] == pytest.approx([0.6, 0.3, 1.0])


def test_a_change_of_a_related_memory_later_does_not_change_the_confidence_then(diary: Diary) -> None:
    premise = diary.learn("The gauge of the boiler is broken", source="agent_explicit", confidence=0.8)
    relation = holdfast.Relation("derived_from", memory=premise.id)
    diary.learn("The lamp flickers", source="agent_explicit", confidence=0.6, relations=(relation,))
    diary.later(5)
    diary.ws.flag(premise.id)
    assert diary.confidence("lamp flickers", NOW + DAY) == pytest.approx(0.6)
    assert diary.confidence("lamp flickers", NOW + 6 * DAY) == pytest.approx(0.4)


def test_saying_it_again_later_does_not_change_the_confidence_then(diary: Diary) -> None:
    diary.learn("The lamp burns whale oil", source="agent_explicit", confidence=0.4)
    diary.later(5)
    diary.ws.remember("The lamp burns whale oil", source="agent_explicit", confidence=0.7)
    assert diary.confidence("lamp", NOW + DAY) == pytest.approx(0.4)
    assert diary.confidence("lamp", NOW + 6 * DAY) == pytest.approx(0.7)


def test_uses_after_the_moment_do_not_make_a_memory_recent(diary: Diary) -> None:
    diary.learn("The lamp burns whale oil", type="gotcha", source="agent_explicit", confidence=0.8)
    diary.later(200)
    diary.ws.recall("lamp burns whale oil")
    diary.ws.list()  # Writes the counts.
    hit = diary.ws.recall("lamp", as_of=NOW + 60 * DAY, count=False).hits[0]
    assert hit.why.factors["confidence"] == pytest.approx(0.4)
    assert hit.why.factors["recency"] == pytest.approx(0.135, abs=0.001)


def test_a_hit_shows_a_memory_as_it_was_known_then(diary: Diary) -> None:
    old = diary.learn("The lamp burns whale oil", source="agent_explicit", confidence=0.8)
    diary.later(10)
    diary.ws.correct(old.id, "The lamp burns kerosene")
    [before] = diary.ws.recall("lamp", as_of=NOW + 5 * DAY, count=False).hits
    [after] = diary.ws.recall("lamp", count=False).hits
    assert before.memory is not None
    assert (before.memory.id, before.memory.confidence, before.memory.superseded) == (old.id, 0.8, False)
    assert after.memory is not None
    assert after.memory.content == "The lamp burns kerosene"
    assert (diary.ws.get(old.id).confidence, diary.ws.get(old.id).superseded) == (0.3, True)


# -- the filter by confidence -------------------------------------------------------------------------------------


def test_min_confidence_compares_the_decayed_confidence(diary: Diary) -> None:
    diary.learn("The crane lifts ten tonnes", type="gotcha", source="qa_auto", confidence=0.9)
    diary.learn("The crane is painted yellow", type="gotcha", source="qa_auto", confidence=0.9, pinned=True)
    both = ["The crane is painted yellow", "The crane lifts ten tonnes"]
    assert sorted(diary.texts("crane", min_confidence=0.5)) == both
    diary.later(200)
    assert diary.texts("crane", min_confidence=0.5) == ["The crane is painted yellow"]
    assert diary.ws.count(min_confidence=0.5) == 1
    assert sorted(diary.texts("crane", min_confidence=0.05)) == both


def test_a_use_restarts_the_decay(diary: Diary) -> None:
    diary.learn("The crane lifts ten tonnes", type="gotcha", source="qa_auto", confidence=0.9)
    diary.later(200)
    diary.ws.recall("crane", abstain=False)
    diary.ws.list()  # Writes the counts.
    assert diary.texts("crane", min_confidence=0.5) == ["The crane lifts ten tonnes"]


def test_min_confidence_compares_the_decayed_confidence_of_a_document(diary: Diary) -> None:
    diary.ws.add_document("docs/crane.md", "# Crane\n\nThe crane is greased weekly.\n")
    assert diary.texts("crane", min_confidence=0.5, types=["document"])
    diary.later(7)
    assert diary.texts("crane", min_confidence=0.5, types=["document"]) == []
    assert diary.texts("crane", min_confidence=0.3, types=["document"])


@pytest.mark.parametrize("filters", [{"sources": "whoever"}, {"scopes": "town"}, {"visibilities": ["team", "aunt"]}])
def test_an_unknown_value_of_a_filter_is_refused(diary: Diary, filters: dict[str, Any]) -> None:
    for verb in (diary.ws.recall, diary.ws.search_documents):
        with pytest.raises(InvalidInput, match="Use one of"):
            verb("crane", **filters)
    with pytest.raises(InvalidInput, match="Use one of"):
        diary.ws.list(**filters)


@pytest.mark.parametrize("share", [7, -0.1, float("nan")])
def test_a_confidence_outside_its_range_is_refused(diary: Diary, share: float) -> None:
    with pytest.raises(InvalidInput, match="min_confidence must be between 0 and 1"):
        diary.ws.recall("crane", min_confidence=share)


# -- times without a zone -----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("_far_from_utc")
def test_a_time_without_a_zone_is_local(diary: Diary) -> None:
    diary.learn("The crane lifts ten tonnes")  # At 21:00 local time.
    local = NOW.replace(tzinfo=None)
    assert diary.texts("crane", as_of=local + timedelta(hours=8)) == []
    assert diary.texts("crane", as_of=local + timedelta(hours=10)) == ["The crane lifts ten tonnes"]
    assert diary.texts("crane", since=local + timedelta(hours=10)) == []
    assert diary.texts("crane", until=local + timedelta(hours=10)) == ["The crane lifts ten tonnes"]
    assert diary.texts("crane", temporal=TimeWindow(local, local + timedelta(hours=8))) == []
    assert len(diary.ws.list(since=local + timedelta(hours=8))) == 1


@pytest.mark.usefixtures("_far_from_utc")
def test_the_date_of_a_memory_or_message_without_a_zone_is_local(diary: Diary) -> None:
    local = datetime(2026, 9, 1, 9)
    taught = diary.learn("The crane lifts ten tonnes", when=local)
    assert taught.event_time == datetime(2026, 9, 1, tzinfo=UTC)
    said = diary.ws.session("s").say("user", "The crane is yellow", when=local).memory
    assert said is not None
    assert said.event_time == datetime(2026, 9, 1, tzinfo=UTC)
    diary.ws.add_document("docs/crane.md", "# Crane\n\nGreased weekly.\n", modified=local)
    assert diary.ws.documents()[0].modified == datetime(2026, 9, 1, tzinfo=UTC)
    around = diary.texts("crane", types=["episode"], temporal=AroundEvent(local))
    assert around == ["The crane is yellow"]


@pytest.mark.parametrize("name", ["as_of", "since", "until"])
@pytest.mark.parametrize("value", ["2026-03-01", date(2026, 3, 1), 5])
def test_something_that_is_no_time_is_refused(diary: Diary, name: str, value: object) -> None:
    with pytest.raises(InvalidInput, match=f"{name} (.* is not|must be) a datetime"):
        diary.ws.recall("crane", **{name: value})  # type: ignore[arg-type] # wrong on purpose
