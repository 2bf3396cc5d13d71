"""The real Codex CLI with a scripted model: our hooks fire, and memory reaches the model."""

from __future__ import annotations

import json
import os

import pytest

pytestmark = pytest.mark.program

CLIENT = "codex"
GOTCHA = "The importer of the archive writes Latin-1 on Windows."
CONFIG = """\
model = "gpt-5.5"
model_provider = "scripted"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = "{url}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
"""
PATCH = """\
*** Begin Patch
*** Update File: src/calc.py
@@
 def add(a, b):
-    return a - b
+    return a + b
*** End Patch"""


def codex(machine, prompt):
    def start(model):
        machine.write(".codex/config.toml", CONFIG.replace("{url}", model.url))
        machine.holdfast("connect", CLIENT)
        config = (machine.home / ".codex" / "config.toml").read_text()
        # Codex starts servers without the environment, so that ours would be that of another installation.
        path = json.dumps(os.environ.get("PYTHONPATH", ""))
        machine.write(".codex/config.toml", f"{config}\n[mcp_servers.holdfast.env]\nPYTHONPATH = {path}\n")
        # Codex asks its user to trust new hooks; nobody can be asked here.
        trust = ("--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust")
        return ["exec", "--json", *trust, "--skip-git-repo-check", prompt], {"SCRIPTED_KEY": "x"}

    return start


def test_two_sessions(machine):
    """The first reads a file and gets its gotcha; the second starts with what the first learned."""
    machine.holdfast("remember", "--type", "gotcha", "--file", "src/calc.py", GOTCHA)
    first = machine.run(
        [
            {"tool": "exec_command", "input": {"cmd": "cat src/calc.py"}},
            {"tool": "apply_patch", "custom": True, "input": PATCH},
            {"text": "Done."},
        ],
        codex(machine, "Sum is broken. From now on always run make check before you commit."),
    )
    assert "a + b" in machine.file.read_text()
    assert GOTCHA not in first.text(0)
    assert GOTCHA in first.text(1), "the gotcha comes with the file that was read"
    assert "store it now with Holdfast's tool" in first.text(0), "the agent is asked to store the rule"
    assert first.text(-1).count(f"] {GOTCHA}") == 1, "nothing comes twice"
    assert {"session", "user", "tool_call", "tool_result", "given", "assistant", "stop"} <= set(machine.kinds())

    machine.wait_until_learned("make check")
    second = machine.run([{"text": "Noted."}], codex(machine, "Hello."))
    assert "make check" in second.text(0), "the rule of the person is there from the start"
    assert "hooks.json" not in machine.said, "Codex finds nothing to complain about"
