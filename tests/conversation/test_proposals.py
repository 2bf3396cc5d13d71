"""Proposals and options of the assistant that a person only agrees to, or chooses."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from holdfast.core.conversation import Message
from holdfast.learn.keep.proposals import is_lasting_proposal
from holdfast.learn.keep.rule_extractor import learn

NOW = datetime(2026, 11, 19, 10, tzinfo=UTC)
AT_WORK = (("user", "The import is slow, have a look"), ("assistant", "Let me look."), ("assistant", "Reading."))


def answered(proposal: str, answer: str) -> list[tuple[str, str]]:
    """The text and type of what is learned when an agent at work gets an answer."""
    turns = (*AT_WORK, ("assistant", proposal), ("user", answer), ("assistant", "Done."), ("assistant", "Tests pass."))
    messages = [Message(f"m{n}", role, text, NOW) for n, (role, text) in enumerate(turns)]
    return [(learned.text, learned.type) for learned in learn(messages)]


@pytest.mark.parametrize(
    ("proposal", "answer", "line"),
    [
        ("I'll use Postgres for the job queue.", "yes, do that", "Use Postgres for the job queue."),
        ("I'd suggest we keep all dates in UTC.", "ok go", "Keep all dates in UTC."),
        ("Should I use Postgres for the job queue?", "yes", "Use Postgres for the job queue."),
        ("I read it. Shall I always ask before deleting files?", "Yes please!", "Always ask before deleting files."),
        ("I suggest Postgres for the queue. Shall we go with that?", "Yes, let's do that.", "Postgres for the queue."),
        ("I recommend we keep prices in cents. OK?", "ok", "Keep prices in cents."),
        ("Dois-je garder l'ancien format de date ?", "oui", "Garder l'ancien format de date."),
    ],
)
def test_what_a_person_agrees_to_is_a_decision(proposal: str, answer: str, line: str) -> None:
    assert answered(proposal, answer) == [(line, "decision")]


@pytest.mark.parametrize(
    ("proposal", "answer"),
    [
        ("Want me to run the tests?", "yes"),
        ("I'll run the tests now and then commit.", "ok go"),
        ("I found the cause. Shall I fix it?", "yes please"),
        ("The tests fail because of a race. Shall we go with that?", "yes"),
        ("Should I use Postgres or Redis for the job queue?", "yes"),
        ("Should I use Postgres for the job queue?", "no"),
        ("Never say never: say go and I'll always plan it the same way.", "yes, go ahead"),
    ],
)
def test_agreement_to_a_step_or_to_nothing_settles_nothing(proposal: str, answer: str) -> None:
    assert answered(proposal, answer) == []


def test_a_long_report_is_not_agreed_to() -> None:
    report = (
        "The overview page must always have exactly 117 links. " + "It builds. " * 150 + "I'll use Vite for the site."
    )
    assert answered(report, "Yes, do that.") == [("Use Vite for the site.", "decision")]


def test_what_is_added_to_a_yes_follows_what_it_agrees_to() -> None:
    lines = answered("Shall I limit uploads to 20 MB per file?", "Yes please, and log the rejected ones.")
    assert ("Limit uploads to 20 MB per file — Log the rejected ones.", "requirement") in lines


def test_a_chosen_option_is_one_line_after_its_question() -> None:
    chosen = "Own page (Recommended): A new page at /segments that must have full width. The old page always stays."
    offered = f"- Sidebar: Keep the list in the sidebar.\n- {chosen}\n\nThere are two ways. Which?"
    assert answered(offered, chosen) == [
        (
            "There are two ways. Which? — Own page: A new page at /segments that must have full width. "
            "The old page always stays.",
            "decision",
        )
    ]


@pytest.mark.parametrize(
    "question", ["This is a UI task. How would you like to proceed?", "Would you like me to generate mockups?"]
)
def test_an_option_for_the_next_step_is_not_kept(question: str) -> None:
    chosen = "Skip design: Always move the bar without a mockup"
    assert answered(f"- Mockup: Draw it first.\n- {chosen}\n\n{question}", chosen) == []


@pytest.mark.parametrize("text", ["I'd use Redis.", "I recommend tabs.", "Should we keep the date?", "Use tabs."])
def test_a_proposal_of_how_something_is_lasts(text: str) -> None:
    assert is_lasting_proposal(text)


@pytest.mark.parametrize("text", ["I'll rerun it.", "Shall I use it now?", "Tabs, but it's your call.", "Fix it."])
def test_a_proposal_of_a_step_does_not_last(text: str) -> None:
    assert not is_lasting_proposal(text)
