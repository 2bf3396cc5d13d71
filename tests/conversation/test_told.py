"""Standing orders to an assistant, what it was told to remember, and names that people want to be called by."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from holdfast.core.conversation import Learned, Message
from holdfast.learn.keep.rule_extractor import learn
from holdfast.learn.keep.sentences import sentences
from holdfast.learn.keep.told import is_standing_order, to_remember
from holdfast.text.noise import by_person

NOW = datetime(2026, 11, 19, 10, tzinfo=UTC)
# An agent at work: nearly all that is said to it is about one task.
BEFORE = (
    ("user", "Fix the failing test in parser.py"),
    *(("assistant", text) for text in ("Let me look.", "I found it: an off-by-one.", "Fixed. All tests pass.")),
)
AFTER = (*(("assistant", text) for text in ("Understood.", "Done.")), ("user", "now run it"), ("assistant", "Running."))


def told_an_agent(text: str) -> tuple[Learned, ...]:
    turns = (*BEFORE, ("user", text), *AFTER)
    return learn([Message(f"m{n}", role, said, NOW) for n, (role, said) in enumerate(turns)])


@pytest.mark.parametrize(
    "text",
    [
        "From now on always run make check",
        "never push to main again",
        "don't ever touch the .env file",
        "whenever you change the schema, regenerate the client",
        "before every commit, run the formatter",
        "toujours lancer les tests avant de pousser",
        "ne pousse plus jamais sur main",
        "From now on use pnpm",
        "From now on use pnpm, not npm.",
        "à partir de maintenant, utilise pnpm",
        "Désormais, lance les tests avec pytest -n 2.",
        "from now on, please answer in French",
        "Just run the linter directly going forward.",
        "Always run make lint before you push.",
        "Never commit directly to main.",
    ],
)
def test_a_standing_order_to_an_agent_is_a_rule(text: str) -> None:
    (rule,) = told_an_agent(text)
    assert (rule.text.lower(), rule.type) == (text.lower(), "requirement")


@pytest.mark.parametrize(
    "text",
    ["From now on it gets harder", "What happens from now on?", "The tests pass going forward", "use pnpm this time"],
)
def test_words_for_from_now_on_are_no_order_by_themselves(text: str) -> None:
    assert not is_standing_order(text)
    assert told_an_agent(text) == ()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("/remember the staging database is read-only", "The staging database is read-only"),
        ("# use pnpm for all installs", "Use pnpm for all installs"),
        ("remember that the staging database is read-only", "The staging database is read-only"),
        ("Never forget that the API is versioned by date", "The API is versioned by date"),
        ("add to memory: CI runs on Jenkins", "CI runs on Jenkins"),
        ("N'oublie pas que la base est en lecture seule", "La base est en lecture seule"),
    ],
)
def test_an_agent_is_told_what_to_remember(text: str, line: str) -> None:
    assert [learned.text for learned in told_an_agent(text)] == [line]


@pytest.mark.parametrize("text", ["remember that time in Rome", "Do you remember that rule?", "remember to push it"])
def test_a_reminder_is_no_order_to_remember(text: str) -> None:
    assert not to_remember(text)


def test_the_heading_of_a_page_is_no_order_to_remember() -> None:
    assert sentences("# Plan") == ()
    assert [s.text for s in sentences("# The plan for next week\n\nShip it.")] == ["Ship it."]


@pytest.mark.parametrize(
    "text",
    [
        "<user-memory-input>use pnpm</user-memory-input>",
        "<command-name>/remember</command-name><command-message>…</command-message>\n"
        "<command-args>use pnpm</command-args>",
    ],
)
def test_what_a_client_was_told_to_remember_follows_the_command(text: str) -> None:
    assert by_person(text) == "/remember use pnpm"


def test_a_command_of_another_name_tells_nothing_to_remember() -> None:
    assert by_person("<command-name>/fix</command-name><command-args>the left oar</command-args>") == "the left oar"


@pytest.mark.parametrize("text", ["Please call me Sam", "Appelle-moi Sam"])
def test_the_name_of_a_person_is_their_preference(text: str) -> None:
    (name,) = told_an_agent(text)
    assert (name.type, name.subject) == ("preference", "user")
    assert told_an_agent("call me when it is done") == ()


@pytest.mark.parametrize(
    ("text", "type"),
    [
        ("Don't forget that Claire is allergic to nuts.", "fact"),
        ("Keep in mind that the demo is on Thursday.", "fact"),
        ("Remember this: server 3 must have 16 GB of RAM.", "requirement"),
    ],
)
def test_the_words_after_an_order_to_remember_say_whether_it_is_a_rule(text: str, type: str) -> None:
    assert [learned.type for learned in told_an_agent(text)] == [type]
