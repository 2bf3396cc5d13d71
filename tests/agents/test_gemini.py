"""The real Gemini CLI with a scripted model: our hooks fire, and memory reaches the model."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.program

CLIENT = "gemini"
GOTCHA = "The importer of the archive writes Latin-1 on Windows."
SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
    "general": {"disableAutoUpdate": True},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "model": {"name": "gemini-2.5-pro"},
}


def gemini(prompt):
    def start(model):
        environment = {"GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": model.url, "GEMINI_CLI_TRUST_WORKSPACE": "true"}
        return ["-p", prompt, "--approval-mode", "yolo", "--skip-trust"], environment

    return start


def test_two_sessions(machine):
    """The first reads a file and gets its gotcha; the second starts with what the first learned."""
    machine.write(".gemini/settings.json", SETTINGS)
    machine.holdfast("connect", CLIENT)
    machine.holdfast("remember", "--type", "gotcha", "--file", "src/calc.py", GOTCHA)
    change = {"instruction": "add", "old_string": "return a - b", "new_string": "return a + b"}
    first = machine.run(
        [
            {"tool": "read_file", "input": {"file_path": "src/calc.py"}},
            {"tool": "replace", "input": {"file_path": str(machine.file), **change}},
            {"tool": "mcp_holdfast_search_memory", "input": {"query": "importer"}},
            {"text": "Done."},
        ],
        gemini("Sum is broken. From now on always run make check before you commit."),
    )
    assert "a + b" in machine.file.read_text()
    assert GOTCHA not in first.text(0)
    assert GOTCHA in first.text(1), "the gotcha comes with the file that was read"
    assert "store it now with Holdfast's tool" in first.text(0), "the agent is asked to store the rule"
    assert first.text(2).count(f"] {GOTCHA}") == 1, "nothing comes twice"
    assert {"session", "user", "tool_call", "tool_result", "given", "stop"} <= set(machine.kinds())

    machine.wait_until_learned("make check")
    second = machine.run([{"text": "Noted."}], gemini("Hello."))
    assert "make check" in second.text(0), "the rule of the person is there from the start"
