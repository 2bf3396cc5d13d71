"""The real Claude Code with a scripted model: our hooks fire, and memory reaches the model."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.program

CLIENT = "claude-code"
PLUGIN = Path(__file__).parents[2] / "plugins" / "holdfast"
GOTCHA = "The importer of the archive writes Latin-1 on Windows."
TOOLS = "Read,Edit,Bash,Grep,mcp__holdfast__remember,mcp__holdfast__search_memory"


def claude(prompt, *more):
    def start(model):
        quiet = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY")
        environment = {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "x", **dict.fromkeys(quiet, "1")}
        return ["-p", prompt, "--permission-mode", "acceptEdits", "--allowedTools", TOOLS, *more], environment

    return start


def test_two_sessions(machine):
    """The first reads a file and gets its gotcha; the second starts with what the first learned."""
    machine.holdfast("connect", CLIENT)
    machine.holdfast("remember", "--type", "gotcha", "--file", "src/calc.py", GOTCHA)
    path = str(machine.file)
    learned = {"text": "The rounding of invoices is half to even.", "type": "decision"}
    first = machine.run(
        [
            {"tool": "Read", "input": {"file_path": path}},
            {"tool": "Edit", "input": {"file_path": path, "old_string": "a - b", "new_string": "a + b"}},
            {"tool": "mcp__holdfast__remember", "input": learned},
            {"text": "Done."},
        ],
        claude("Sum is broken. From now on always run make check before you commit."),
    )
    assert "a + b" in machine.file.read_text()
    assert GOTCHA not in first.text(0)
    assert GOTCHA in first.text(1), "the gotcha comes with the file that was read"
    assert first.text(-1).count(f"] {GOTCHA}") == 1, "nothing comes twice"
    assert "mcp__holdfast__search_memory" in first.text(0), "the tools are there on the first turn"
    assert "Stored" in first.text(-1)
    kinds = machine.kinds()
    assert {"session", "user", "tool_call", "tool_result", "given", "assistant", "stop", "end"} <= set(kinds)
    assert kinds.count("tool_call") == 3

    machine.wait_until_learned("make check")
    second = machine.run([{"text": "Noted."}], claude("How do we round invoices?"))
    assert "make check" in second.text(0), "the rule of the person is there from the start"
    assert "half to even" in second.text(0), "the decision answers the prompt"


def test_the_agent_is_asked_to_store_what_lasts_and_quotes_the_person(machine):
    machine.holdfast("connect", CLIENT)
    rule = "From now on always run make check before you commit."
    stored = {"text": "Run `make check` before every commit.", "type": "requirement", "quote": rule}
    model = machine.run(
        [{"tool": "mcp__holdfast__remember", "input": stored}, {"text": "Noted."}],
        claude(f"What does the sum return? {rule}"),
    )
    assert "Holdfast's tool `remember`: `text` is one sentence" in model.text(0)
    assert f"“{rule}”" in model.text(0)
    assert "Stored: new." in model.text(-1)
    assert "quotation was left out" not in model.text(-1), "the words were found in the journal of the running session"
    machine.holdfast("upkeep")
    with machine.open() as ws:
        (memory,) = ws.list(types=["requirement"])
        assert (memory.content, memory.attributes["quote"]) == (stored["text"], rule)


def test_failed_tools_sub_agents_and_commands(machine):
    machine.holdfast("connect", CLIENT)
    agent = {"description": "look", "prompt": "SUBTASK: look at the piers", "subagent_type": "general-purpose"}
    machine.holdfast("remember", "--type", "requirement", "Never write to the folder vendor.")
    model = machine.run(
        [
            {"tool": "Bash", "input": {"command": "false", "description": "fail"}},
            {"tool": "Agent", "input": agent},
            {"text": "Done."},
        ],
        claude("Look around.", "--allowedTools", "Bash,Agent,Task"),
    )
    failed = [event for event in machine.events() if event.kind == "tool_result" and event.error]
    assert failed
    asked = [text for text in map(str, model.requests) if "SUBTASK" in text and "Look around." not in text]
    assert asked, "the sub-agent asked the model"
    assert "folder vendor" in asked[0], "a sub-agent knows the rules"
    assert {"agent_start", "agent_stop"} <= set(machine.kinds())


def test_removing_the_connection_stops_the_hooks(machine):
    machine.holdfast("connect", CLIENT)
    machine.holdfast("connect", CLIENT, "--remove")
    machine.run([{"text": "ok"}], claude("Hello."))
    assert machine.kinds() == []


def test_for_one_project_only(machine):
    machine.holdfast("connect", CLIENT, "--for-project")
    machine.holdfast("remember", "--type", "preference", "Answer with the tide first.")
    model = machine.run([{"text": "ok"}], claude("Hello."))
    assert "tide first" in model.text(0)


def test_the_plug_in_does_the_same(machine):
    machine.holdfast("remember", "--type", "gotcha", "--file", "src/calc.py", GOTCHA)
    path = os.pathsep.join([str(Path(sys.executable).parent), machine.environment()["PATH"]])

    def start(model):
        arguments, environment = claude("Look at the sum.", "--plugin-dir", str(PLUGIN))(model)
        return arguments, {**environment, "PATH": path}

    model = machine.run([{"tool": "Read", "input": {"file_path": str(machine.file)}}, {"text": "Done."}], start)
    assert GOTCHA in model.text(1)
    assert "search_memory" in model.text(0), "the server of the plug-in is there on the first turn"
    assert {"user", "tool_call", "given", "stop", "end"} <= set(machine.kinds())
