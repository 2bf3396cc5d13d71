"""The state of sessions: watermarks, pages that are closed once, the daily limit of model calls."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from holdfast.core.conversation import ConsolidatedPage, HistoryEntry
from holdfast.core.errors import Overtaken
from holdfast.workspace import Workspace
from holdfast.workspace import open as open_workspace

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def ws(tmp_path: Path):
    opened = open_workspace(db=str(tmp_path / "h.db"), project=str(tmp_path), embedder="none", background=False)
    with contextlib.closing(opened):
        yield opened


def said(ws: Workspace, session: str, *texts: str) -> list[str]:
    answers = [ws.session(session).say("user", text) for text in texts]
    return [answer.memory.id for answer in answers if answer.memory is not None]


def page(session: str, since: str | None, to: str, text: str = "They talked.") -> ConsolidatedPage:
    return ConsolidatedPage(session, since, to, AT, HistoryEntry(f"his_{to}", session, AT, text, ("grep",), "extract"))


def test_messages_come_in_the_order_they_were_kept_whatever_time_they_claim(ws: Workspace) -> None:
    session = ws.session("s")
    session.say("user", "second in time", when=AT)
    session.say("user", "first in time", when=AT - timedelta(days=1))
    found = ws.container.store.sessions.messages(ws.project, "s")
    assert [m.content for m in found] == ["second in time", "first in time"]
    rest = ws.container.store.sessions.messages(ws.project, "s", after=found[0].id)
    assert [m.content for m in rest] == ["first in time"]
    assert ws.container.store.sessions.count_messages(ws.project, "s", after=found[0].id) == 1


def test_a_page_is_closed_once(ws: Workspace) -> None:
    one, two = said(ws, "s", "we use tabs", "and four of them")
    ws.container.intake.admit_all([], closing=page("s", None, one))
    with pytest.raises(Overtaken):
        ws.container.intake.admit_all([_fact("they use tabs")], closing=page("s", None, two))
    assert ws.count(types=("fact",)) == 0
    state = ws.container.store.sessions.state(ws.project, "s")
    assert state is not None
    assert (state.consolidated_to, state.consolidated_at, state.messages) == (one, AT, 2)
    assert [entry.tools for entry in ws.container.store.sessions.history(ws.project)] == [("grep",)]


def test_what_was_learned_is_kept_with_the_watermark(ws: Workspace) -> None:
    (id,) = said(ws, "s", "we use tabs")
    (answer,) = ws.container.intake.admit_all([_fact("the project is indented with tabs")], closing=page("s", None, id))
    assert answer.memory is not None
    assert ws.get(answer.memory.id).content == "the project is indented with tabs"


def test_a_candidate_takes_the_place_of_what_it_replaces(ws: Workspace) -> None:
    old = ws.remember("the budget is 20 euros", source="observer_inferred").memory
    assert old is not None
    (answer,) = ws.container.intake.admit_all([_fact("the budget is 25 euros now", replaces=(old.id,))])
    assert answer.superseded == (old.id,)
    assert ws.get(old.id).superseded
    assert ws.get(old.id).confidence == pytest.approx(0.3)
    assert [m.id for m in ws.successors(old.id)] == [answer.memory.id if answer.memory else ""]


def test_what_a_person_verified_is_not_replaced_by_what_was_inferred(ws: Workspace) -> None:
    old = ws.remember("the budget is 20 euros").memory
    assert old is not None
    (answer,) = ws.container.intake.admit_all([_fact("the budget is 25 euros now", replaces=(old.id,))])
    assert answer.superseded == ()
    assert not ws.get(old.id).superseded


def test_sessions_are_due_when_idle_archived_or_left(ws: Workspace) -> None:
    sessions, past = ws.container.store.sessions, AT - timedelta(days=400)
    (id,) = said(ws, "a", "hello there")
    said(ws, "b", "hello again")
    assert sessions.due(ws.project, past) == ()
    assert {s.id for s in sessions.due(ws.project, past, but="b", switched=True)} == {"a"}
    sessions.archive(ws.project, "b", AT)
    assert [s.id for s in sessions.due(ws.project, past)] == ["b"]
    ws.container.intake.admit_all([], closing=page("a", None, id))
    assert [s.id for s in sessions.due(ws.project, past, switched=True)] == ["b"]


def test_trimming_keeps_when_the_session_began(ws: Workspace) -> None:
    one, _ = said(ws, "s", "hello there", "how are you")
    before = ws.container.store.sessions.state(ws.project, "s")
    ws.container.store.sessions.trim(ws.project, "s", one, "they said hello")
    after = ws.container.store.sessions.state(ws.project, "s")
    assert before is not None
    assert after is not None
    assert after.created_at == before.created_at
    assert (after.trimmed_to, after.recap) == (one, "they said hello")


def test_the_ceiling_is_hard_and_counts_what_it_refused(ws: Workspace) -> None:
    usage = ws.container.store.model_usage
    assert usage.reserve("2026-03-01", "consolidate", 100, most_calls=2, most_tokens=250)
    usage.settle("2026-03-01", "consolidate", reserved=100, prompt=120, completion=30)
    assert not usage.reserve("2026-03-01", "reflect", 101, most_calls=2, most_tokens=250)
    assert usage.reserve("2026-03-01", "reflect", 100, most_calls=2, most_tokens=250)
    assert not usage.reserve("2026-03-01", "reflect", 0, most_calls=2, most_tokens=250)
    assert usage.reserve("2026-03-02", "reflect", 0, most_calls=2, most_tokens=250)
    day = usage.usage("2026-03-01")
    assert day["consolidate"] == {"calls": 1, "prompt_tokens": 120, "completion_tokens": 30, "refused": 0}
    assert day["reflect"] == {"calls": 1, "prompt_tokens": 100, "completion_tokens": 0, "refused": 2}


def _fact(text: str, **fields):
    from holdfast.core.admission import Candidate

    return Candidate(text, "fact", source="observer_inferred", **fields)
