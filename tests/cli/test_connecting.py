"""The command connect."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

import holdfast as holdfast_package
from holdfast.interfaces.cli import connecting


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


def test_the_difference_shows_lines_as_they_will_be_written(holdfast, home):
    shown = holdfast("connect", "claude-code", "--dry-run").out
    holdfast("connect", "claude-code")
    written = (home / ".claude" / "commands" / "recall.md").read_text()
    assert all(f"+{line}\n" in shown for line in written.splitlines())


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


@pytest.mark.program
def test_without_a_script_no_folder_of_a_stranger_runs_code(tmp_path):
    """As after an installation whose script is elsewhere: the agent starts the hook and the server in a clone."""
    home, clone = tmp_path / "home", tmp_path / "clone"
    (clone / "holdfast").mkdir(parents=True)
    (clone / "holdfast" / "__init__.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    python = _environment_without_script(tmp_path / "env")
    environment = {**os.environ, "HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "HOLDFAST_BACKGROUND": "off"}
    home.mkdir()
    subprocess.run([python, "-P", "-m", "holdfast", "connect", "claude-code"], cwd=home, env=environment, check=True)
    settings = json.loads((home / ".claude" / "settings.json").read_text())
    server = json.loads((home / ".claude.json").read_text())["mcpServers"]["holdfast"]
    hook = settings["hooks"]["SessionStart"][0]["hooks"][0]["command"]
    for command in (hook, shlex.join([server["command"], *server["args"]])):
        subprocess.run(command, shell=True, cwd=clone, env=environment, input=b"{}", check=True)
    assert "-m holdfast" in hook
    assert not (tmp_path / "ran").exists()


def _environment_without_script(folder: Path) -> str:
    venv.create(folder, with_pip=False, symlinks=True)
    packages = sysconfig.get_path("purelib", "venv", {"base": str(folder), "platbase": str(folder)})
    lines = [path for path in sys.path if path and Path(path).is_dir()]
    (Path(packages) / "all.pth").write_text("\n".join(lines))
    return str(folder / "bin" / "python")


@pytest.mark.parametrize("scheme", [sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")])
@pytest.mark.parametrize("name", ["holdfast", "holdfast.exe"])
def test_the_script_of_this_installation_is_found(tmp_path, monkeypatch, scheme, name):
    package, script = tmp_path / "packages" / "holdfast" / "__init__.py", tmp_path / "scripts" / name
    places = {(scheme, "purelib"): tmp_path / "packages", (scheme, "scripts"): tmp_path / "scripts"}
    monkeypatch.setattr(sysconfig, "get_path", lambda path, of: str(places.get((of, path), tmp_path / "other")))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    monkeypatch.setattr(holdfast_package, "__file__", str(package))
    assert connecting.own_command() == (sys.executable, "-P", "-m", "holdfast")
    script.parent.mkdir()
    script.write_text("")
    script.chmod(0o755)
    assert connecting.own_command() == (str(script),)
