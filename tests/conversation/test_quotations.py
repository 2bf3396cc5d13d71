"""Quoted, pasted and asked-about text is not the author's rule: neither learned nor quoted to the agent; rules are."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from holdfast.core.conversation import Message
from holdfast.learn.keep.lasting import lasting_statements
from holdfast.learn.keep.quotations import own_sentences
from holdfast.learn.keep.rule_extractor import learn

AT = datetime(2026, 1, 1, tzinfo=UTC)

# Messages, each with a word of what is quoted in it, or of the rule in it.
FORMS = json.loads((Path(__file__).parent / "quotations.json").read_text("utf-8"))


def learned(message: str) -> str:
    said = [Message("1", "user", message, AT), Message("2", "assistant", "I had a look at it.", AT)]
    return " ".join(f"{fact.text} {fact.quote}" for fact in learn(said))


@pytest.mark.parametrize(("message", "word"), FORMS["quoted"])
def test_what_is_quoted_pasted_or_asked_about_is_no_rule(message: str, word: str) -> None:
    assert word not in learned(message)
    assert word not in " ".join(lasting_statements(message))


@pytest.mark.parametrize(("message", "word"), FORMS["rules"])
def test_rules_with_colons_quotation_marks_and_questions_beside_them_are_kept(message: str, word: str) -> None:
    assert word in learned(message)
    assert word in " ".join(lasting_statements(message))


@pytest.mark.parametrize(
    "unit",
    ["a: b\n", "this text ", "says that ", '"x y z w ', "'a b ", "here is the very ", "is this right? ", "$ a\n"],
)
def test_long_messages_take_linear_time(unit: str) -> None:
    assert own_sentences(unit * 3_000) is not None
