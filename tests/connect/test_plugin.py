"""The plug-in for Claude Code does what `holdfast connect claude-code` does."""

from __future__ import annotations

import json
from pathlib import Path

import holdfast
from holdfast.agents.connect.connections import Connections
from holdfast.agents.connect.place import ConnectPlace
from holdfast.agents.connectable import connectable, edits_of

PLUGIN = Path(__file__).parents[2] / "plugins" / "holdfast"
_NOTE = "<!-- written by `holdfast connect` -->\n"


def connected(folder: Path) -> Path:
    place = ConnectPlace(str(folder), {}, str(folder), ("holdfast",))
    connections = Connections(str(folder / "data"))
    connections.apply(connections.plan(edits_of(connectable("claude-code"), place, False)))
    return folder


def test_the_plugin_has_the_same_hooks_server_and_commands(tmp_path):
    home = connected(tmp_path)
    hooks = json.loads((PLUGIN / "hooks" / "hooks.json").read_text())["hooks"]
    assert hooks == json.loads((home / ".claude" / "settings.json").read_text())["hooks"]
    manifest = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text())
    server = json.loads((home / ".claude.json").read_text())["mcpServers"]["holdfast"]
    assert {"type": "stdio", **manifest["mcpServers"]["holdfast"]} == server
    assert manifest["version"] == holdfast.__version__
    for name in ("remember.md", "recall.md"):
        written = (home / ".claude" / "commands" / name).read_text().replace(_NOTE, "")
        assert (PLUGIN / "commands" / name).read_text() == written
