"""What was said just before a learned statement."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.conversation import Message
from holdfast.core.memory import OCCASION, Memory
from holdfast.core.origin import with_date
from holdfast.learn.keep.kept_statements import KeptStatement
from holdfast.learn.keep.occasion import LONGEST, occasion, quotable, requests_before
from holdfast.learn.keep.turns import split_into_turns
from holdfast.sessions.memory_files.fitting import render
from holdfast.sessions.memory_files.memory_page import PageEntry, memory_line, parse

NOW = datetime(2026, 11, 16, 10, tzinfo=UTC)
SECTIONS = {"requirement": "Requirements"}


def said_after(*said: str, place: int = 0) -> str:
    """The occasion of a sentence of the last message, given by its place."""
    parts = [turn.split(": ", 1) for turn in said]
    messages = [Message(f"m{n}", role, text, NOW) for n, (role, text) in enumerate(parts)]
    turns = split_into_turns(messages)
    turn = turns[-1]
    quote = turn.sentences[place].text
    statement = KeptStatement(quote, turn.message, turn, "r", 0.9, place)
    return occasion(statement, quote, requests_before(turns)[turn.message.id])


def learned(number: int, after: str) -> Memory:
    attributes = {OCCASION: after} if after else {}
    return Memory(
        f"memory-{number:08}", "requirement", "Sub would be the user's wallet address.", "p", NOW,
        source="observer_inferred", source_role="user", attributes=attributes,
    )  # fmt: skip


def test_the_sentence_before_it_in_the_message_comes_first() -> None:
    text = "user: The wallet signs in and gets a token from the API. sub would be the user's address."
    assert said_after("user: How does MFA work with wallets?", text, place=1) == (
        "The wallet signs in and gets a token from the API"
    )


def test_the_first_sentence_was_said_after_the_question_of_the_assistant_or_the_request_before() -> None:
    request = "user: Ask whether promptfoo limits its concurrent workers."
    answer = "user: we should call ours max_concurrency as well"
    assert said_after(request, "assistant: It has max_concurrency.", answer) == request.removeprefix("user: ")[:-1]
    asked = "assistant: Which name should the limit of parallel workers get?"
    assert said_after(request, asked, answer) == "Which name should the limit of parallel workers get?"


@pytest.mark.parametrize("before", ["ok", "yes please", "we call it max_concurrency"])
def test_what_tells_nothing_more_than_the_line_is_no_occasion(before: str) -> None:
    assert said_after(f"user: {before}", "assistant: Done.", "user: we should call ours max_concurrency as well") == ""


@given(st.text(max_size=300))
def test_a_quotation_is_short_and_on_one_line_and_the_page_reads_back_the_same_text(text: str) -> None:
    quoted = quotable(text)
    assert len(quoted) <= LONGEST
    assert "\n" not in quoted
    memory = learned(1, quoted)
    page = parse(memory_line(PageEntry(memory, memory.content)))
    assert [item.text for item in page.items] == [memory.content]


def test_the_page_shows_occasions_while_everything_fits() -> None:
    memories = [learned(n, "How does MFA work with wallet login?") for n in range(20)]
    assert with_date(memories[0], "after “How?”") == "the user said, 2026-11-16, after “How?”"
    roomy, full = (render(memories, SECTIONS, NOW, limit) for limit in (8_192, 2_600))
    assert roomy.body.count("after “How does MFA work with wallet login?”") == 20
    assert "after" not in full.body
    assert full.left_out == 0
