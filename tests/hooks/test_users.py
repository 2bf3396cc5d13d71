"""Tests that hooks obey the setting `user`: what a person's agent does is that person's, and nobody else's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from holdfast import InvalidInput
from tests.hooks.conftest import Agent, agent

__all__ = ["agent"]  # The fixture.

As = Callable[[str], None]
_RULE = "From now on the zebrafish queue is always used for mails."


@pytest.fixture(params=["environment", "settings file"])
def as_user(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> As:
    """Sets the user for hooks and workspaces; empty for none."""

    def set_user(name: str) -> None:
        monkeypatch.delenv("HOLDFAST_USER", raising=False)
        if request.param == "environment" and name:
            monkeypatch.setenv("HOLDFAST_USER", name)
        elif request.param == "settings file":
            monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
            file = tmp_path / "config" / "holdfast" / "settings.toml"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f'user = "{name}"\n' if name else "", "utf-8")

    return set_user


def works(agent: Agent, session: str) -> None:
    agent.send("SessionStart", source="startup", session=session)
    agent.send("UserPromptSubmit", prompt=_RULE, session=session)
    args = {"file_path": str(agent.folder / "src/zebrafish.py")}
    agent.send("PostToolUse", tool_name="Edit", tool_input=args, tool_response="ok", session=session)
    agent.send("SessionEnd", session=session)


@contextmanager
def learned(agent: Agent) -> Iterator[list[str]]:
    with agent.open() as ws:
        ws.upkeep("messages")
        ws.consolidate()
        ws.observe()
        yield [memory.content for memory in ws.list(limit=100)]


def test_what_a_persons_agent_does_is_that_persons_alone(agent: Agent, as_user: As) -> None:
    for name in ("ada", "bob"):
        as_user(name)
        agent.open().close()
    as_user("ada")
    with agent.open() as ws:
        ws.remember("Ada's rule: the zebrafish queue has two consumers.", type="requirement")
    works(agent, "sa")
    for name in ("bob", ""):
        as_user(name)
        with learned(agent) as known:
            assert not [text for text in known if "zebrafish" in text]
        given = agent.context("SessionStart", source="startup", session=f"s{name}")
        given += agent.context("UserPromptSubmit", prompt="Which queue has two consumers?", session=f"s{name}")
        assert "zebrafish" not in given
    as_user("ada")
    with learned(agent) as known:
        assert [text for text in known if "always used for mails" in text]
    with agent.open() as ws, pytest.raises(InvalidInput, match="have no MEMORY"):
        ws.sync_memory()
    assert "two consumers" in agent.context("SessionStart", source="startup", session="sa2")
    assert not (agent.folder / ".holdfast" / "memory" / "MEMORY.md").exists()
    assert not agent.failures()


def test_a_person_whom_the_store_does_not_know_is_given_and_leaves_nothing(agent: Agent, as_user: As) -> None:
    with agent.open() as ws:
        ws.remember("The zebrafish queue has two consumers.", type="requirement")
    as_user("eve")
    works(agent, "se")
    assert agent.context("SessionStart", source="startup", session="s2") == ""
    as_user("")
    with learned(agent) as known:
        assert not [text for text in known if "always used" in text]
