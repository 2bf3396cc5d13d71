"""The command connect."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


def test_a_program_is_connected_and_the_difference_is_shown(holdfast, home):
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{\n  "model": "opus"\n}\n')
    said = holdfast("connect", "claude-code")
    assert said.code == 0
    assert '-  "model": "opus"\n+  "model": "opus",\n+  "hooks": {' in said.out
    assert str(home / ".claude.json") + " (new)" in said.out
    assert "Claude Code is connected" in said.out
    assert holdfast("connect", "claude-code").out == "Claude Code is already connected.\n"
    assert holdfast("connect", "claude-code", "--remove").out.endswith("Claude Code is no longer connected.\n")
    assert settings.read_text() == '{\n  "model": "opus"\n}\n'
    assert holdfast("connect", "claude-code", "--remove").out == "Claude Code is not connected.\n"


def test_files_that_come_or_go_are_only_named(holdfast, home):
    names = ["settings.json", "commands/remember.md", "commands/recall.md"]
    files = [
        str(home / ".claude" / names[0]),
        str(home / ".claude.json"),
        *(str(home / ".claude" / n) for n in names[1:]),
    ]
    assert holdfast("connect", "claude-code").out.startswith("\n".join(f"{file} (new)" for file in files) + "\n\n")
    removed = holdfast("connect", "claude-code", "--remove").out
    assert removed == "\n".join(f"{file} (deleted)" for file in files) + "\n\nClaude Code is no longer connected.\n"


def test_a_dry_run_changes_nothing(holdfast, home):
    said = holdfast("connect", "codex", "--dry-run")
    assert "+[mcp_servers.holdfast]" in said.out
    assert said.out.endswith("Nothing was changed: this was a dry run.\n")
    assert not (home / ".codex").exists()


def test_json_names_the_files(holdfast, home):
    said = holdfast("connect", "agents-md", "--json").json
    assert said["files"] == [{"path": str(Path.cwd() / "AGENTS.md"), "changed": True}]
    assert (said["agent"], said["connected"], said["dry_run"]) == ("agents-md", True, False)


def test_a_program_without_settings_in_projects_says_so(holdfast):
    said = holdfast("connect", "codex", "--for-project")
    assert said.code == 2
    assert "Leave out --for-project" in said.err


def test_connecting_registers_the_project(holdfast):
    holdfast("connect", "opencode")
    assert "kelp" in holdfast("projects").out


def test_a_broken_file_is_an_error_with_its_line(holdfast, home):
    (home / ".gemini").mkdir(parents=True)
    (home / ".gemini" / "settings.json").write_text('{\n  "a": \n}')
    said = holdfast("connect", "gemini")
    assert said.code == 2
    assert "settings.json: line 3: " in said.err
