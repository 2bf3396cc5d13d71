"""Sentences that change what was learned from the same conversation without naming it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from holdfast.core.conversation import Learned, Message
from holdfast.core.errors import ModelDamaged
from holdfast.learn.changes.bare_corrections import bare_correction
from holdfast.learn.changes.read_changes import follow_ups
from holdfast.statements import odds
from holdfast.workspace import Workspace
from tests.conversation.test_extract import chat

START = datetime(2026, 1, 5, 10, tzinfo=UTC)
OAK = "The table top will be oak."


def learned(text: str, message: str = "m0") -> Learned:
    return Learned(text, "decision", (message,), text, 0.7)


def talk(ws: Workspace, *turns: str) -> None:
    for n, turn in enumerate(turns):
        role, text = turn.split(": ", 1)
        ws.session("s").say(role, text, START + timedelta(minutes=n))
    ws.consolidate("s")


def believed(ws: Workspace) -> list[str]:
    return [memory.content for memory in ws.list(limit=100) if memory.type != "episode"]


def test_a_change_that_does_not_name_its_subject_follows_what_it_changes() -> None:
    messages = chat(f"user: {OAK}", "assistant: Noted.", "user: We changed our minds: it will be walnut.")
    (found,) = follow_ups(messages, [learned(OAK)])
    assert found.changes == OAK
    assert found.text.startswith(OAK)
    assert "walnut" in found.text
    assert found.evidence == ("m2",)
    assert found.read


def test_what_known_messages_change_is_left_out() -> None:
    messages = chat(f"user: {OAK}", "assistant: Noted.", "user: We changed our minds: it will be walnut.")
    assert follow_ups(messages, [learned(OAK)], known=2) == follow_ups(messages, [learned(OAK)])
    assert follow_ups(messages, [learned(OAK)], known=3) == ()


@pytest.mark.parametrize(
    "turns",
    [
        ("assistant: Which legs?", "user: Steel ones."),
        ("assistant: Noted.", "user: The legs will be steel."),
        ("assistant: Noted.", "user: Should it be walnut instead?"),
        ("assistant: Noted.", "user: The shelf will be walnut."),
    ],
)
def test_an_answer_a_question_and_another_thing_change_nothing(turns: Sequence[str]) -> None:
    assert follow_ups(chat(f"user: {OAK}", *turns), [learned(OAK)]) == ()


def test_far_away_and_earlier_statements_are_not_read() -> None:
    noise = [turn for n in range(7) for turn in (f"user: Please look at file {n}.", "assistant: Done.")]
    change = "user: We changed our minds: it will be walnut."
    assert follow_ups(chat(f"user: {OAK}", *noise, change), [learned(OAK)]) == ()
    assert follow_ups(chat(change, f"user: {OAK}"), [learned(OAK, "m1")]) == ()


def test_what_was_not_learned_may_be_changed_too_if_words_tell_a_change() -> None:
    said = "Let's do the hallway in terracotta."
    (found,) = follow_ups(chat(f"user: {said}", "assistant: Nice.", "user: We're going with eggshell."), [])
    assert found.text == f"{said} — We're going with eggshell."
    assert follow_ups(chat(f"user: {said}", "assistant: Nice.", "user: The doors are eggshell."), []) == ()


def test_an_order_for_the_moment_is_not_changed() -> None:
    assert follow_ups(chat("user: Please look at file 3.", "user: We changed our minds: it will be walnut."), []) == ()


def test_the_line_of_a_changed_sentence_is_retired(ws: Workspace) -> None:
    talk(
        ws,
        "user: Please remember that I take soy milk in everything.",
        "assistant: Got it.",
        "user: On second thought, put me down for oat milk, the soy milk upsets my stomach.",
    )
    assert believed(ws) == ["Put me down for oat milk, the soy milk upsets my stomach."]


def test_of_two_statements_of_a_message_only_the_changed_one_is_retired(ws: Workspace) -> None:
    ws.session("first").say("user", "My dentist is Dr. Bauer. I'm allergic to penicillin.", START)
    ws.consolidate("first")
    later = "Dr. Bauer closed her practice, so I'm with Dr. Whitlock now."
    ws.session("second").say("user", later, START + timedelta(days=1))
    ws.consolidate("second")
    assert sorted(believed(ws)) == [later, "I'm allergic to penicillin."]


def test_what_holds_now_is_learned_with_what_ended(ws: Workspace) -> None:
    ws.session("first").say("user", "I commute by Uber because the train is unreliable.", START)
    ws.consolidate("first")
    ws.session("second").say(
        "user", "I deleted Uber. It's Lyft for the commute from here on.", START + timedelta(days=1)
    )
    ws.consolidate("second")
    assert "I deleted Uber. — It's Lyft for the commute from here on." in believed(ws)
    assert "I commute by Uber because the train is unreliable." not in believed(ws)


def test_the_older_statement_is_retired(ws: Workspace) -> None:
    talk(ws, f"user: {OAK}", "assistant: Noted.", "user: We changed our minds: it will be walnut.")
    (now,) = believed(ws)
    assert "walnut" in now


def test_a_statement_that_points_back_retires_nothing_of_another_conversation(ws: Workspace) -> None:
    rule = "Each tenant's sequence number must be exactly one more than the last, and a gap must be rejected."
    ws.session("first").say("user", rule, START)
    ws.consolidate("first")
    kept = believed(ws)
    ws.session("second").say(
        "user", "That's the rule going forward, the compliance team signed off.", START + timedelta(days=1)
    )
    ws.consolidate("second")
    assert kept
    assert set(kept) <= set(believed(ws))


def test_without_the_model_words_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> float:
        raise ModelDamaged("relations.onnx is missing")

    monkeypatch.setattr(odds, "overheard_odds", fails)
    messages: Sequence[Message] = chat(f"user: {OAK}", "user: We changed our minds: it will be walnut.")
    assert follow_ups(messages, [learned(OAK)]) == ()


def test_a_denial_names_no_new_value() -> None:
    assert bare_correction("not FIFO", corrects=True) is None
    assert bare_correction("not 20 but 25", corrects=True) is not None


def test_a_bare_value_retires_the_statement_that_it_corrects(ws: Workspace) -> None:
    talk(
        ws,
        "user: Set the upload limit to 10 MB in the docs, that's what the API accepts.",
        "assistant: Done. Should I mention the accepted file types?",
        "user: png and jpeg. And make that limit 25 MB, just checked the config.",
    )
    limits = [line for line in believed(ws) if "limit" in line]
    assert limits
    assert all("25 MB" in line and "10 MB" not in line for line in limits)
