"""Talks between people: who said a line, and whose statements another person's words do not change."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

import holdfast
from holdfast.core.conversation import Message
from holdfast.learn.changes.told_changes import find_changes
from holdfast.learn.keep.rule_extractor import learn
from holdfast.learn.keep.speakers import attributed, by_speaker, have_other_speakers, unattributed
from holdfast.statements import compare

NOW = datetime(2026, 11, 16, 10, tzinfo=UTC)


def talk(*said: str, role: str = "user") -> list[Message]:
    return [Message(f"m{n}", role, text, NOW + timedelta(minutes=n)) for n, text in enumerate(said)]


def test_names_before_messages_are_speakers() -> None:
    messages, speakers = by_speaker(
        talk("Ana Roe: I'm allergic to nuts.", "Dr. Li (guest): Noted.", "Ana Roe: Thanks.")
    )
    assert [message.text for message in messages] == ["I'm allergic to nuts.", "Noted.", "Thanks."]
    assert speakers == {"m0": "Ana Roe", "m1": "Dr. Li (guest)", "m2": "Ana Roe"}


@pytest.mark.parametrize(
    "said",
    [
        ("Rule: never push on Fridays.", "Question: which branch is the default?"),
        ("Ana: I'm allergic to nuts.", "we use Postgres", "and Redis", "thanks"),
        ("Ana: I'm allergic to nuts.", "Ana: and to milk."),
        ("https://example.org is down", "http: is not allowed"),
    ],
)
def test_other_words_before_a_colon_are_no_speakers(said: tuple[str, ...]) -> None:
    messages = talk(*said)
    assert by_speaker(messages) == (tuple(messages), {})


def test_a_line_about_its_speaker_names_them() -> None:
    assert attributed("I'm allergic to nuts.", "Ana") == "Ana: I'm allergic to nuts."
    assert attributed("Nous livrons le mardi.", "Ana") == "Ana: Nous livrons le mardi."
    assert attributed("The upload limit is 20 MB.", "Ana") == "The upload limit is 20 MB."
    assert attributed("I'm allergic to nuts.", "") == "I'm allergic to nuts."


def test_two_people_do_not_change_what_the_other_says_of_themselves() -> None:
    assert have_other_speakers("Ana: I live in Lyon.", "Ben: I live in Paris.")
    assert not have_other_speakers("Ana: I live in Lyon.", "Ana: I live in Paris.")
    assert compare("Ana: I live in Lyon now.", "Ben: I live in Paris.").kind == "apart"


def test_any_member_may_change_what_a_group_does() -> None:
    new, old = "Ben: From now on we deploy on Thursdays instead of Tuesdays.", "Ana: We deploy on Tuesdays."
    assert compare(unattributed(new), unattributed(old)).kind == "update"
    assert unattributed("Ana: I live in Lyon.") == "Ana: I live in Lyon."


def test_words_of_a_talk_change_nothing_unless_they_name_what_they_change() -> None:
    said = ("Ana: The clocks are slow.", "Ben: From now on, I'm staying in one place!", "Ana: No, five.", "Ben: Oh.")
    assert not [change for change in find_changes(talk(*said)) if change.certain]
    corrected = find_changes(talk("Ana: The review is on Tuesday at noon.", "Ben: Fine.", "Ana: No, Thursday."))
    assert [change.learned.text for change in corrected] == ["The review is on Thursday at noon."]


def test_a_sentence_that_ends_with_its_speaker_is_read() -> None:
    found = find_changes(talk("It is no longer I", "No, not me"))
    assert not any(change.certain or change.alone for change in found)


def test_the_memory_of_a_talk_says_who_spoke(tmp_path: object) -> None:
    with holdfast.open(db=":memory:", project=str(tmp_path), background=False, memory_files=False) as ws:
        session = ws.session("scene")
        for text in ("Ana: I'm allergic to nuts and I live in Lyon.", "Ben: I live in Paris.", "Ana: Good to know."):
            session.say("user", text)
        ws.consolidate("scene")
        learned = [memory for memory in ws.list() if memory.type != "episode"]
        assert learned
        assert all(memory.content.startswith(("Ana: ", "Ben: ")) for memory in learned)
        assert not any(memory.superseded for memory in learned)


def test_a_change_with_a_pronoun_counts_if_a_memory_says_what_it_is(tmp_path: object) -> None:
    with holdfast.open(db=":memory:", project=str(tmp_path), background=False, memory_files=False) as ws:
        ws.session("monday").say("user", "I always take my coffee with soy milk. The beans are always Ethiopian.")
        ws.consolidate("monday")
        ws.session("tuesday").say("user", "I've gone off soy, it's oat milk in my coffee now.")
        ws.consolidate("tuesday")
        believed = [memory.content for memory in ws.list() if memory.type != "episode"]
        assert any(line.endswith("I've gone off soy, it's oat milk in my coffee now.") for line in believed)
        assert "I always take my coffee with soy milk." not in believed


def test_the_date_of_a_question_is_corrected_in_what_the_person_said(tmp_path: object) -> None:
    with holdfast.open(db=":memory:", project=str(tmp_path), background=False, memory_files=False) as ws:
        session = ws.session("school")
        session.say("user", "Alma's school concert is on the 11th.")
        session.say("assistant", "So I block the evening of the 11th?")
        session.say("user", "No, the 18th.")
        ws.consolidate("school")
        assert [m.content for m in ws.list() if m.type != "episode"] == ["Alma's school concert is on the 18th."]


def test_what_people_say_of_the_moment_changes_nothing() -> None:
    said = talk(
        "Ana: The buttons are yellow and the case is made of rubber.",
        "Ben: It's not yellow anymore.",
        "Ana: Forget about the ones in the middle.",
        "Ben: Five minutes left.",
    )
    assert [change.learned.text for change in find_changes(said) if change.certain or change.alone] == []


def test_a_line_of_a_meeting_has_no_topic() -> None:
    said = talk(
        "Ana: The retry_policy is done.",
        "Ben: Great, the retry_policy was overdue.",
        "Ana: The new product must always reach customers below forty.",
        "Ben: We never deploy on Fridays, and every change needs two reviews.",
    )
    assert not [one.text for one in learn(said) if one.text.startswith("retry_policy")]
