"""Remarks about the work of the moment."""

from __future__ import annotations

import pytest

from holdfast.conversation.extract.passing import is_passing


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
    ],
)
def test_a_rule_about_them_is_not(text: str) -> None:
    assert not is_passing(text)
