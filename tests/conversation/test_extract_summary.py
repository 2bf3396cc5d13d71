"""The summary of a conversation in a few of its own sentences."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.conversation import Message
from holdfast.learn.keep.summary import summarise

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def chat(*turns: tuple[str, str]) -> list[Message]:
    return [Message(f"m{n}", role, text, START) for n, (role, text) in enumerate(turns)]


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


def test_it_contains_the_subject_and_the_decision() -> None:
    summary = summarise(TALK)
    assert "nightly export of the invoices takes four hours" in summary
    assert "Never lock the invoices table" in summary
    assert "Thanks" not in summary


def test_it_repeats_nothing() -> None:
    assert summarise(TALK, sentences=6, characters=2_000).lower().count("lock ") == 1


def test_an_answer_of_one_word_comes_with_its_question() -> None:
    summary = summarise(chat(("assistant", "Should half cents be rounded up or down?"), ("user", "Down.")))
    assert summary == "Should half cents be rounded up or down? — Down."


@pytest.mark.parametrize("limit", [0, 1, 20, 80, 600])
def test_it_keeps_to_its_length(limit: int) -> None:
    assert len(summarise(TALK, characters=limit)) <= limit


def test_the_summary_of_nothing_is_empty() -> None:
    assert summarise([]) == ""
    assert summarise(chat(("user", "ok"), ("tool", "exit status 1 and a lot of output"))) == ""


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant", "tool"]), st.text(max_size=300)), max_size=8))
def test_any_summary_keeps_to_its_length_and_is_deterministic(turns: list[tuple[str, str]]) -> None:
    summary = summarise(chat(*turns), sentences=3, characters=200)
    assert len(summary) <= 200
    assert summary == summarise(chat(*turns), sentences=3, characters=200)
