"""A project with a database, and hooks called as an agent calls them, in this process."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.agents import journal
from holdfast.agents.event import Event
from holdfast.interfaces.hooks.hook_main import run
from holdfast.system import hook_log
from tests.journals import journals


class Agent:
    """An agent of one project: sends events to hooks and reads their answers."""

    def __init__(self, folder: Path, database: Path, call: Callable[[list[str], bytes], str]) -> None:
        self.folder = folder
        self.database = database
        self._call = call

    def send(self, event: str, client: str = "claude-code", session: str = "s1", **values: Any) -> dict[str, Any]:
        payload = {"hook_event_name": event, "session_id": session, "cwd": str(self.folder), **values}
        said = self.raw(json.dumps(payload).encode(), client, event)
        return json.loads(said) if said else {}

    def raw(self, stdin: bytes, *argv: str) -> str:
        return self._call(list(argv), stdin)

    def context(self, event: str, **values: Any) -> str:
        return str(self.send(event, **values).get("hookSpecificOutput", {}).get("additionalContext", ""))

    def reads(self, path: str, **values: Any) -> str:
        args = {"file_path": str(self.folder / path)}
        return self.context("PostToolUse", tool_name="Read", tool_input=args, tool_response="…", **values)

    def searches(self, pattern: str, **values: Any) -> str:
        return self.context(
            "PostToolUse", tool_name="Grep", tool_input={"pattern": pattern}, tool_response="", **values
        )

    def events(self, session: str = "s1", client: str = "claude-code") -> list[Event]:
        with self.open() as ws:
            file = journal.journal_file(journals(ws), client, session)
        return [event for _, event in journal.read(file)]

    def failures(self) -> list[str]:
        return [failure["error"] for failure in hook_log.read_failures(os.environ, 0)]

    def open(self) -> holdfast.Workspace:
        return holdfast.open(db=str(self.database), project=str(self.folder))


@pytest.fixture
def agent(tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Agent:
    """An agent in a project that the database knows."""
    database = tmp_path / "memory.db"
    monkeypatch.setenv("HOLDFAST_DB", str(database))

    def call(argv: list[str], stdin: bytes) -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        assert run(argv) == 0
        return capsys.readouterr().out

    made = Agent(project, database, call)
    made.open().close()
    return made
