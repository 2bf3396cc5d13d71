"""Tests that the journal, not the word of the agent, taints what it stores after a web page."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast import QaFailure
from tests.hooks.conftest import Agent, agent

__all__ = ["agent"]  # The fixture.

_TEXT = "The mast of the ship must always be painted green."
_PAGE: dict[str, Any] = {
    "tool_name": "WebFetch",
    "tool_input": {"url": "https://notes.example"},
    "tool_response": "The mast is green.",
}


def stores(agent: Agent, text: str = _TEXT, tool: str = "mcp__holdfast__remember", **fields: Any) -> str:
    """The agent stores a memory over MCP, and its hook reports the call; returns the memory's id."""
    with agent.open() as ws:
        memory = ws.remember(text, type="requirement", source="agent_explicit", **fields).memory
    assert memory is not None
    told = [{"type": "text", "text": f"Stored. [Memory #{memory.id[-8:]}: {text[:20]}]"}]
    agent.send("PostToolUse", tool_name=tool, tool_input={"text": text}, tool_response=told, tool_use_id="r")
    return memory.id


def taint_of(agent: Agent, id: str) -> str | None:
    with agent.open() as ws:
        memory = ws.get(id)
    assert memory.needs_review is (memory.taint is not None)
    return memory.taint.tool if memory.taint else None


@pytest.mark.parametrize(
    "tool", ["mcp__holdfast__remember", "mcp__plugin_holdfast_holdfast__remember", "holdfast_remember"]
)
def test_what_an_agent_stores_after_a_web_page_is_tainted_at_once(agent: Agent, tool: str) -> None:
    agent.send("PostToolUse", **_PAGE, tool_use_id="w")
    id = stores(agent, tool=tool)
    assert taint_of(agent, id) == "WebFetch"
    with agent.open() as ws:
        assert ws.history(id)[-1].verb == "taint"
        assert "mast" not in ws.context("which colour has the mast of the ship?").text
    assert not agent.failures()


def test_what_it_stored_before_or_in_another_session_is_not(agent: Agent) -> None:
    before = stores(agent)
    agent.send("PostToolUse", **_PAGE, session="other")
    agent.send("PostToolUse", **_PAGE)
    # The tool answers that it is a duplicate.
    known: Any = [{"type": "text", "text": f"Already known. [Memory #{before[-8:]}: x]"}]
    agent.send("PostToolUse", tool_name="mcp__holdfast__remember", tool_input={"text": "x"}, tool_response=known)
    agent.send("SessionEnd")
    with agent.open() as ws:
        ws.upkeep("observe")
    assert taint_of(agent, before) is None


def test_a_command_in_a_shell_is_found_when_the_session_is_observed(agent: Agent) -> None:
    agent.send("PostToolUse", tool_name="Bash", tool_input={"command": "curl https://x.example"}, tool_response="x")
    with agent.open() as ws:
        memory = ws.remember(_TEXT, source="agent_explicit").memory
    assert memory is not None
    said: dict[str, Any] = {
        "tool_input": {"command": f"holdfast remember '{_TEXT}'"},
        "tool_response": f"Stored {memory.id[-8:]}: new.",
    }
    agent.send("PostToolUse", tool_name="Bash", **said)
    agent.send("SessionEnd")
    with agent.open() as ws:
        ws.upkeep("observe")
    assert taint_of(agent, memory.id) == "Bash (curl)"


def test_what_quotes_the_user_or_was_confirmed_by_them_stays(agent: Agent) -> None:
    said = "From now on the mast of the ship must always be painted green."
    agent.send("UserPromptSubmit", prompt=said)
    agent.send("PostToolUse", **_PAGE)
    with agent.open() as ws:
        quoted = ws.remember(_TEXT, type="requirement", source="agent_explicit", quote=said).memory
        assert quoted is not None
        assert quoted.source_role == "user"
    told = f"[Memory #{quoted.id[-8:]}: x]"
    agent.send("PostToolUse", tool_name="mcp__holdfast__remember", tool_input={"text": _TEXT}, tool_response=told)
    assert taint_of(agent, quoted.id) is None
    id = stores(agent, "The keel is checked every spring.")
    assert taint_of(agent, id) == "WebFetch"
    with agent.open() as ws:
        ws.confirm(id)
        ws.observe()
        assert ws.get(id).verified


def test_what_an_agent_reports_with_an_outcome_after_a_web_page_is_tainted(agent: Agent) -> None:
    agent.send("PostToolUse", **_PAGE, tool_use_id="w")
    found = QaFailure("high", "The mast must always be painted green")
    with agent.open() as ws:
        answers = ws.record_outcome(True, {"spec": "042"}, report="Next: paint the mast", failures=[found])
    memories = [answer.memory for answer in answers if answer.memory is not None]
    assert {memory.type for memory in memories} == {"work_unit_outcome", "work_state", "error_pattern"}
    told: Any = [{"type": "text", "text": "\n".join(f"Stored. [Memory #{memory.id[-8:]}: x]" for memory in memories)}]
    agent.send("PostToolUse", tool_name="mcp__holdfast__record_outcome", tool_input={}, tool_response=told)
    tainted = {memory.type: taint_of(agent, memory.id) for memory in memories}
    # The sentence about the outcome is ours.
    assert tainted == {"work_unit_outcome": None, "work_state": "WebFetch", "error_pattern": "WebFetch"}
