"""Comments of a code review that somebody pasted are work for the session, not rules."""

from __future__ import annotations

import pytest

from holdfast.core.conversation import Message
from holdfast.learn.keep.review_comments import is_review_comment
from holdfast.learn.keep.rule_extractor import learn
from tests.conversation.talk import MORNING


def _is_review(text: str) -> bool:
    return is_review_comment(text, 0, len(text))


@pytest.mark.parametrize(
    "text",
    [
        "loadInvoice() should use the existing readRow() helper. Replace lines 48-54 with a call to it.",
        "The cache key omits `tenant_id`. This causes invoices of one tenant to be shown to another.",
        "The retry loop in send.deliver() never ends. Consider adding a limit.",
        "Medium Severity\n\nThe comment of parseDate is outdated and should be updated.",
    ],
)
def test_a_review_speaks_of_code_and_to_nobody(text: str) -> None:
    assert _is_review(text)


@pytest.mark.parametrize(
    "text",
    [
        "Never call readRow() directly.",
        "All handlers in `src/api` must return JSON.",
        "I want readRow() to log every miss. This means we need a logger there.",
        "Consider switching to pnpm.",
        "please fix lines 48-54 of src/mail/send.py",
    ],
)
def test_what_somebody_wants_is_no_review(text: str) -> None:
    assert not _is_review(text)


def test_only_the_paragraphs_of_the_reviewer_are_left_out() -> None:
    """The rest of the message is the person's."""
    comment = "The query in loadInvoice() must be limited to one tenant. This causes invoices to leak."
    rule = "From now on every query in this project must name its tenant."
    asked = Message("m1", "user", f"{comment}\n\n{rule}", MORNING)
    learned = learn([asked, Message("m2", "assistant", "I limit the query to one tenant.", MORNING)])
    assert [one.text for one in learned] == [rule]
