"""The example chat loop holds conversations and remembers them."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import holdfast
from holdfast.workspace import Workspace
from tests.conversation.scripted import ScriptedModel, fact, page, reply
from tests.models.servers import Answer, Request

FILE = Path(__file__).parents[2] / "examples" / "chat.py"
RULE = "From now on, always run the linter before you commit anything in this project."
ASKED = "What must be run before you commit in this project, the linter?"


@pytest.fixture
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("chat_example", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_next_chat_remembers_the_last_one(ws: Workspace, example: ModuleType) -> None:
    printed: list[str] = []
    example.chat(
        ws,
        example.scripted_model,
        [RULE, "/new", ASKED, "/memory", "/new", "/new", "/quit", "never said"],
        printed.append,
    )
    assert printed[:2] == ["I will remember that.", "Learned 1 new things, 0 changed."]
    assert printed[2].startswith("I remember:\n- [Memory #")
    assert RULE in printed[2]
    assert printed[3] == f"- {RULE}"
    assert printed[5] == "No messages to learn from."
    assert len(printed) == 6


def test_a_real_endpoint_receives_the_memories(tmp_path: Path, project: Path, example: ModuleType) -> None:
    class Talking(ScriptedModel):
        def route(self, request: Request) -> Answer:
            system = request.body["messages"][0]["content"]
            return reply("Noted.") if system.startswith(example.SYSTEM) else super().route(request)

    with Talking() as model:
        model.says("consolidate", page("[2026-03-02 09:00] A rule.", fact("The linter runs before every commit.", 1)))
        with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), **model.settings()) as ws:
            printed: list[str] = []
            example.chat(ws, example.endpoint_model(ws.settings), [RULE, "/new", ASKED], printed.append)
            assert printed == ["Noted.", "Learned 1 new things, 0 changed.", "Noted."]
        system, user = model.requests[-1].body["messages"]
        assert "The linter runs before every commit." in system["content"]
        assert user == {"role": "user", "content": ASKED}


@pytest.mark.integration
def test_it_runs_by_itself(tmp_path: Path) -> None:
    environment = {**os.environ, "HOLDFAST_DB": str(tmp_path / "m.db"), "HOLDFAST_EMBEDDER": "none"}
    done = subprocess.run(
        [sys.executable, str(FILE)], input=f"{RULE}\n/new\n/memory\n", cwd=tmp_path, env=environment,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == f"- {RULE}"
