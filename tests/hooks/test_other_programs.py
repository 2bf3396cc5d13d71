"""Hooks of the programs whose input or answer differs from Claude Code's, as their documentation describes them."""

from __future__ import annotations

import json

import pytest

from holdfast.agents import event as kinds
from holdfast.agents.programs.cursor import OUR_TOOLS
from holdfast.agents.untrusted_tools import is_own, is_untrusted
from holdfast.core.memory_types import TypeRegistry
from holdfast.interfaces.mcp.tools import tools

_GOTCHA = "Never edit src/app.py by hand: it is written by the generator."
_PREFERENCE = "The user prefers answers in British English."


@pytest.fixture
def taught(agent):
    with agent.open() as ws:
        ws.remember(_GOTCHA, type="gotcha", files=["src/app.py"])
        ws.remember(_PREFERENCE, type="preference")
    return agent


def said(agent, client, event, payload):
    return agent.raw(json.dumps(payload).encode(), client, event).strip()


def cursor(agent, event, **values):
    payload = {"conversation_id": "c1", "workspace_roots": [str(agent.folder)], "hook_event_name": event, **values}
    return json.loads(said(agent, "cursor", event, payload))


def test_cursor_gets_context_at_the_start_and_after_a_tool_only(taught):
    assert "British" in cursor(taught, "sessionStart")["additional_context"]
    assert cursor(taught, "beforeSubmitPrompt", prompt="From now on we deploy on Tuesdays only.") == {}
    given = [event.tool for event in taught.events("c1", "cursor") if event.kind in (kinds.GIVEN, kinds.ASKED)]
    assert given == ["start"]


def test_cursor_brings_the_gotcha_of_a_file_once(taught):
    cursor(taught, "beforeSubmitPrompt", prompt="hello")
    call = {"tool_name": "Read", "tool_input": {"file_path": str(taught.folder / "src/app.py")}, "tool_output": "x = 1"}
    assert "generator" in cursor(taught, "postToolUse", **call)["additional_context"]
    assert cursor(taught, "postToolUse", **call) == {}
    results = [event.text for event in taught.events("c1", "cursor") if event.kind == kinds.TOOL_RESULT]
    assert results == ["x = 1", "x = 1"]


def test_cursor_says_what_failed_and_what_was_answered(agent):
    cursor(agent, "postToolUse", tool_name="Shell", tool_input={"command": "make"}, error_message="no rule")
    cursor(agent, "afterAgentResponse", text="I cannot build it.")
    events = agent.events("c1", "cursor")
    assert [(e.text, e.error) for e in events if e.kind == kinds.TOOL_RESULT] == [("no rule", True)]
    assert [e.text for e in events if e.kind == kinds.ASSISTANT] == ["I cannot build it."]


def test_cursor_tools_of_servers_are_those_of_strangers_except_ours(agent):
    for name in ("list_issues", "remember"):
        cursor(agent, "postToolUse", tool_name=f"MCP:{name}", tool_input={}, tool_output="")
    first, second = (event.tool for event in agent.events("c1", "cursor") if event.kind == kinds.TOOL_CALL)
    assert is_untrusted(first)
    assert is_own(second)
    assert {tool.name for tool in tools(TypeRegistry())} == OUR_TOOLS


def copilot(agent, event, **values):
    text = said(agent, "copilot", event, {"sessionId": "p1", "timestamp": 1, "cwd": str(agent.folder), **values})
    return json.loads(text) if text else {}


def test_copilot_reads_camel_case_and_answers_flat(taught):
    assert "British" in copilot(taught, "sessionStart", source="startup")["additionalContext"]
    request = copilot(taught, "userPromptSubmitted", prompt="From now on we deploy on Tuesdays only.")
    assert "Tuesdays" in request["additionalContext"]
    copilot(taught, "agentStop", transcriptPath="/nowhere", stopReason="end_turn")
    copilot(taught, "sessionEnd", reason="complete")
    ends = [event.kind for event in taught.events("p1", "copilot")]
    assert ends[0] == kinds.SESSION
    assert ends[-2:] == [kinds.STOP, kinds.END]


def test_copilot_results_and_tools_of_servers(agent):
    result = {"resultType": "failure", "textResultForLlm": "denied"}
    copilot(agent, "postToolUse", toolName="github-list_issues", toolArgs={"repo": "x"}, toolResult=result)
    copilot(agent, "postToolUse", toolName="holdfast-remember", toolArgs={"text": "x"}, toolResult={})
    calls = [event for event in agent.events("p1", "copilot") if event.kind == kinds.TOOL_CALL]
    assert is_untrusted(calls[0].tool)
    assert calls[0].args == {"repo": "x"}
    assert is_own(calls[1].tool)
    failed = next(event for event in agent.events("p1", "copilot") if event.kind == kinds.TOOL_RESULT)
    assert (failed.text, failed.error) == ("denied", True)


def test_copilot_hooks_in_vscode_are_answered_in_its_form(taught):
    """VS Code reads the same file of hooks, and sends its own fields."""
    payload = {"hookEventName": "SessionStart", "sessionId": "v1", "cwd": str(taught.folder), "source": "new"}
    answer = json.loads(said(taught, "copilot", "sessionStart", payload))
    assert answer["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert "British" in answer["hookSpecificOutput"]["additionalContext"]


def test_windsurf_records_and_gives_nothing(taught, monkeypatch):
    monkeypatch.chdir(taught.folder)

    def windsurf(event, **about):
        payload = {"agent_action_name": event, "trajectory_id": "w1", "execution_id": "e", "tool_info": about}
        assert said(taught, "windsurf", event, payload) == ""

    windsurf("pre_user_prompt", user_prompt="From now on we deploy on Tuesdays only.")
    windsurf("post_read_code", file_path=str(taught.folder / "src/app.py"))
    windsurf("post_write_code", file_path="src/app.py", edits=[{"old_string": "a", "new_string": "b"}])
    windsurf("post_run_command", command_line="make", cwd=str(taught.folder))
    windsurf(
        "post_mcp_tool_use", mcp_server_name="github", mcp_tool_name="list", mcp_tool_arguments={"a": 1}, mcp_result="r"
    )
    windsurf("post_cascade_response", response="Done.")
    events = taught.events("w1", "windsurf")
    assert not [event for event in events if event.kind in (kinds.GIVEN, kinds.ASKED)]
    calls = [event for event in events if event.kind == kinds.TOOL_CALL]
    assert [call.tool for call in calls] == ["read", "edit", "run_command", "mcp__github__list"]
    assert calls[2].args["command"] == "make"
    assert calls[3].args == {"a": 1}
    assert [event.text for event in events if event.kind == kinds.ASSISTANT] == ["Done."]
    assert taught.failures() == []
