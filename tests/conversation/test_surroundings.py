"""The context of a sentence, as the reader gets it."""

from __future__ import annotations

from holdfast.learn.keep.keep_features import views
from holdfast.learn.keep.surroundings import surroundings
from holdfast.learn.keep.turns import split_into_turns
from tests.conversation.test_extract_summary import chat


def test_it_has_the_question_and_the_neighbours() -> None:
    messages = chat(("assistant", "Which separator?"), ("user", "Good question. A semicolon. Excel needs it."))
    found = views(split_into_turns(messages))
    assert surroundings(found, 1) == "assistant: Which separator? | Good question. | Excel needs it."


def test_the_first_message_answers_nobody() -> None:
    found = views(split_into_turns(chat(("user", "We use tabs."))))
    assert surroundings(found, 0) == "nobody:  |  | "


def test_long_neighbours_are_cut() -> None:
    messages = chat(("assistant", "why " * 500), ("user", "Because. " + "so " * 200))
    found = views(split_into_turns(messages))
    assert all(len(surroundings(found, n)) < 480 for n in range(len(found)))
