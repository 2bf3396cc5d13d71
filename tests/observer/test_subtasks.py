"""A long build: what its tasks show is learned after each of them."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.agents.plans import completes_subtask
from holdfast.interfaces.hooks import hook_main as main
from tests.hooks.conftest import Agent, agent

__all__ = ["agent"]  # The fixture.

_SAID = "The real issue is that `Cart.total` counts cents."


def _plan(*statuses: str) -> dict[str, Any]:
    return {"todos": [{"content": f"task {n}", "status": status} for n, status in enumerate(statuses)]}


@pytest.mark.parametrize(
    ("tool", "args", "completes"),
    [
        ("TodoWrite", _plan("completed", *["pending"] * 5), True),
        ("TodoWrite", _plan("completed", *["pending"] * 4), False),
        ("TodoWrite", _plan(*["pending"] * 6), False),
        ("TaskUpdate", {"taskId": "6", "status": "completed"}, True),
        ("TaskUpdate", {"taskId": "2", "status": "completed"}, False),
        ("TaskUpdate", {"taskId": "x", "status": "completed"}, False),
        ("update_plan", {"plan": [{"step": str(n), "status": "done"} for n in range(6)]}, True),
        ("Read", {"file_path": "a.py"}, False),
    ],
)
def test_a_task_of_a_long_plan_is_completed(tool: str, args: dict[str, Any], completes: bool) -> None:
    assert completes_subtask(tool, args) is completes


def _observe(agent: Agent) -> dict[str, Any]:
    with agent.open() as ws:
        return dict(ws.upkeep("observe")["observe"])


def _kinds(agent: Agent) -> list[str]:
    with agent.open() as ws:
        return sorted(memory.type for memory in ws.list(limit=100))


def test_what_a_task_showed_is_learned_while_the_session_goes_on(agent: Agent, monkeypatch: Any) -> None:
    woken: list[str] = []
    monkeypatch.setattr(main, "_start_background", lambda folder, patience: woken.append(folder))
    monkeypatch.setenv("HOLDFAST_BACKGROUND", "true")
    agent.send("SessionStart")
    agent.send("UserPromptSubmit", prompt="build the shop in six steps")
    del woken[:]
    edit = {"file_path": str(agent.folder / "src/cart.py"), "old_string": "a", "new_string": "b"}
    agent.send("PostToolUse", tool_name="Edit", tool_input=edit, tool_use_id="t1", tool_response="ok")
    agent.send("Stop", last_assistant_message=_SAID)
    assert _observe(agent)["observed"] == 0
    assert not woken
    done = _plan("completed", *["pending"] * 5)
    agent.send("PostToolUse", tool_name="TodoWrite", tool_input=done, tool_use_id="t2", tool_response="ok")
    assert woken == [str(agent.folder)]
    assert _observe(agent) == {"observed": 1, "kept": 1, "removed": 0}
    # The state of the work waits for the end of the session.
    assert _kinds(agent) == ["gotcha"]
    assert _observe(agent)["observed"] == 0
    agent.send("SessionEnd")
    assert _observe(agent)["kept"] == 1
    assert _kinds(agent) == ["gotcha", "work_state"]


def test_a_unit_of_work_that_succeeded_is_learned_from(agent: Agent) -> None:
    agent.send("SessionStart")
    agent.send("UserPromptSubmit", prompt="build the shop")
    edit = {"file_path": str(agent.folder / "src/cart.py"), "old_string": "a", "new_string": "b"}
    agent.send("PostToolUse", tool_name="Edit", tool_input=edit, tool_use_id="t1", tool_response="ok")
    agent.send("Stop", last_assistant_message=_SAID)
    with agent.open() as ws:
        ws.record_outcome(False, {"spec": "042"}, session="s1")
        assert not ws.list(types=["gotcha"])
        ws.record_outcome(True, {"spec": "042"}, session="s1")
        assert [memory.content for memory in ws.list(types=["gotcha"])] == ["`Cart.total` counts cents."]
        ws.record_outcome(True, {"spec": "043"}, session="unknown")
