"""Messages are stored word for word."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from holdfast import Outcome
from holdfast.core.errors import InvalidInput
from holdfast.core.reason import Reason
from holdfast.intake.intake_reasons import IntakeCode
from holdfast.intake.message_intake import IncomingMessage
from holdfast.workspace import Workspace


def test_messages_are_kept_in_order_and_found_at_once(ws: Workspace) -> None:
    when = datetime(2025, 1, 2, 3, tzinfo=UTC)
    with ws.session("s1") as session:
        first = session.say("user", "where is the kettle?", when)
        session.say_all(
            [IncomingMessage("assistant", "on the stove"), IncomingMessage("user", "thank you for the kettle")]
        )
    said = ws.session("s1").episodes()
    assert [(m.source_role, m.content) for m in said] == [
        ("user", "where is the kettle?"),
        ("assistant", "on the stove"),
        ("user", "thank you for the kettle"),
    ]
    assert (first.outcome, first.reason, first.memory) == (Outcome.STORED, Reason.of(IntakeCode.MESSAGE), said[0])
    assert (said[0].type, said[0].event_time, said[0].scope, said[0].session) == ("episode", when, "session", "s1")
    assert [m.source for m in said] == ["user_taught", "agent_explicit", "user_taught"]
    assert ws.recall("kettle", types=["episode"]).hits


def test_messages_stored_at_once_have_one_time_and_keep_their_order(ws: Workspace) -> None:
    told = [IncomingMessage("user", f"message {number}") for number in range(300)]
    answers = ws.session("s1").say_all(told)
    assert len({answer.memory.created_at for answer in answers if answer.memory}) == 1
    assert [m.content for m in ws.session("s1").episodes(limit=300)] == [one.text for one in told]


def test_the_same_message_twice_is_two_episodes(ws: Workspace) -> None:
    session = ws.session("s1")
    session.say("user", "yes")
    session.say("user", "yes")
    assert len(session.episodes()) == 2


@pytest.mark.parametrize(
    ("text", "code"), [("", IntakeCode.EMPTY), ("\n \t", IntakeCode.EMPTY), ("a\0b", IntakeCode.NUL_BYTES)]
)
def test_what_is_no_message_is_refused_alone(ws: Workspace, text: str, code: IntakeCode) -> None:
    answers = ws.session("s1").say_all(
        [IncomingMessage("user", "before"), IncomingMessage("user", text), IncomingMessage("user", "after")]
    )
    assert [a.outcome for a in answers] == [Outcome.STORED, Outcome.REFUSED, Outcome.STORED]
    assert answers[1].reason.code is code
    assert len(ws.session("s1").episodes()) == 2


def test_a_message_beyond_measure_is_refused(ws: Workspace) -> None:
    answer = ws.session("s1").say("user", "word " * 200_001)
    reason = Reason.of(IntakeCode.MESSAGE_TOO_LONG, count=1_000_005, limit=1_000_000)
    assert (answer.outcome, answer.reason) == (Outcome.REFUSED, reason)


def test_spacing_and_code_are_kept_as_said(ws: Workspace) -> None:
    text = "  def f():\n\treturn 1  \n"
    ws.session("s1").say("tool", text)
    assert ws.session("s1").episodes()[0].content == text


def test_an_unknown_role_and_a_nameless_session_are_errors(ws: Workspace) -> None:
    with pytest.raises(InvalidInput, match="role"):
        ws.session("s1").say_all([IncomingMessage("user", "hello"), IncomingMessage("robot", "beep")])
    assert ws.session("s1").episodes() == ()
    with pytest.raises(InvalidInput, match="needs an id"):
        ws.session("  ")


@pytest.mark.parametrize("id", ["a\nb", "a\x1b", "a\u202e", "a" * 201])
def test_a_session_from_which_nothing_could_be_learned_is_refused(ws: Workspace, id: str) -> None:
    with pytest.raises(InvalidInput, match="session id"):
        ws.session(id).say("user", "From now on the crane is red.")
    ws.session("good").say("user", "From now on deploys go out on Tuesdays.")
    assert ws.consolidate().counts()["messages"] == 1
