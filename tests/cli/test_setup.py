"""The command init: what it sees and offers."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def busy(world, tmp_path, monkeypatch):
    """A project with documents, instructions and sessions of Claude Code, and Claude Code on the path."""
    (world / "docs").mkdir()
    (world / "docs" / "tides.md").write_text("# Tides\n\nThe tide turns twice a day.\n")
    (world / "README.md").write_text("# Kelp\n\nA garden below the sea.\n")
    (world / "CLAUDE.md").write_text("# Rules\n\n- Always run make check before you commit.\n")
    folder = tmp_path / "home" / ".claude" / "projects" / "".join(c if c.isalnum() else "-" for c in str(world))
    folder.mkdir(parents=True)
    message = {"role": "user", "content": "We decided to use SQLite for storage."}
    line = {"type": "user", "sessionId": "s1", "cwd": str(world), "isSidechain": False, "message": message, "uuid": "1"}
    (folder / "s1.jsonl").write_text(json.dumps({**line, "timestamp": "2026-11-01T10:00:00Z"}) + "\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "claude").write_text("#!/bin/sh\n")
    (tmp_path / "bin" / "claude").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return world


def test_an_empty_project_is_offered_nothing(holdfast, monkeypatch):
    monkeypatch.setenv("PATH", "")
    said = holdfast("init").out
    assert "Next steps" in said
    assert "holdfast init --yes" not in said


def test_without_a_terminal_the_offers_are_next_steps(holdfast, busy, tmp_path):
    said = holdfast("init").out
    assert "holdfast index" in said
    assert "holdfast import CLAUDE.md" in said
    assert "1 session (Claude Code)" in said
    assert "holdfast connect claude-code" in said
    assert "`holdfast init --yes` does what is offered." in said
    assert not (tmp_path / "home" / ".claude" / "settings.json").exists()


def test_yes_does_all_of_it(holdfast, busy, tmp_path):
    said = holdfast("init", "--yes").out
    assert "3 documents indexed." in said or "2 documents indexed." in said
    assert "1 memory imported." in said
    assert "Claude Code: 1 message stored." in said
    assert "Claude Code is connected" in said
    assert "holdfast hook claude-code" in (tmp_path / "home" / ".claude" / "settings.json").read_text()
    again = holdfast("init").out
    for known in ("holdfast connect", "holdfast index", "holdfast import", "holdfast session import"):
        assert known not in again
    (busy / "CLAUDE.md").write_text("- Never deploy on a Friday.\n")
    assert "holdfast import CLAUDE.md" in holdfast("init").out


@pytest.mark.parametrize(("answer", "done"), [("\n", True), ("y\n", True), ("no\n", False), ("", False)])
def test_on_a_terminal_it_asks_once(holdfast, busy, tmp_path, monkeypatch, answer, done):
    monkeypatch.setattr("holdfast.interfaces.cli.setup._can_ask", lambda: True)
    monkeypatch.setattr("holdfast.interfaces.cli.setup._read_answer", lambda: answer)
    said = holdfast("init").out
    assert "import 1 session (Claude Code), connect Claude Code? [Y/n] " in said
    assert (tmp_path / "home" / ".claude" / "settings.json").exists() is done


def test_json_stays_the_project(holdfast, busy):
    assert set(holdfast("init", "--json").json) >= {"root", "db", "memories"}
