"""The real Claude Code and Codex as language model: they answer without tools, hooks and sessions of their own."""

from __future__ import annotations

import json

import pytest

from tests.agents.conftest import BIN, Machine
from tests.agents.scripted_model import scripted_model
from tests.agents.test_codex import CONFIG
from tests.clients import missing

pytestmark = pytest.mark.program

SAID = "PDFs only, because nobody opens the other things anyway"
LEARNED = "Reports are exported as PDF only, because nobody opens the other formats."
ANSWER = json.dumps(
    {
        "history_entry": "The user chose the format of reports.",
        "facts": [{"text": LEARNED, "type": "decision", "evidence": [2], "replaces": []}],
    }
)


def environment_of(client, machine, model):
    if client == "claude":
        quiet = ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY")
        # As in a hook: the program that asks was started by a session of Claude Code.
        session = {"CLAUDECODE": "1", "CLAUDE_CODE_ENTRYPOINT": "cli"}
        return {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "x", **dict.fromkeys(quiet, "1"), **session}
    # Before the servers and hooks that `holdfast connect` wrote: what the person has connected is not for this model.
    connected = (machine.home / ".codex/config.toml").read_text(encoding="utf-8")
    assert "mcp_servers" in connected
    machine.write(".codex/config.toml", CONFIG.replace("{url}", model.url) + connected)
    return {"SCRIPTED_KEY": "x"}


@pytest.mark.parametrize("client", ["claude", "codex"])
def test_it_learns_from_a_session(tmp_path, monkeypatch, client):
    program = BIN / client
    if not program.exists():
        missing(f"{client} is not installed: run `make clients`")
    machine = Machine(tmp_path, "claude-code" if client == "claude" else "codex")
    machine.holdfast("connect", machine.client)
    with scripted_model([{"text": ANSWER}], alone=ANSWER) as model:
        environment = {**machine.environment(), **environment_of(client, machine, model)}
        monkeypatch.setattr(machine, "environment", lambda: {**environment, "PATH": f"{BIN}:{environment['PATH']}"})
        machine.holdfast("config", "llm_command", client)
        with machine.open() as ws:
            chat = ws.session("reports", kind="chat")
            chat.say("assistant", "Shall reports also be exported as CSV and XML?")
            chat.say("user", SAID)
        machine.holdfast("consolidate", "reports")
    with machine.open() as ws:
        (memory,) = [memory for memory in ws.list() if memory.type != "episode"]
        assert (memory.content, memory.type, memory.attributes["quote"]) == (LEARNED, "decision", SAID)
    (asked,) = model.requests
    tools = {tool.get("name") for tool in asked.get("tools", [])}
    assert tools <= {"apply_patch", "request_user_input"}, "it can only answer"
    text = json.dumps(asked)
    assert SAID in text
    assert "history_entry" in text, "the rules reach the model"
    assert "holdfast-memory" not in text, "our hooks and server are left out"
    assert machine.events() == [], "and record nothing"
