"""Learned lines that can be understood without their conversation."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from holdfast.core.conversation import Message
from holdfast.learn.keep.kept_statements import KeptStatement
from holdfast.learn.keep.self_contained import self_contained, without_lead_in
from holdfast.learn.keep.turns import split_into_turns
from holdfast.text.days import dated

NOW = datetime(2026, 11, 16, 10, tzinfo=UTC)


def line(*said: str, place: int = 0) -> str:
    """The line of a sentence of the last message, given by its place; lines begin with `user:` or `assistant:`."""
    parts = [turn.split(": ", 1) for turn in said]
    messages = [Message(f"m{n}", role, text, NOW) for n, (role, text) in enumerate(parts)]
    turn = split_into_turns(messages)[-1]
    before = messages[-2].text if len(messages) > 1 else ""
    return self_contained(KeptStatement(turn.sentences[place].text, turn.message, turn, "r", 0.9, place, before))


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("No, the upload limit is 25 MB, not 20 MB.", "The upload limit is 25 MB, not 20 MB."),
        ("By the way, I live in Lyon now.", "I live in Lyon now."),
        ("Remember that the staging database is read-only.", "The staging database is read-only."),
        ("And please write commit messages in English.", "Write commit messages in English."),
        ("ok, use tabs", "Use tabs"),
        ("One change to what we settled: replies go out within a day.", "Replies go out within a day."),
        ("Quick update: the demo is on Monday.", "The demo is on Monday."),
        ("A change of schedule needs two approvals.", "A change of schedule needs two approvals."),
        ("No merges on Fridays.", "No merges on Fridays."),
        ("Right to left scripts are not supported.", "Right to left scripts are not supported."),
        ("also retry_count defaults to 3", "retry_count defaults to 3"),
        ("Retiens que la base est en lecture seule.", "La base est en lecture seule."),
        ("Non, la limite est de 25 Mo.", "La limite est de 25 Mo."),
        ("Yes.", "Yes."),
    ],
)
def test_words_that_only_open_a_sentence_are_left_out(text: str, bare: str) -> None:
    assert without_lead_in(text) == bare


def test_an_answer_names_what_was_asked() -> None:
    asked = "assistant: The export is ready. Which separator should the CSV export use?"
    answer = "user: semicolon, because our customers open it in French Excel"
    assert line(asked, answer) == (
        "Which separator should the CSV export use? — Semicolon, because our customers open it in French Excel"
    )
    assert line("assistant: Quel séparateur pour l'export CSV ?", "user: Point-virgule.") == (
        "Quel séparateur pour l'export CSV? — Point-virgule."
    )


def test_other_questions_are_repeated_before_the_answer() -> None:
    asked = "assistant: Should ties be rounded up or down?"
    assert line(asked, "user: Down.") == "Should ties be rounded up or down? — Down."


def test_a_pronoun_takes_the_sentence_before() -> None:
    assert line("user: The old router died in May. I bought it for 90 euros.", place=1) == (
        "The old router died in May. — I bought it for 90 euros."
    )


@pytest.mark.parametrize(
    ("before", "text"),
    [
        (
            "I finally saw a northern shrike on Sunday.",
            "I had been wanting to see one for years, ever since my first walk.",
        ),
        (
            "The remote has two scroll buttons.",
            "If you press select, they become channel changing buttons for the television.",
        ),
        (
            "We asked parents about smacking.",
            "We have a figure for that for the first time, which is 12 per cent in all regions.",
        ),
    ],
)
def test_a_pronoun_before_its_noun_takes_the_sentence_before(before: str, text: str) -> None:
    assert line(f"user: {before} {text}", place=1) == f"{before} — {text}"


def test_a_pronoun_after_its_noun_needs_nothing() -> None:
    text = "I bought a new area rug for my living room a month ago, and it brought the whole room together."
    assert line(f"user: Nice weather today in Lyon. {text}", place=1) == text


@pytest.mark.parametrize(
    "text",
    ["They must never appear in the merged output of the job.", "That's for the whole team.", "We have two paths:"],
)
def test_a_sentence_about_something_unknown_gives_no_line(text: str) -> None:
    assert line(f"user: {text}") == ""


def test_a_verb_without_a_subject_takes_the_sentence_before() -> None:
    said = "user: I want a flag that hides the banner of the dashboard. Must be off by default."
    assert line(said, place=1) == "I want a flag that hides the banner of the dashboard. — Must be off by default."


def test_a_rule_takes_no_name_that_the_conversation_mentions() -> None:
    said = "assistant: I changed `discounts.py` and `orders.py`."
    assert line(said, "user: Always apply the percentage first.") == "Always apply the percentage first."


def test_words_that_only_address_somebody_are_no_subject() -> None:
    said = "user: Madam Chair, I thank the member for the good question. They were designed for military use only."
    assert not line(said, place=1).startswith("Madam Chair, I —")


def test_a_chosen_letter_is_written_out_in_a_longer_sentence() -> None:
    offered = "assistant: Which layout do you prefer?\n\nA. A flat key\nB. A nested object"
    assert line(offered, "user: I think B, nested in the strategy options, leaves us space to customise later.") == (
        "A nested object — I think B, nested in the strategy options, leaves us space to customise later."
    )


def test_a_sentence_about_nothing_known_gives_no_line() -> None:
    assert line("user: Do that instead.") == ""


def test_a_sentence_that_stands_alone_stays_alone() -> None:
    asked = "assistant: Should I open a pull request?"
    assert line(asked, "user: Never push directly to the release branch without a review.") == (
        "Never push directly to the release branch without a review."
    )


def test_the_sentence_that_names_a_thing_is_found_over_others_about_it() -> None:
    said = "user: My new backpack is comfortable and light. I carry it to the office every day. I bought it from Fjord."
    assert line(said, place=2) == "My new backpack is comfortable and light. — I bought it from Fjord."


def test_a_question_about_something_unnamed_is_no_context() -> None:
    asked = "assistant: Both variants work. Should I do that for both?"
    assert line(asked, "user: General purpose for future sessions.") == ""


@pytest.mark.parametrize(
    ("offered", "answer", "expected"),
    [
        (
            "**A) Skip it**\n- **C) Add a `--force` flag** to regenerate\nThoughts?",
            "C)",
            "Add a `--force` flag to regenerate",
        ),
        (
            "| **A. Post-commit** | Generate after each commit. |\n| **B. On demand** | Generate when viewed. |\n"
            "Which timing should it have?",
            "A.",
            "Post-commit: Generate after each commit",
        ),
        (
            "1. Ship on Monday\n2. Ship on Friday\nWhich plan do you prefer?",
            "let's go with #2 please",
            "Ship on Friday — Let's go with #2 please",
        ),
        ("1. Redis\n2. Postgres\n3. Both", "let's go with #1 and #2", "Redis / Postgres — Let's go with #1 and #2"),
    ],
)
def test_a_chosen_option_is_named(offered: str, answer: str, expected: str) -> None:
    assert line(f"assistant: {offered}", f"user: {answer}") == expected


def test_an_option_that_nobody_offered_gives_no_line() -> None:
    assert line("assistant: Done.", "user: Let's go with #4 and #5 please.") == ""


def test_words_without_a_verb_give_no_line_after_something_was_said() -> None:
    assert line("assistant: Done.", "user: Natural home for the session logic") == ""
    assert line("user: Karim reprend l'astreinte en juin.") == "Karim reprend l'astreinte en juin."


def test_a_sentence_of_another_paragraph_is_no_context() -> None:
    said = "user: Friction should capture all problems of the session.\n\nB) it is rendered on the way out"
    assert line(said, place=1) == ""


@pytest.mark.parametrize(
    "text",
    [
        "I think we should take a look at this.",
        "We want to collect data and the following things have happened.",
        "The compliance team signed off on exactly that wording.",
    ],
)
def test_a_fragment_and_a_pointer_give_no_line(text: str) -> None:
    assert line(f"user: {text}") == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Support those institutions who recruit more students.",
            "Support those institutions who recruit more students.",
        ),
        ("Use the word only on this page.", "Use the word only on this page."),
        ("Add a flag --all or something like that.", "Add a flag --all or something like that."),
        ("the first part is not correct, we use git hooks for manual commits", "We use git hooks for manual commits"),
        ("Turns out the proxy strips the header.", "The proxy strips the header."),
        ("**Never** push on Fridays: .", "Never push on Fridays."),
        (
            "That's the policy for the next run — support is retiring the credit macro on Monday.",
            "Support is retiring the credit macro on Monday.",
        ),
    ],
)
def test_a_line_that_can_be_understood_is_kept(text: str, expected: str) -> None:
    assert line(f"user: {text}") == expected


def test_a_last_clause_about_something_unnamed_is_left_out() -> None:
    assert line("user: I traded the Yaris in for a Skoda, so forget those tyres.") == (
        "I traded the Yaris in for a Skoda."
    )


@pytest.mark.parametrize(
    ("text", "with_date"),
    [
        ("I saw the dentist yesterday.", "I saw the dentist yesterday (2026-11-15)."),
        ("The demo is next Tuesday at noon.", "The demo is next Tuesday (2026-11-24) at noon."),
        ("J'ai vu le dentiste hier.", "J'ai vu le dentiste hier (2026-11-15)."),
        ("The tiles arrived three days ago.", "The tiles arrived three days ago (2026-11-13)."),
        ("Last Friday the boiler broke.", "Last Friday (2026-11-13) the boiler broke."),
        ("We deploy on Fridays.", "We deploy on Fridays."),
        ("Show today's date in the header.", "Show today's date in the header."),
    ],
)
def test_a_day_that_only_the_message_explains_gets_its_date(text: str, with_date: str) -> None:
    assert dated(text, NOW) == with_date


def test_a_proposal_of_the_assistant_is_marked_as_such() -> None:
    proposed = "assistant: I'll drop any hashtag that is entirely digits."
    assert line(proposed, "user: No, not years.") == (
        "Proposed: I'll drop any hashtag that is entirely digits. — Not years."
    )
    assert line("assistant: Je vais arrondir les totaux.", "user: Non, pas les taxes.") == (
        "Proposition : Je vais arrondir les totaux. — Pas les taxes."
    )
