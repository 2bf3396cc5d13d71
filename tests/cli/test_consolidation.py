"""The commands consolidate and reflect, and the language model in stats."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from holdfast.workspace import open as open_workspace
from tests.conversation.scripted import ScriptedModel
from tests.conversation.talk import HELLO, talk


@pytest.fixture
def said(world: Path) -> Path:
    with open_workspace() as ws:
        talk(ws, "monday", *HELLO)
    return world


def test_consolidate_says_how_many_memories_it_does_not_list(holdfast, world, monkeypatch):
    monkeypatch.setattr("holdfast.interfaces.cli.consolidation._MOST_LINES", 1)
    with open_workspace() as ws:
        talk(ws, "monday", *HELLO)
    learned = holdfast("consolidate").out.splitlines()
    (stored,) = map(int, re.findall(r"(\d+) new", learned[0]))
    assert learned[-1] == f"{stored - 1} more; `holdfast list` shows all."


def test_consolidate_reports_what_was_learned(holdfast, said):
    ran = holdfast("consolidate")
    assert ran.code == 0
    said, *learned = ran.out.splitlines()
    assert re.fullmatch(r"Read 5 messages of 1 session: \d+ new memories\.", said)
    assert any("linter" in line for line in learned)
    assert all(re.match(r"  [0-9a-z]{8}  \w+ +\S| {10,}\S", line) for line in learned), learned
    assert "linter" in holdfast("search", "linter").out


def test_what_the_background_learned_is_shown(holdfast, said):
    with open_workspace() as ws:
        ws.consolidate()
    first, second, *learned = holdfast("consolidate").out.splitlines()
    assert first == "No new messages."
    assert second == "Learned earlier from the latest conversation; `holdfast list` shows all:"
    assert any("linter" in line for line in learned)
    assert holdfast("consolidate", "monday").out.splitlines()[2:] == learned


def test_consolidate_one_session_as_json(holdfast, said):
    told = json.loads(holdfast("consolidate", "mon", "--json").out)
    assert (told["sessions"][0]["session"], told["sessions"][0]["messages"]) == ("monday", 5)
    assert holdfast("consolidate", "tuesday").code == 1


def test_a_failing_model_is_reported(holdfast, said, monkeypatch):
    with ScriptedModel() as model:
        monkeypatch.setenv("HOLDFAST_LLM_URL", f"{model.url}/v1")
        monkeypatch.setenv("HOLDFAST_LLM_MODEL", "scripted")
        ran = holdfast("consolidate")
        assert "The language model was not used: " in ran.out
        assert "1 of 200 calls" in holdfast("stats").out


def test_without_a_model_stats_does_not_mention_one(holdfast, said):
    assert "language model" not in holdfast("stats").out


def test_files_that_cannot_be_written_are_reported(holdfast, said):
    (said / ".holdfast" / "memory" / "HISTORY.md").mkdir()
    ran = holdfast("consolidate")
    assert ran.code == 0
    assert "The files were not written: " in ran.out


def test_reflect(holdfast, world):
    assert holdfast("reflect").out == "No reflection: fewer than 3 new facts in seven days (0).\n"
    for text in ("The harbour office opens at six", "Ferries leave from the harbour", "Ada keeps bees"):
        holdfast("remember", text, "--type", "decision")
    assert "Based on 3 memories" in holdfast("reflect").out
    assert "6 days" in holdfast("reflect").out
    holdfast("remember", "Bo paints the lighthouse red", "--type", "decision")
    assert "Based on 4 memories" in holdfast("reflect", "--force").out


def test_in_french(holdfast, world):
    assert holdfast("consolidate", "--lang", "fr").out == "Aucun nouveau message.\n"
