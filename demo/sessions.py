"""Two sessions of an agent, played through the real hooks: the second starts with what the first learned.

`python demo/sessions.py` prints them as text, `--write` also puts them into the README, and a folder plays them in that
project. The agent is scripted: it sends what Claude Code sends to its hooks. The answers are those of the program.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Mapping
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
README = HERE.parent / "README.md"
PROGRAM = Path(sys.executable).with_name("holdfast")
BEGIN, END = "<!-- two sessions -->", "<!-- end of two sessions -->"
GOTCHA = "The payment sandbox drops every tenth request on purpose; retry twice before you call it a bug."
FLAKY = "The build is red now and then, find out why. From now on always run make check before you commit."
RULE = {"quote": "From now on always run make check before you commit.", "type": "requirement"}
_CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "demo", "version": "1"}}
_WIDTH = 110
# Lines that are the same in every answer.
_HEADINGS = ("<", "From memory,", "## From memory", "Notes kept from")


class ScriptedAgent:
    """An agent in one session: every action goes to the hook, and what memory answers is printed."""

    def __init__(self, project: Path, environment: Mapping[str, str], session: str) -> None:
        self._project = project
        self._environment = environment
        self._session = session
        self._calls = 0

    def start(self) -> None:
        print(f"--- session {self._session} ---")
        self._send("SessionStart", source="startup")

    def asked(self, prompt: str) -> None:
        show("person", prompt)
        self._send("UserPromptSubmit", prompt=prompt)

    def reads(self, path: str) -> None:
        show("agent", f"reads {path}")
        content = (self._project / path).read_text(encoding="utf-8")
        self._tool("Read", {"file_path": str(self._project / path)}, {"file": {"content": content}})

    def edits(self, path: str, old: str, new: str) -> None:
        show("agent", f"edits {path}")
        args = {"file_path": str(self._project / path), "old_string": old, "new_string": new}
        self._tool("Edit", args, "The file was updated.")

    def runs(self, command: str, output: str) -> None:
        show("agent", f"runs {command}: {output}")
        self._tool("Bash", {"command": command}, {"stdout": output, "stderr": ""})

    def remembers(self, text: str, **arguments: str) -> None:
        """Calls the tool `remember` of the MCP server."""
        show("agent", f"remembers: {text}")
        call = {"name": "remember", "arguments": {"text": text, **arguments}}
        requests: list[dict[str, Any]] = [
            {"id": 1, "method": "initialize", "params": _CLIENT},
            {"method": "notifications/initialized"},
            {"id": 2, "method": "tools/call", "params": call},
        ]
        subprocess.run(
            [str(PROGRAM), "mcp"], cwd=self._project, env=self._environment, capture_output=True, text=True, check=True,
            input="".join(json.dumps({"jsonrpc": "2.0", **request}) + "\n" for request in requests),
        )  # fmt: skip

    def says(self, text: str) -> None:
        show("agent", text)
        self._send("Stop", last_assistant_message=text)

    def ends(self) -> None:
        self._send("SessionEnd", reason="exit")

    def _tool(self, name: str, args: Mapping[str, Any], response: object) -> None:
        self._calls += 1
        call = {"tool_name": name, "tool_input": args, "tool_response": response, "tool_use_id": f"t{self._calls}"}
        self._send("PostToolUse", **call)

    def _send(self, event: str, **values: Any) -> None:
        payload = {"hook_event_name": event, "session_id": self._session, "cwd": str(self._project), **values}
        done = subprocess.run(
            [str(PROGRAM), "hook", "claude-code", event], input=json.dumps(payload), env=self._environment,
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        answer = json.loads(done.stdout) if done.stdout else {}
        for line in answer.get("hookSpecificOutput", {}).get("additionalContext", "").splitlines():
            if line and not line.startswith(_HEADINGS):
                show("memory", line)
        if "systemMessage" in answer:
            show("", answer["systemMessage"])


def play(project: Path, environment: Mapping[str, str]) -> None:
    """Plays both sessions in a project that memory knows."""
    first = ScriptedAgent(project, environment, "monday")
    first.start()
    first.asked(FLAKY)
    first.remembers("Run `make check` before every commit.", **RULE)
    first.reads("tidepool/payments.py")
    first.edits("tidepool/payments.py", "TIMEOUT_SECONDS = 30", "TIMEOUT_SECONDS, TRIES = 30, 3")
    first.runs("make check", "12 passed")
    first.says("The sandbox drops every tenth request on purpose: charging a card now retries twice.")
    first.ends()
    subprocess.run([str(PROGRAM), "upkeep"], cwd=project, env=dict(environment), stdout=subprocess.DEVNULL, check=True)
    second = ScriptedAgent(project, environment, "tuesday")
    second.start()
    second.asked("The payment test failed again.")
    second.reads("tidepool/payments.py")
    second.says("It was dropped three times in a row; I raised the number of tries.")


def show(who: str, text: str) -> None:
    """Prints one line of the cast, wrapped below its first column."""
    indent = " " * 8
    print("\n".join(textwrap.wrap(f"{who:8}{text}".rstrip(), _WIDTH, subsequent_indent=indent)), flush=True)


def cast() -> str:
    """What the two sessions print, in a copy of the sample project."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "tidepool"
        shutil.copytree(HERE / "tidepool", project)
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST_")},
            "HOLDFAST_DB": str(Path(folder) / "memory.db"), "HOLDFAST_BACKGROUND": "0", "XDG_DATA_HOME": folder,
            "HOLDFAST_SETTINGS": str(Path(folder) / "settings.toml"), "PYTHONIOENCODING": "utf-8",
            "HOLDFAST_HOOK_SECONDS": "60",
        }  # fmt: skip
        subprocess.run(["git", "init", "--quiet", "-b", "main", str(project)], check=True)
        remember = ["remember", "--type", "gotcha", "--file", "tidepool/payments.py", GOTCHA]
        subprocess.run([str(PROGRAM), *remember], cwd=project, env=environment, stdout=subprocess.DEVNULL, check=True)
        with redirect_stdout(StringIO()) as printed:
            play(project, environment)
        return printed.getvalue()


def masked(text: str) -> str:
    """The text without what differs from run to run: ids and dates."""
    return re.sub(r"\d{4}-\d\d-\d\d", "DATE", re.sub(r"#[0-9a-z]{8}", "#ID", text))


def main(arguments: list[str]) -> int:
    if arguments and arguments != ["--write"]:
        play(Path(arguments[0]), os.environ)
        return 0
    text = cast()
    print(text, end="")
    if arguments:
        before, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
        _, found, after = rest.partition(END)
        assert found, f"the README lacks the markers {BEGIN} and {END}"
        README.write_text(f"{before}{BEGIN}\n```text\n{text}```\n{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
