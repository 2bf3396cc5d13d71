"""Properties of extraction that hold for any messages."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.core.conversation import Message
from holdfast.learn.keep.rule_extractor import learn

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
FRAGMENTS = (
    "Never push to main.", "No, use tabs.", "I live in Lyon.", "Should I retry, or give up?", "Always. Then wait.",
    "From now on, cap it at 30, and keep the rest.", "Sounds good, go with that.", "I'd only retry twice.", "Down.",
    "```\nnever\n```", "> must", "By the way, I bought 3 `x. y`s last week.", "Thanks!", "\u2028never\x00", "…",
    "Je dois partir avant vendredi.", "“Always", "I'll do it by Friday", "amendment to the rule: no longer",
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(FRAGMENTS), max_size=6).map(" ".join))
# Reading the sentences of a chat takes 10 ms.
few = settings(max_examples=40)
CHATS = st.lists(st.tuples(st.sampled_from(["user", "assistant", "tool"]), TEXTS), max_size=8)


def chat(turns: list[tuple[str, str]]) -> list[Message]:
    return [Message(f"m{n}", role, text, START + timedelta(minutes=n)) for n, (role, text) in enumerate(turns)]


@few
@given(CHATS)
def test_every_result_quotes_its_evidence(turns: list[tuple[str, str]]) -> None:
    messages = {message.id: message for message in chat(turns)}
    for learned in learn(chat(turns)):
        assert learned.evidence
        assert any(learned.quote in messages[id].text for id in learned.evidence)
        assert any(messages[id].role == "user" for id in learned.evidence)
        assert learned.text.strip()
        assert "\n" not in learned.text
        assert 0.4 <= learned.confidence <= 0.75


@few
@given(CHATS)
def test_extraction_is_deterministic(turns: list[tuple[str, str]]) -> None:
    assert learn(chat(turns)) == learn(chat(turns))


@few
@given(CHATS, CHATS)
def test_extraction_keeps_no_state(first: list[tuple[str, str]], second: list[tuple[str, str]]) -> None:
    alone = learn(chat(first))
    learn(chat(second))
    assert learn(chat(first)) == alone


@few
@given(CHATS)
def test_message_ids_do_not_matter(turns: list[tuple[str, str]]) -> None:
    renamed = [replace(message, id=f"x{n}") for n, message in enumerate(chat(turns))]
    assert [learned.quote for learned in learn(renamed)] == [learned.quote for learned in learn(chat(turns))]


@pytest.mark.parametrize(
    "fragment", ["a", "no ", "`", '"', "(", "I've been ", "my ", "a_", "- ", "\n", "from our ", "🙂"]
)
def test_a_very_long_message_is_read(fragment: str) -> None:
    endless = [Message("m0", "assistant", fragment * 30_000, START), Message("m1", "user", fragment * 30_000, START)]
    for learned in learn(endless):
        assert learned.quote in endless[1].text
