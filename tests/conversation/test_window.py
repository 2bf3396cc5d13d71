"""When sessions are due and what is trimmed from the prompt; storing a message waits for neither."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

import holdfast
from holdfast.core.admission import Admission, Outcome
from holdfast.core.clock import FixedClock, SystemClock
from holdfast.core.events import MessagesStored
from holdfast.core.reason import Reason
from holdfast.intake.intake_reasons import IntakeCode
from holdfast.learn.window import WorkNotifier, cut
from holdfast.upkeep import background
from holdfast.workspace import Workspace
from tests.conversation.talk import HELLO, MORNING, chatter, facts, state, talk


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(MORNING)


@pytest.fixture
def timed(tmp_path: Path, project: Path, clock: FixedClock) -> Iterator[Workspace]:
    """A workspace whose clock the test moves."""
    still: SystemClock = clock  # type: ignore[assignment] # a clock is what has `now`
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), clock=still) as ws:
        yield ws


def test_nothing_leaves_the_prompt_until_it_overflows() -> None:
    assert [cut(count, 50) for count in (0, 25, 50, 51, 80)] == [0, 0, 0, 26, 55]
    assert cut(60, 10) == 50


def test_a_session_is_due_after_thirty_idle_minutes(timed: Workspace, clock: FixedClock) -> None:
    talk(timed, "s", *HELLO)
    clock.advance(33 * 60)
    assert timed.container.window.due() == ()
    assert timed.upkeep("consolidate")["consolidate"]["sessions"] == 0
    clock.advance(2 * 60)
    assert timed.container.window.due() == ("s",)
    assert timed.upkeep("consolidate")["consolidate"]["sessions"] == 1
    assert timed.container.window.due() == ()
    assert any("linter" in text for text in facts(timed))


def test_a_session_is_due_when_another_one_began_after_it(timed: Workspace, clock: FixedClock) -> None:
    talk(timed, "s", *HELLO)
    clock.advance(5 * 60)
    assert not timed.container.window.any_due()
    talk(timed, "t", "user: Good morning.", at=clock.now())
    assert timed.container.window.due() == ("s",)


def test_sessions_that_run_side_by_side_are_not_over(timed: Workspace, clock: FixedClock) -> None:
    talk(timed, "s", *HELLO)
    clock.advance(5 * 60)
    talk(timed, "t", "user: Good morning.", at=clock.now())
    clock.advance(60)
    talk(timed, "s", "user: One more thing.", at=clock.now())
    assert timed.container.window.due() == ()


def test_a_session_that_was_ended_is_due_at_once(timed: Workspace, clock: FixedClock) -> None:
    talk(timed, "s", *HELLO)
    clock.advance(5 * 60)
    timed.session("s").end()
    assert timed.container.window.due() == ("s",)
    timed.consolidate("s")
    clock.advance(60)
    talk(timed, "s", "user: Good morning again.", at=clock.now())
    assert timed.container.window.due() == ()


def test_an_overflowing_session_is_consolidated_before_the_cut_and_trimmed(timed: Workspace) -> None:
    ids = talk(timed, "s", *HELLO, *chatter(40))
    assert timed.container.window.overflowing() == ()
    ids += talk(timed, "s", *chatter(15, 40))
    assert timed.container.window.overflowing() == ("s",)
    done = timed.upkeep("consolidate")["consolidate"]
    assert done["sessions"] == 1
    now = state(timed, "s")
    assert (now.trimmed_to, now.consolidated_to) == (ids[34], ids[34])
    assert [m.id for m in timed.session("s").window()] == ids[35:]
    assert "linter" in (now.recap or "")
    assert any("linter" in text for text in facts(timed))
    assert timed.container.window.overflowing() == ()


def test_the_next_overflow_adds_to_the_recap(timed: Workspace) -> None:
    talk(timed, "s", *HELLO, *chatter(55))
    timed.upkeep("consolidate")
    talk(timed, "s", "user: From now on, never deploy anything on a Friday afternoon.", *chatter(60, 55))
    timed.upkeep("consolidate")
    recap = timed.session("s").recap() or ""
    assert "linter" in recap
    assert "Friday" in recap
    assert len(recap) <= 2_100
    assert len(timed.session("s").window()) == 25


def test_a_new_session_is_consolidated_and_trimmed_at_once(timed: Workspace) -> None:
    ids = talk(timed, "s", *HELLO)
    report = timed.new_session("s")
    assert report.counts()["messages"] == 5
    assert any("linter" in text for text in facts(timed))
    now = state(timed, "s")
    assert (now.consolidated_to, now.trimmed_to, now.archived_at is not None) == (ids[-1], ids[-1], True)
    assert timed.session("s").window() == ()
    more = talk(timed, "s", "user: A fresh start.")
    assert [m.id for m in timed.session("s").window()] == more


def test_messages_wake_the_background_only_when_needed(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[object] = []
    monkeypatch.setattr(background, "start", lambda *arguments: started.append(arguments))
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), background=True, embedder="none") as ws:
        ws.session("s").say("user", "Always lint before you commit.")
        ws.session("s").say("user", "Never on a Friday.")
        assert started == []
        ws.session("t").say("user", "Good morning.", ws.container.now() + timedelta(seconds=1))
        assert len(started) == 1
        ws.session("t").say("user", "How are you?")
        assert len(started) == 1


STORED = Admission(Outcome.STORED, Reason.of(IntakeCode.MESSAGE))


def test_the_notifier_wakes_at_the_first_and_every_25th_message() -> None:
    woken: list[int] = []
    notifier = WorkNotifier(lambda: woken.append(1))
    for n in range(1, 101):
        notifier.on_messages(MessagesStored("s", [STORED]))
        assert len(woken) == 1 + n // 25
    notifier.on_messages(MessagesStored("t", [STORED] * 300))
    assert len(woken) == 6
