"""The command init: what it sees and offers."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess

import pytest

GIT = shutil.which("git") or "git"


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
    assert "`holdfast search QUESTION` finds what they say" in said
    assert "1 memory imported, unverified." in said
    [rule] = [one for one in holdfast("list", "--json").json if "make check" in one["content"]]
    assert (rule["source"], rule["verified"]) == ("agent_explicit", False), "yes was said to more than these rules"
    assert "Claude Code: 1 message stored." in said
    assert "Claude Code is connected" in said
    assert "holdfast hook claude-code" in (tmp_path / "home" / ".claude" / "settings.json").read_text()
    again = holdfast("init").out
    for known in ("holdfast connect", "holdfast index", "holdfast import", "holdfast session import"):
        assert known not in again
    (busy / "CLAUDE.md").write_text("- Never deploy on a Friday.\n")
    assert "holdfast import CLAUDE.md" in holdfast("init").out


def test_what_was_imported_is_observed_and_the_next_command_named(holdfast, busy, tmp_path):
    (transcript,) = (tmp_path / "home" / ".claude" / "projects").glob("*/s1.jsonl")
    edit = {"type": "tool_use", "id": "t1", "name": "Write", "input": {"file_path": str(busy / "README.md")}}
    about = {"sessionId": "s1", "cwd": str(busy), "uuid": "2", "timestamp": "2026-11-01T10:01:00Z"}
    line = {**about, "type": "assistant", "message": {"role": "assistant", "content": [edit]}}
    transcript.write_text(transcript.read_text() + json.dumps(line) + "\n")
    said = holdfast("init", "--yes").out
    assert "`holdfast list` shows what was learned" in said
    assert "work_state" in holdfast("list").out


def test_on_a_narrow_screen_commands_stand_below_what_they_do(holdfast, busy, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    said = holdfast("init").out
    folder = "".join(c if c.isalnum() else "-" for c in str(busy))
    assert f"  import 1 session (Claude Code)\n    holdfast session import ~/.claude/projects/{folder}\n" in said
    assert "  learn from the imported conversations\n    holdfast consolidate\n" in said


def test_sessions_of_other_programs_are_offered(holdfast, busy, tmp_path):
    home, hash = tmp_path / "home", hashlib.sha256(str(busy).encode()).hexdigest()
    head = {"type": "session_meta", "payload": {"id": "c1", "cwd": str(busy), "base_instructions": "x" * 30_000}}
    _written(home / ".codex/sessions/2026/11/01/rollout-c1.jsonl", head)
    _written(home / ".gemini/tmp/kelp/chats/session-g1.json", {"sessionId": "g1", "projectHash": hash, "messages": []})
    _written(home / ".gemini/tmp/other/chats/session-g2.json", {"sessionId": "g2", "projectHash": "f" * 64})
    start = {"type": "session.start", "data": {"sessionId": "p1", "context": {"cwd": str(busy / "docs")}}}
    said = {"type": "user.message", "data": {"content": "Where does the reef begin?"}}
    _written(home / ".copilot/session-state/p1/events.jsonl", start, said)
    offered = holdfast("init").out
    for program in ("Codex", "Gemini CLI", "Copilot CLI"):
        assert f"import 1 session ({program})" in offered
    assert "Copilot CLI: 1 message stored." in holdfast("init", "--yes").out
    assert "Copilot CLI" not in holdfast("init").out


def test_sessions_of_specstory_are_offered_until_they_are_imported(holdfast, busy, monkeypatch):
    monkeypatch.setenv("PATH", os.environ["PATH"] + os.pathsep + os.path.dirname(GIT))
    folder = busy / ".specstory" / "history"
    folder.mkdir(parents=True)
    id = "5c7d5c23-0691-4467-b98e-0fb865b4a639"
    head = f"<!-- Generated by SpecStory -->\n\n# Reef\n\n<!-- cursor Session {id} (2026-03-01 09:00Z) -->\n\n"
    (folder / "2026-03-01_09-00Z-reef.md").write_text(head + "_**User**_\n\nWhere does the reef begin?\n")
    (folder / "2025-03-01_09-00Z-old.md").write_text("<!-- Generated by SpecStory -->\n\n_**User**_\n\nWhere?\n")
    assert "SpecStory" not in holdfast("init").out, "without git nobody knows whose they are"
    subprocess.run([GIT, "init", "-q", str(busy)], check=True)
    assert "import 2 sessions (SpecStory)" in holdfast("init").out
    assert "SpecStory: 2 messages stored." in holdfast("init", "--yes").out
    assert "SpecStory" not in holdfast("init").out


def test_sessions_of_specstory_that_came_with_a_repository_are_not_offered(holdfast, busy, monkeypatch):
    monkeypatch.setenv("PATH", os.environ["PATH"] + os.pathsep + os.path.dirname(GIT))
    folder = busy / ".specstory" / "history"
    folder.mkdir(parents=True)
    (folder / "a.md").write_text("<!-- Generated by SpecStory -->\n\n_**User**_\n\nMy name is Mallory.\n")
    subprocess.run([GIT, "init", "-q", str(busy)], check=True)
    assert "SpecStory" in holdfast("init").out
    subprocess.run([GIT, "-C", str(busy), "add", "-f", ".specstory"], check=True)
    assert "SpecStory" not in holdfast("init", "--yes").out
    assert "Mallory" not in holdfast("list", "--messages").out


def _written(path, *records):
    path.parent.mkdir(parents=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


@pytest.mark.parametrize(("answer", "done"), [("\n", True), ("y\n", True), ("no\n", False), ("", False)])
def test_on_a_terminal_it_asks_once(holdfast, busy, tmp_path, monkeypatch, answer, done):
    monkeypatch.setattr("holdfast.interfaces.cli.confirmation.can_ask", lambda: True)
    monkeypatch.setattr("holdfast.interfaces.cli.confirmation.read_answer", lambda: answer)
    said = holdfast("init").out
    assert "import 1 session (Claude Code), connect Claude Code? [Y/n] " in said
    assert (tmp_path / "home" / ".claude" / "settings.json").exists() is done


def test_json_stays_the_project(holdfast, busy):
    assert set(holdfast("init", "--json").json) >= {"root", "db", "memories"}


def test_code_is_offered_too_until_it_is_indexed(holdfast, busy):
    (busy / "tides.py").write_text("def tide():\n    return 2\n")
    assert "files of code" in holdfast("init").out or "1 file of code" in holdfast("init").out
    holdfast("index")
    assert "holdfast index" not in holdfast("init").out


def test_the_home_folder_is_a_project_with_a_warning(holdfast, world, monkeypatch):
    assert "This is your home folder" not in holdfast("init").out
    monkeypatch.setenv("HOME", str(world))
    assert "This is your home folder" in holdfast("init").out
