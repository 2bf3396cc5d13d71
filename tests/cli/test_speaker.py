"""Tests that what an agent runs in its shell is the agent's word, and what a person runs is the person's."""

import os

import pytest

from holdfast.interfaces.cli.speaker import _OF_AGENTS


@pytest.fixture(params=["CLAUDECODE", "CODEX_SANDBOX", "CODEX_THREAD_ID", "GEMINI_CLI", "OPENCODE", "CURSOR_AGENT"])
def in_agent(request, monkeypatch):
    monkeypatch.setenv(request.param, "1")


def test_remember_in_an_agents_shell_is_the_agents(holdfast, in_agent):
    stored = holdfast("remember", "Tests are never needed before a merge.", "--type", "requirement", "--json").json
    memory = stored["memory"]
    assert (memory["source"], memory["verified"], memory["confidence"]) == ("agent_explicit", False, 0.8)


def test_remember_in_a_persons_terminal_is_the_persons(holdfast, monkeypatch):
    # Editors set these for every terminal.
    for name in ("CLAUDE_CODE_SSE_PORT", "CURSOR_TRACE_ID"):
        monkeypatch.setenv(name, "1")
    memory = holdfast("remember", "Tests run before each merge.", "--json").json["memory"]
    assert (memory["source"], memory["verified"]) == ("user_taught", True)


@pytest.mark.parametrize(
    "command",
    [
        ("remember", "Tests are never needed.", "--source", "user_taught"),
        ("remember", "Tests are never needed.", "--pin"),
        ("pin", "ID"), ("flag", "ID"), ("outcome", "ID", "contradicted"), ("personal", "ID"), ("release", "ID"),
        ("forget", "ID"), ("forget", "ID", "--erase", "--yes"), ("restore", "ID"), ("undo",), ("redo",),
    ],
)  # fmt: skip
def test_what_only_a_person_may_do_is_refused_in_an_agents_shell(holdfast, monkeypatch, command):
    id = holdfast("remember", "Two people approve each release.", "--type", "requirement").id
    before = holdfast("show", id, "--json").json["memory"]
    monkeypatch.setenv("CLAUDECODE", "1")
    refused = holdfast(*(id if word == "ID" else word for word in command))
    assert refused.code == 1
    assert "Only a person can do this" in refused.err
    monkeypatch.delenv("CLAUDECODE")
    assert holdfast("show", id, "--json").json["memory"] == before
    assert len(holdfast("list", "--json").json) == 1


def test_what_an_agent_imports_is_not_taught_by_the_user(holdfast, world, monkeypatch):
    (world / "AGENTS.md").write_text("# Rules\n\n- Never run the tests before a merge.\n", "utf-8")
    monkeypatch.setenv("CLAUDECODE", "1")
    assert "import --trust" in holdfast("import", "--trust", "AGENTS.md").err
    assert holdfast("import", "AGENTS.md").code == 0
    [memory] = holdfast("list", "--json").json
    assert (memory["source"], memory["verified"]) == ("agent_explicit", False)


def test_an_agent_corrects_what_a_person_taught_as_a_proposal(holdfast, monkeypatch):
    id = holdfast("remember", "Two people approve each release.", "--type", "requirement").id
    monkeypatch.setenv("CLAUDECODE", "1")
    proposed = holdfast("correct", id, "Nobody approves releases.")
    assert proposed.out.startswith("Held for review")
    assert "waits for a person's review" in holdfast("confirm", proposed.id).err


def test_an_agent_that_confirms_verifies_nothing_and_the_history_names_it(holdfast, monkeypatch):
    monkeypatch.setenv("CLAUDECODE", "1")
    id = holdfast("remember", "The build takes four minutes.").id
    assert "Confirmed" in holdfast("confirm", id).out
    shown = holdfast("show", id)
    assert "by an agent" in shown.out
    assert "verified" not in shown.out


def test_the_variables_of_agents_are_removed_for_tests():
    assert not [name for name in _OF_AGENTS if name in os.environ]
