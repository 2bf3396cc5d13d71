"""Connecting agent programs, and taking the connection out again."""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
import tomllib
from pathlib import Path

import pytest

from holdfast.agents.connect import jsonc
from holdfast.agents.connect.connections import Connections
from holdfast.agents.connect.edits import FileEdit
from holdfast.agents.connect.place import ConnectPlace
from holdfast.agents.connectable import connectable, edits_of, installed
from holdfast.agents.programs import CONNECT, TRANSCRIPTS, all_programs, names, program
from holdfast.core.errors import FileNotWritten, InvalidFile

_CLAUDE = """\
{
    // mine
    "model": "opus", // fast
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
    },
}
"""
_CODEX = '# mine\nmodel = "gpt"\n\n[mcp_servers.other]\ncommand = "x"'


PROGRAMS = names(CONNECT)
HOOKED = tuple(known.name for known in all_programs() if known.events)


class User:
    """A user with a home folder and a project, who connects programs."""

    def __init__(self, folder: Path) -> None:
        self.home, self.root = folder / "home", folder / "project"
        self.home.mkdir()
        self.root.mkdir()
        self.connections = Connections(str(folder / "data"))
        self.place = ConnectPlace(str(self.home), {}, str(self.root), ("/opt/my tools/holdfast",))

    def connect(self, name, in_project=False):
        changes = self.connections.plan(edits_of(connectable(name), self.place, in_project))
        self.connections.apply(changes)
        return [change.path for change in changes if change.is_needed]

    def remove(self, name, in_project=False):
        changes = self.connections.plan_removal(edits_of(connectable(name), self.place, in_project))
        self.connections.apply(changes)
        return [change.path for change in changes if change.is_needed]

    def files(self):
        """All files and folders below the home and the project, with their bytes."""
        return {
            str(path): path.read_bytes() if path.is_file() else None
            for folder in (self.home, self.root)
            for path in folder.rglob("*")
        }

    def write(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path


@pytest.fixture
def user(tmp_path):
    return User(tmp_path)


def test_the_rows_say_what_the_modules_offer():
    assert tuple(known.name for known in all_programs() if known.edits) == PROGRAMS
    assert tuple(known.name for known in all_programs() if known.reader) == names(TRANSCRIPTS)
    assert set(HOOKED) <= set(PROGRAMS)
    assert program("nobody") is None


@pytest.mark.parametrize("in_project", [True, False])
@pytest.mark.parametrize("name", PROGRAMS)
def test_connecting_and_removing_leaves_everything_as_it_was(user, name, in_project):
    user.write(user.home / ".claude" / "settings.json", _CLAUDE)
    user.write(user.home / ".codex" / "config.toml", _CODEX)
    user.write(user.home / ".gemini" / "settings.json", "{}")
    user.write(user.root / "AGENTS.md", "# Mine")
    before = user.files()
    assert user.connect(name, in_project)
    connected = user.files()
    assert connected != before
    assert user.connect(name, in_project) == []
    assert user.files() == connected
    assert user.remove(name, in_project)
    assert user.files() == before
    assert user.remove(name, in_project) == []


@pytest.mark.parametrize("name", HOOKED)
def test_every_event_that_is_connected_is_answered(user, name):
    user.connect(name)
    for path, content in user.files().items():
        if content and path.endswith(("s.json", "/holdfast.json")):
            for event, groups in jsonc.load(content.decode()).get("hooks", {}).items():
                hook = groups[-1].get("hooks", groups)[0]
                command = hook.get("command", hook.get("bash"))
                assert command == f"'/opt/my tools/holdfast' hook {name} {event}"
                assert event in connectable(name).events


def test_claude_code(user):
    settings = user.write(user.home / ".claude" / "settings.json", _CLAUDE)
    user.connect("claude-code")
    read = jsonc.load(settings.read_text())
    assert "// mine" in settings.read_text()
    assert read["model"] == "opus"
    assert read["hooks"]["Stop"][0]["hooks"][0]["command"] == "say done"
    assert read["hooks"]["PreToolUse"][0]["matcher"].startswith("Edit|Write")
    server = json.loads((user.home / ".claude.json").read_text())["mcpServers"]["holdfast"]
    assert (server["command"], server["args"], server["alwaysLoad"]) == ("/opt/my tools/holdfast", ["mcp"], True)
    assert "$ARGUMENTS" in (user.home / ".claude" / "commands" / "remember.md").read_text()


def test_claude_code_in_one_project(user):
    user.connect("claude-code", in_project=True)
    assert (user.root / ".claude" / "settings.local.json").exists()
    assert "holdfast" in json.loads((user.root / ".mcp.json").read_text())["mcpServers"]
    assert list(user.home.iterdir()) == []


def test_codex(user):
    config = user.write(user.home / ".codex" / "config.toml", _CODEX)
    user.connect("codex")
    read = tomllib.loads(config.read_text())
    assert config.read_text().startswith(_CODEX)
    assert read["mcp_servers"] == {
        "other": {"command": "x"},
        "holdfast": {"command": "/opt/my tools/holdfast", "args": ["mcp"]},
    }


def test_gemini_counts_milliseconds(user):
    user.connect("gemini")
    read = json.loads((user.home / ".gemini" / "settings.json").read_text())
    assert read["hooks"]["AfterTool"][0]["hooks"][0]["timeout"] == 5000
    assert tomllib.loads((user.home / ".gemini" / "commands" / "recall.toml").read_text())["prompt"]


def test_opencode_keeps_the_file_that_the_user_has(user):
    settings = user.write(user.home / ".config" / "opencode" / "opencode.jsonc", '{ "theme": "x" } // mine\n')
    user.connect("opencode")
    assert jsonc.load(settings.read_text())["mcp"]["holdfast"]["command"] == ["/opt/my tools/holdfast", "mcp"]
    assert not settings.with_suffix(".json").exists()
    assert '["/opt/my tools/holdfast"]' in (settings.parent / "plugin" / "holdfast.js").read_text()


_SERVERS = {
    "cursor": ("root", ".cursor/mcp.json", "mcpServers", ["--project", "${workspaceFolder}", "mcp"]),
    "copilot": ("home", ".copilot/mcp-config.json", "mcpServers", ["mcp"]),
    "windsurf": ("home", ".codeium/windsurf/mcp_config.json", "mcpServers", ["--project", "ROOT", "mcp"]),
    "cline": ("home", ".cline/data/settings/cline_mcp_settings.json", "mcpServers", ["--project", "ROOT", "mcp"]),
    "vscode": ("home", ".config/Code/User/mcp.json", "servers", ["--project", "${workspaceFolder}", "mcp"]),
    "zed": ("home", ".config/zed/settings.json", "context_servers", ["--project", "ROOT", "mcp"]),
}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep the settings of editors elsewhere")
@pytest.mark.parametrize("name", _SERVERS)
def test_servers_are_merged_into_files_with_comments(user, name):
    where, path, key, args = _SERVERS[name]
    text = f'{{\n  // mine\n  "theme": "dark",\n  "{key}": {{"other": {{"command": "x"}},}},\n}}\n'
    file = user.write(getattr(user, where) / path, text)
    user.connect(name)
    servers = jsonc.load(file.read_text())[key]
    assert "// mine" in file.read_text()
    assert servers["other"] == {"command": "x"}
    assert servers["holdfast"]["command"] == "/opt/my tools/holdfast"
    assert servers["holdfast"]["args"] == [str(user.root) if arg == "ROOT" else arg for arg in args]
    user.remove(name)
    assert file.read_text() == text


def test_a_server_of_another_project_is_replaced(user):
    user.connect("windsurf")
    user.place = ConnectPlace(user.place.home, {}, "/another", user.place.command)
    user.connect("windsurf")
    file = user.home / ".codeium" / "windsurf" / "mcp_config.json"
    assert json.loads(file.read_text())["mcpServers"]["holdfast"]["args"] == ["--project", "/another", "mcp"]
    user.remove("windsurf")
    assert not file.exists()


def test_flat_hooks_of_others_stay(user):
    own = {"command": "say done"}
    file = user.write(user.home / ".cursor" / "hooks.json", json.dumps({"version": 1, "hooks": {"sessionEnd": [own]}}))
    user.connect("cursor")
    hooks = json.loads(file.read_text())["hooks"]
    assert hooks["sessionEnd"] == [own, {"command": "'/opt/my tools/holdfast' hook cursor sessionEnd"}]
    file.write_text(file.read_text() + "\n")
    user.remove("cursor")
    assert json.loads(file.read_text()) == {"version": 1, "hooks": {"sessionEnd": [own]}}


def test_hooks_of_copilot_lie_in_a_file_of_their_own(user):
    user.connect("copilot", in_project=True)
    written = json.loads((user.root / ".github" / "hooks" / "holdfast.json").read_text())
    assert written["version"] == 1
    hook = written["hooks"]["sessionStart"][0]
    assert (hook["type"], hook["timeoutSec"]) == ("command", 10)
    assert hook["powershell"].startswith("& ")


def test_from_an_edited_file_only_our_entries_are_removed(user):
    settings = user.write(user.home / ".claude" / "settings.json", _CLAUDE)
    config = user.write(user.home / ".codex" / "config.toml", _CODEX)
    agents = user.write(user.root / "AGENTS.md", "# Mine\n")
    for name in ("claude-code", "codex", "agents-md"):
        user.connect(name)
    edited = jsonc.set_member(settings.read_text(), ["theme"], "dark")
    own = {"type": "command", "command": "mine too"}
    settings.write_text(jsonc.add_item(edited, ["hooks", "PostToolUse"], {"hooks": [own]}))
    group = jsonc.load(settings.read_text())["hooks"]["PreToolUse"][0]
    settings.write_text(
        jsonc.set_member(settings.read_text(), ["hooks", "PreToolUse"], [{**group, "hooks": [*group["hooks"], own]}])
    )
    config.write_text(config.read_text().replace('"gpt"', '"gpt-2"') + "\n[more]\na = 1\n")
    agents.write_text("Before.\n" + agents.read_text() + "After.\n")
    for name in ("claude-code", "codex", "agents-md"):
        user.remove(name)
    expected = jsonc.load(_CLAUDE)
    expected["theme"] = "dark"
    expected["hooks"]["PostToolUse"] = [{"hooks": [own]}]
    expected["hooks"]["PreToolUse"] = [{**group, "hooks": [own]}]
    assert jsonc.load(settings.read_text()) == expected
    assert "// mine" in settings.read_text()
    assert config.read_text() == _CODEX.replace('"gpt"', '"gpt-2"') + "\n\n\n[more]\na = 1\n"
    assert agents.read_text() == "Before.\n# Mine\n\nAfter.\n"


def test_a_new_path_of_the_program_replaces_the_old_one(user):
    settings = user.write(user.home / ".claude" / "settings.json", _CLAUDE)
    user.connect("claude-code")
    user.place = ConnectPlace(user.place.home, {}, user.place.root, ("/new/holdfast",))
    assert str(settings) in user.connect("claude-code")
    assert "/opt/" not in settings.read_text()
    user.remove("claude-code")
    assert settings.read_text() == _CLAUDE


def test_without_its_state_a_connection_can_still_be_removed(user, tmp_path):
    settings = user.write(user.home / ".claude" / "settings.json", _CLAUDE)
    user.connect("claude-code")
    user.connections = Connections(str(tmp_path / "elsewhere"))
    user.remove("claude-code")
    assert jsonc.load(settings.read_text()) == jsonc.load(_CLAUDE)
    assert "// mine" in settings.read_text()
    assert not (user.home / ".claude" / "commands" / "remember.md").exists()


def test_a_file_that_changes_after_the_plan_is_left_alone(user):
    settings = user.write(user.home / ".claude" / "settings.json", _CLAUDE)
    changes = user.connections.plan(edits_of(connectable("claude-code"), user.place, False))
    settings.write_text("{}")
    with pytest.raises(InvalidFile, match="changed meanwhile"):
        user.connections.apply(changes)
    assert settings.read_text() == "{}"
    assert not (user.home / ".claude.json").exists()


@pytest.mark.parametrize(
    ("name", "path", "content"),
    [
        ("claude-code", ".claude/settings.json", b'{"hooks": '),
        ("claude-code", ".claude/settings.json", b"\xff\xfe"),
        ("claude-code", ".claude/settings.json", b'{"hooks": []}'),
        ("claude-code", ".claude/settings.json", b'{"hooks": {"Stop": {}}}'),
        ("claude-code", ".claude.json", b"[]"),
        ("codex", ".codex/config.toml", b"model = "),
        ("codex", ".codex/config.toml", b'mcp_servers = {a = {command = "x"}}\n'),
    ],
)
def test_a_file_that_cannot_be_changed_is_named(user, name, path, content):
    file = user.home / path
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(content)
    before = user.files()
    with pytest.raises(InvalidFile, match=str(file)):
        user.connect(name)
    assert user.files() == before


def test_own_entries_of_the_user_stay(user):
    config = user.write(user.home / ".codex" / "config.toml", '[mcp_servers.holdfast]\ncommand = "mine"\n')
    command = user.write(user.home / ".claude" / "commands" / "remember.md", "My own command.")
    user.write(user.home / ".claude.json", '{"mcpServers": {"holdfast": {"command": "mine"}}}')
    user.connect("codex")
    user.connect("claude-code")
    assert config.read_text() == '[mcp_servers.holdfast]\ncommand = "mine"\n'
    assert command.read_text() == "My own command."
    assert json.loads((user.home / ".claude.json").read_text())["mcpServers"]["holdfast"] == {"command": "mine"}


def test_permissions_and_links_stay(user):
    real = user.write(user.home / "dotfiles" / "settings.json", _CLAUDE)
    real.chmod(0o640)
    (user.home / ".claude").mkdir()
    (user.home / ".claude" / "settings.json").symlink_to(real)
    user.connect("claude-code")
    assert (user.home / ".claude" / "settings.json").is_symlink()
    assert "holdfast" in real.read_text()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert stat.S_IMODE((user.home / ".claude.json").stat().st_mode) == 0o600


@pytest.mark.parametrize("name", [name for name in PROGRAMS if connectable(name).in_project])
def test_no_link_below_a_project_is_followed(user, name):
    """A cloned project may link any of its files and folders to files of the user."""
    secrets = user.home / "secrets"
    user.write(secrets / "keys", "mine")
    for edit in edits_of(connectable(name), user.place, True):
        file = Path(edit.path)
        folders = [user.root / folder for folder in file.relative_to(user.root).parents[:-1]]
        linked = [(file, "keys"), (file, "missing"), *((folder, "") for folder in folders)]
        for link, target in linked:
            shutil.rmtree(user.root)
            link.parent.mkdir(parents=True)
            link.symlink_to(secrets / target)
            for change in (user.connect, user.remove):
                with pytest.raises(InvalidFile, match=f"{link} is a link"):
                    change(name, in_project=True)
    assert {path.name: path.read_text() for path in secrets.iterdir()} == {"keys": "mine"}


def test_nothing_is_written_through_a_link_beside_the_file(user):
    keys = user.write(user.home / ".ssh" / "authorized_keys", "mine")
    user.write(user.root / "AGENTS.md", "not mine")
    (user.root / "AGENTS.md.holdfast-part").symlink_to(keys)
    user.connect("agents-md")
    assert keys.read_text() == "mine"


@pytest.mark.parametrize("name", PROGRAMS)
def test_pipes_and_devices_are_refused_at_once(user, name):
    for edit in edits_of(connectable(name), user.place, connectable(name).in_project):
        file = Path(edit.path)
        file.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(file)
        for change in (user.connect, user.remove):
            with pytest.raises(InvalidFile, match="not a regular file"):
                change(name, in_project=connectable(name).in_project)
        file.unlink()


def test_a_device_behind_a_link_in_the_home_is_refused(user):
    (user.home / ".claude").mkdir()
    (user.home / ".claude" / "settings.json").symlink_to("/dev/zero")
    with pytest.raises(InvalidFile, match="not a regular file"):
        user.connect("claude-code")


@pytest.mark.parametrize("name", PROGRAMS)
def test_without_the_backups_only_our_entries_are_removed(user, name, tmp_path):
    user.write(user.home / ".claude" / "settings.json", _CLAUDE)
    user.write(user.home / ".claude.json", '{"theme": "dark"}')
    user.write(user.home / ".codex" / "config.toml", _CODEX + "\n")
    user.write(user.home / ".codex" / "hooks.json", '{"hooks": {"Stop": []}}')
    user.write(user.home / ".gemini" / "settings.json", '{"theme": "dark"}')
    user.write(user.home / ".config" / "opencode" / "opencode.json", '{"theme": "dark"}')
    user.write(user.root / "AGENTS.md", "# Mine\n")
    user.write(user.root / "CLAUDE.md", "")
    before = _meaning(user.files())
    user.connect(name)
    for backup in (tmp_path / "data").iterdir():
        if backup.name != "connections.json":
            backup.unlink()
    user.remove(name)
    after = _meaning(user.files())
    # A list that was there and is empty again goes with our entries.
    assert after == before | ({str(user.home / ".codex" / "hooks.json"): {}} if name == "codex" else {})


def _meaning(files):
    return {
        path: jsonc.load(text.decode()) if path.endswith("json") else text
        for path, text in files.items()
        if text is not None
    }


_FOREIGN = (
    "/home/me/holdfast-guard/bin/guard hook pre",
    "/opt/guard --after holdfast hook claude-code pre",
    "echo 'holdfast hook claude-code Stop'",
    "echo it's holdfast hook claude-code Stop",
    "/opt/holdfast hook",
)


@pytest.mark.parametrize("command", _FOREIGN)
def test_hooks_of_other_tools_stay(user, command):
    settings = user.home / ".claude" / "settings.json"
    foreign = {"hooks": [{"type": "command", "command": command}]}
    user.write(settings, json.dumps({"hooks": {"Stop": [foreign]}}))
    user.connect("claude-code")
    assert jsonc.load(settings.read_text())["hooks"]["Stop"][0] == foreign
    settings.write_text(settings.read_text() + "\n")
    user.remove("claude-code")
    assert jsonc.load(settings.read_text()) == {"hooks": {"Stop": [foreign]}}


@pytest.mark.parametrize(
    "command",
    [("holdfast",), (r"C:\Program Files\bin\holdfast.exe",), ("/usr/bin/python3", "-P", "-m", "holdfast")],
)
def test_our_hooks_are_known_however_the_program_starts(user, command):
    settings = user.write(user.home / ".claude" / "settings.json", '{"a": 1}')
    user.place = ConnectPlace(user.place.home, {}, user.place.root, command)
    user.connect("claude-code")
    settings.write_text(settings.read_text() + "\n")
    user.connections = Connections(str(user.home / "elsewhere"))
    user.remove("claude-code")
    assert jsonc.load(settings.read_text()) == {"a": 1}
    assert jsonc.load((user.home / ".claude.json").read_text()) == {}


def test_a_file_that_only_mentions_the_command_is_the_users(user):
    text = "Run `holdfast connect claude-code` on a new machine.\n"
    file = user.write(user.home / ".claude" / "commands" / "remember.md", text)
    user.connect("claude-code")
    user.remove("claude-code")
    assert file.read_text() == text


def test_an_older_file_of_ours_is_replaced_and_leaves_nothing(user, tmp_path):
    user.connect("opencode")
    plugin = user.home / ".config" / "opencode" / "plugin" / "holdfast.js"
    plugin.write_text(plugin.read_text() + "// older\n")
    user.connections = Connections(str(tmp_path / "elsewhere"))
    user.connect("opencode")
    assert "// older" not in plugin.read_text()
    user.remove("opencode")
    assert not plugin.exists()


def test_codex_shortens_no_timeout_of_ours(user):
    user.connect("codex")
    hooks = json.loads((user.home / ".codex" / "hooks.json").read_text())["hooks"]
    assert hooks["SessionEnd"][0]["hooks"][0]["timeout"] == 3


def test_folders_that_the_programs_name_in_the_environment_count(user, tmp_path):
    environment = {"CLAUDE_CONFIG_DIR": str(tmp_path / "c"), "CODEX_HOME": str(tmp_path / "x")}
    user.place = ConnectPlace(user.place.home, environment, user.place.root, ("holdfast",))
    user.connect("claude-code")
    user.connect("codex")
    assert {"settings.json", ".claude.json"} <= set(os.listdir(tmp_path / "c"))
    assert {"config.toml", "hooks.json"} <= set(os.listdir(tmp_path / "x"))


def test_a_failing_write_leaves_the_file_whole(user, monkeypatch):
    settings = user.write(user.home / ".claude" / "settings.json", _CLAUDE)
    monkeypatch.setattr(os, "replace", _fail)
    with pytest.raises(FileNotWritten, match="cannot be written"):
        user.connect("claude-code")
    assert settings.read_text() == _CLAUDE


def _fail(*arguments):
    raise OSError(28, "No space left on device")


def test_programs_on_the_path_are_found(tmp_path):
    (tmp_path / "codex").write_text("#!/bin/sh\n")
    (tmp_path / "codex").chmod(0o755)
    assert [found.name for found in installed({"PATH": str(tmp_path)})] == ["codex"]


def test_two_edits_of_one_file_do_not_disturb_each_other(user):
    file = user.write(user.home / "a", "x")
    edits = [FileEdit(str(file), lambda text: text + "1", lambda text: text.removesuffix("1"))]
    user.connections.apply(user.connections.plan(edits))
    assert file.read_text() == "x1"
    user.connections.apply(user.connections.plan_removal(edits))
    assert file.read_text() == "x"
