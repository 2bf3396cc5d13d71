"""A conversation in a few of its own sentences."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.conversation.extract.summary import summarise
from holdfast.core.conversation import Message

SAID = datetime(2026, 3, 2, 9, tzinfo=UTC)


def chat(*turns: tuple[str, str]) -> list[Message]:
    return [Message(f"m{n}", role, text, SAID) for n, (role, text) in enumerate(turns)]


TALK = chat(
    ("user", "The nightly export of the invoices takes four hours and blocks the morning reports."),
    (
        "assistant",
        "Exports can be slow for many reasons. Databases, networks and disks all play a part. Let me explain.",
    ),
    ("assistant", "The export reads every invoice one by one. I'll read them in batches of 500."),
    ("user", "Good. Never lock the invoices table while the export runs, the shops write to it all night."),
    ("assistant", "Understood, no lock on the invoices table while the export runs."),
    ("user", "Thanks a lot!"),
)


def test_it_says_what_it_was_about_and_what_was_decided() -> None:
    told = summarise(TALK)
    assert "nightly export of the invoices takes four hours" in told
    assert "Never lock the invoices table" in told
    assert "Thanks" not in told


def test_it_says_nothing_twice() -> None:
    assert summarise(TALK, sentences=6, characters=2_000).lower().count("lock ") == 1


def test_an_answer_of_one_word_comes_with_its_question() -> None:
    told = summarise(chat(("assistant", "Should half cents be rounded up or down?"), ("user", "Down.")))
    assert told == "Should half cents be rounded up or down? — Down."


@pytest.mark.parametrize("limit", [0, 1, 20, 80, 600])
def test_it_keeps_to_its_length(limit: int) -> None:
    assert len(summarise(TALK, characters=limit)) <= limit


def test_of_nothing_there_is_nothing_to_say() -> None:
    assert summarise([]) == ""
    assert summarise(chat(("user", "ok"), ("tool", "exit status 1 and a lot of output"))) == ""


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant", "tool"]), st.text(max_size=300)), max_size=8))
def test_any_conversation_is_told_within_bounds_and_always_alike(turns: list[tuple[str, str]]) -> None:
    told = summarise(chat(*turns), sentences=3, characters=200)
    assert len(told) <= 200
    assert told == summarise(chat(*turns), sentences=3, characters=200)
