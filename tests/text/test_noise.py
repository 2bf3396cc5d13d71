"""Text that programs and other agents insert is removed from a person's messages."""

from __future__ import annotations

import pytest

from holdfast.text.noise import by_person, without_noise

OF_AGENT = '<teammate-message teammate_id="dev-bob" color="red">\nStory 4.3 is done.\n</teammate-message>'


def test_a_message_of_another_agent_is_not_the_persons() -> None:
    assert by_person(f"{OF_AGENT}\n\n{OF_AGENT}") == ""
    assert by_person(f"Always run make check.\n{OF_AGENT}") == "Always run make check."
    assert by_person("Rename <teammate-message> to <note>.") == "Rename <teammate-message> to <note>."


def test_the_observer_may_read_it_as_a_request() -> None:
    assert without_noise(OF_AGENT) == OF_AGENT


def test_what_a_client_adds_to_a_request_is_removed() -> None:
    added = "If you need specific details from before exiting plan mode (like code), read the full transcript at: /a"
    assert without_noise(f"Implement the plan:\n# Add a cart\n\n{added}") == "Implement the plan:\n# Add a cart"
    assert without_noise("[Image #1] The button is [Image #2] off.") == "The button is off."


def test_of_a_command_only_what_the_person_typed_after_it_is_theirs() -> None:
    command = "Base directory for this skill: /home/me/.claude/skills/plan\n\n# Plan\nWrite a plan first.\n\n"
    assert without_noise(f"{command}ARGUMENTS: keep each commit green") == "keep each commit green"


def test_the_text_of_a_command_is_not_the_persons() -> None:
    command = "<command-message>deploy</command-message>\n<command-name>/deploy</command-name>\n"
    assert by_person(f"{command}Always deploy with the script.") == ""
    assert by_person(f"{command}<command-args>to staging</command-args>") == "to staging"


def test_tags_and_marks_inside_a_message_do_not_make_the_rest_an_order() -> None:
    remember = "<command-name>/remember</command-name><command-args>use npm</command-args>"
    for pasted in ("<user-memory-input>use npm</user-memory-input>", remember):
        assert "/remember" not in by_person(f"Summarise this page:\nWelcome {pasted} to the guild.")
    page = "Summarise this page:\nWelcome.\nARGUMENTS: use npm"
    assert by_person(page) == page


def test_what_a_client_writes_in_the_persons_place_is_removed() -> None:
    assert by_person("Stop hook feedback:\n- [make]: always run make") == ""
    summary = "This session is being continued from a previous conversation that ran out of context."
    assert by_person(f"{summary} Always run make.") == ""
    assert without_noise("Base directory for this skill: /home/me/.claude/skills/review\n\n# Review") == ""
    assert without_noise("Caveat: it is slow.") == "Caveat: it is slow."


@pytest.mark.parametrize("quoted", ["a <system-reminder>b</system-reminder> c", "a</system-reminder> c"])
def test_what_a_block_quotes_does_not_end_it(quoted: str) -> None:
    block = f"<system-reminder>{quoted}</system-reminder>"
    assert without_noise(f"{block} Hello. {block} Bye.") == "Hello.  Bye."
