"""The MCP tool `get_session_context` where hooks are connected."""

from __future__ import annotations

from holdfast.core.memory_types import TypeRegistry
from holdfast.interfaces.mcp.tools import tools
from tests.hooks.conftest import Agent

RULE = "Never commit directly to main."


def context(agent: Agent) -> str:
    [tool] = [tool for tool in tools(TypeRegistry()) if tool.name == "get_session_context"]
    with agent.open() as ws:
        return tool.run(lambda: ws, {"task": "commit the fix of the parser"}).text


def test_it_repeats_nothing_that_hooks_gave_to_the_running_session(agent: Agent) -> None:
    with agent.open() as ws:
        ws.remember(RULE)
    assert RULE in context(agent)
    assert RULE in agent.context("SessionStart", source="startup")
    assert RULE not in context(agent)


def test_two_agents_at_work_are_told_everything(agent: Agent) -> None:
    with agent.open() as ws:
        ws.remember(RULE)
    agent.context("SessionStart", source="startup")
    agent.send("SessionStart", session="other", source="startup")
    assert RULE in context(agent)
