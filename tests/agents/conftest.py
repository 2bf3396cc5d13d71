"""Runs real agent programs against a scripted model, each with its own home folder and project."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from holdfast import Workspace, open
from holdfast.agents.event import Event
from holdfast.agents.journal import read
from holdfast.system import hook_log
from tests.agents.scripted_model import ScriptedModel, Step, scripted_model
from tests.clients import FOLDER, missing
from tests.journals import journals

BIN = FOLDER / "node_modules" / ".bin"
_SECONDS = 240
_PROGRAMS = {"claude-code": "claude", "codex": "codex", "gemini": "gemini", "opencode": "opencode"}

# The arguments and the environment for one session, given the model's address.
Start = Callable[[ScriptedModel], tuple[list[str], dict[str, str]]]
_PASSED = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "TMPDIR")


class Machine:
    """A user's machine: a home folder, a project with one file, a database, and one connected agent program."""

    def __init__(self, folder: Path, client: str) -> None:
        self.client = client
        self.said = ""
        self.home, self.project = folder / "home", folder / "project"
        self.database = self.home / ".local" / "share" / "holdfast" / "holdfast.db"
        (self.project / "src").mkdir(parents=True)
        self.home.mkdir()
        self.file = self.project / "src" / "calc.py"
        self.file.write_text("def add(a, b):\n    return a - b\n")
        subprocess.run(["git", "init", "-q", str(self.project)], check=True)

    def holdfast(self, *argv: str) -> str:
        command = [sys.executable, "-m", "holdfast", *argv]
        done = subprocess.run(command, cwd=self.project, env=self.environment(), capture_output=True, text=True)
        assert done.returncode == 0, done
        return done.stdout

    def environment(self, **more: str) -> dict[str, str]:
        shared = {name: os.environ[name] for name in _PASSED if name in os.environ}
        # The Node of the clients first: some of them need a newer one than the system has.
        shared["PATH"] = f"{FOLDER / 'bin'}{os.pathsep}{shared['PATH']}"
        return {**shared, "HOME": str(self.home), "TERM": "xterm", "GIT_CONFIG_GLOBAL": os.devnull, **more}

    def run(self, steps: Sequence[Step], start: Start) -> ScriptedModel:
        """Runs one session of the agent with a model that makes these steps; returns what the model was asked."""
        program = str(BIN / _PROGRAMS[self.client])
        with scripted_model(steps) as model:
            arguments, more = start(model)
            done = subprocess.run(
                [program, *arguments], cwd=self.project, env=self.environment(**more), stdin=subprocess.DEVNULL,
                capture_output=True, text=True, timeout=_SECONDS,
            )  # fmt: skip
        assert done.returncode == 0, (done.stdout[-2000:], done.stderr[-2000:])
        assert model.requests, (done.stdout[-2000:], done.stderr[-2000:])
        self.said = done.stdout + done.stderr
        assert self.failures() == []
        return model

    def open(self) -> Workspace:
        return open(db=str(self.database), project=str(self.project), background=False, embedder="none")

    def events(self) -> list[Event]:
        """The events of all sessions, in their order."""
        with self.open() as ws:
            folder = Path(journals(ws))
        found = [event for file in sorted(folder.glob("*.jsonl")) for _, event in read(str(file))]
        return sorted(found, key=lambda event: event.at)

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events()]

    def failures(self) -> list[Any]:
        return list(hook_log.read_failures(self.environment(), 0))

    def wait_until_learned(self, words: str) -> None:
        """Waits for the background process that the end of the session started."""
        until = time.monotonic() + _SECONDS
        while time.monotonic() < until:
            with self.open() as ws:
                learned = [memory.content for memory in ws.list(limit=100) if memory.type != "episode"]
            if any(words in text for text in learned):
                return
            time.sleep(1)
        raise AssertionError(f"nothing with {words!r} was learned: {learned}")

    def write(self, path: str, value: Any) -> None:
        file = self.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(value if isinstance(value, str) else json.dumps(value))


@pytest.fixture
def machine(tmp_path: Path, request: pytest.FixtureRequest) -> Machine:
    """The machine for the agent that the test module names in CLIENT."""
    client: str = request.module.CLIENT
    if not (BIN / _PROGRAMS[client]).exists():
        missing(f"{client} is not installed: run `make clients`")
    return Machine(tmp_path, client)
