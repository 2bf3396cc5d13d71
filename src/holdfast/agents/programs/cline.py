"""Cline: an MCP server in the settings that its editor extension, its program and its SDK share."""

from __future__ import annotations

from holdfast.agents.agent_program import AgentProgram

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.agents.connect.edits import FileEdit
    from holdfast.agents.connect.place import ConnectPlace


def _edits(place: ConnectPlace, in_project: bool) -> tuple[FileEdit, ...]:
    from holdfast.agents.connect.edits import server_in_json

    file = place.below_home(".cline", "data", "settings", "cline_mcp_settings.json")
    return (server_in_json(file, ("mcpServers",), place.server(place.root)),)


PROGRAM = AgentProgram(
    "cline",
    "Cline",
    edits=_edits,
    in_project=False,
    commands=("cline",),
    note="Its MCP server serves this project; run the command again in another project to change that.",
    instructions=(".clinerules", "AGENTS.md"),
)
