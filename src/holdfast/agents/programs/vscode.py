"""VS Code (Copilot): an MCP server. It reads the hooks of Copilot CLI by itself."""

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

    folder = place.below_root(".vscode") if in_project else _user_folder(place)
    server = {"type": "stdio", **place.server("${workspaceFolder}")}
    edit = server_in_json(os.path.join(folder, "mcp.json"), ("servers",), server)
    return place.in_project(edit) if in_project else (edit,)


def _user_folder(place: ConnectPlace) -> str:
    if sys.platform == "darwin":
        return place.below_home("Library", "Application Support", "Code", "User")
    if sys.platform == "win32":
        return os.path.join(place.config("APPDATA", "AppData", "Roaming"), "Code", "User")
    return os.path.join(place.config("XDG_CONFIG_HOME", ".config"), "Code", "User")


PROGRAM = AgentProgram(
    "vscode",
    "VS Code",
    edits=_edits,
    commands=("code",),
    instructions=(".github/copilot-instructions.md", "AGENTS.md"),
)
