"""Zed: an MCP server, which it calls a context server, in its settings."""

from __future__ import annotations

import os
import sys

from holdfast.agents.agent_program import AgentProgram

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.agents.connect.edits import FileEdit
    from holdfast.agents.connect.place import ConnectPlace


def _edits(place: ConnectPlace, in_project: bool) -> tuple[FileEdit, ...]:
    from holdfast.agents.connect.edits import server_in_json

    folder = place.below_root(".zed") if in_project else _user_folder(place)
    server = {"source": "custom", **place.server(place.root), "env": {}}
    edit = server_in_json(os.path.join(folder, "settings.json"), ("context_servers",), server)
    return place.in_project(edit) if in_project else (edit,)


def _user_folder(place: ConnectPlace) -> str:
    if sys.platform == "win32":
        return os.path.join(place.config("APPDATA", "AppData", "Roaming"), "Zed")
    usual = place.below_home(".config") if sys.platform == "darwin" else place.config("XDG_CONFIG_HOME", ".config")
    return os.path.join(usual, "zed")


PROGRAM = AgentProgram(
    "zed",
    "Zed",
    edits=_edits,
    commands=("zed", "zeditor"),
    note="Its MCP server serves this project; connect other projects with --for-project.",
    instructions=("AGENTS.md",),
)
