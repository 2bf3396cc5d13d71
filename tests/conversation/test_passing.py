"""Choices by number or letter, and the time that judging a sentence takes."""

from __future__ import annotations

import time

import pytest

from holdfast.learn.keep.passing import is_bare_choice
from holdfast.learn.keep.personal_patterns import WISHES
from holdfast.learn.keep.told import asks_for_name, to_remember
from holdfast.text.noise import by_person


@pytest.mark.parametrize(
    "text", ["1, 3 and 5", "go with option B", "Let's go with #4 and #5", "on part sur le 2", "let's do 2 for now"]
)
def test_a_choice_by_number_or_letter_names_nothing(text: str) -> None:
    assert is_bare_choice(text)


@pytest.mark.parametrize(
    "text", ["3 is better", "use pnpm", "we use 3 replicas", "Plan B needs a server", "go with C++"]
)
def test_a_statement_with_a_number_or_letter_is_no_bare_choice(text: str) -> None:
    assert not is_bare_choice(text)


@pytest.mark.parametrize(
    "part",
    [
        "a",
        "please ",
        "ok, ",
        "yes, and ",
        "the old ",
        "# a ",
        "always never ",
        "should i then ",
        "1, ",
        "speaking of so so ",
    ],
)
def test_any_text_is_judged_in_little_time(part: str) -> None:
    text = part * (40_000 // len(part))
    started = time.perf_counter()
    judged = (
        is_bare_choice,
        to_remember,
        asks_for_name,
        WISHES.match,
    )
    for judge in judged:
        judge(text)
    assert by_person(f"<command-name>{text}")
    assert time.perf_counter() - started < 2
