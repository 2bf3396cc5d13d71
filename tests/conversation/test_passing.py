"""Remarks about the work of the moment."""

from __future__ import annotations

import time

import pytest

from holdfast.learn.keep.offered import without_advice
from holdfast.learn.keep.passing import is_bare_choice, is_passing
from holdfast.learn.keep.personal_patterns import WISHES
from holdfast.learn.keep.proposals import asks_to_agree, is_lasting_proposal
from holdfast.learn.keep.standing import asks_for_name, is_standing, to_remember
from holdfast.text.noise import by_person


@pytest.mark.parametrize(
    "text",
    [
        "PR: https://example.org/pull/12",
        "Behind origin/main by 2 commits after the merge.",
        "The remote branch was deleted.",
        "worker is still running",
        "yes, and fixup in the right commit",
        "spawn a worker to look at the logs",
        "I want you to kick off a sub-agent for the colours",
        "open a draft PR for the parser",
        "is it common to use a search engine as a store",
        "where does the studio get its themes from",
        "Let's move on to 3.2",
        "try again, the server is up",
        "Write a function that must always return 5.",
        "can you generate some test data that never repeats",
        "Écris un poème qui doit toujours rimer",
    ],
)
def test_the_state_of_the_work_and_its_next_step_are_passing(text: str) -> None:
    assert is_passing(text)


@pytest.mark.parametrize(
    "text",
    [
        "Every PR must be rebased before the merge.",
        "Always squash commits before merging.",
        "Never force-push to main.",
        "The build must always be green before a release.",
        "Open bookings come first, then those of today.",
        "Is the old rule. We drop it.",
        "The job runs every night at two.",
        "add the total to every page of the invoice",
        "Write a test for every bug that you fix.",
        "Write an entry in the changelog with every change.",
    ],
)
def test_a_rule_about_them_is_not(text: str) -> None:
    assert not is_passing(text)


@pytest.mark.parametrize("text", ["1, 3 and 5", "go with option B", "Let's go with #4 and #5", "on part sur le 2"])
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
        is_passing,
        is_bare_choice,
        is_standing,
        to_remember,
        asks_for_name,
        is_lasting_proposal,
        asks_to_agree,
        WISHES.match,
    )
    for judge in judged:
        judge(text)
    assert without_advice(by_person(f"<command-name>{text}"))
    assert time.perf_counter() - started < 2
