"""Claude Code: hooks in its settings, an MCP server, commands; transcripts in a folder named after the project."""

from __future__ import annotations

import os

from holdfast.agents import hook_input as points
from holdfast.agents.agent_program import AgentProgram

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from holdfast.agents.connect.edits import FileEdit
    from holdfast.agents.connect.place import ConnectPlace
    from holdfast.agents.session_folder import SessionFolder

EVENTS = {
    "SessionStart": points.START,
    "UserPromptSubmit": points.PROMPT,
    "PreToolUse": points.BEFORE_TOOL,
    "PostToolUse": points.AFTER_TOOL,
    "PostToolUseFailure": points.AFTER_TOOL,
    "PreCompact": points.COMPACT,
    "Stop": points.STOP,
    "SubagentStart": points.AGENT_START,
    "SubagentStop": points.AGENT_STOP,
    "SessionEnd": points.END,
}
# Tools that change a file: what memory knows about it must come before.
EDITING: Mapping[str, str] = {"PreToolUse": "Edit|Write|MultiEdit|NotebookEdit"}


def _edits(place: ConnectPlace, in_project: bool) -> tuple[FileEdit, ...]:
    from holdfast.agents.connect.edits import hooks_in_json, server_in_json
    from holdfast.agents.connect.place import markdown_commands
    from holdfast.system.light_settings import read_setting

    # With all tools, Claude Code loads only those that ask for it, and shows the names of the others.
    load = read_setting(place.environment, "mcp_tools") != "all"
    server = {"type": "stdio", **place.server(), "alwaysLoad": load}
    hooks = place.hooks(PROGRAM.name, EVENTS, EDITING)
    if in_project:
        folder = place.below_root(".claude")
        return place.in_project(
            hooks_in_json(os.path.join(folder, "settings.local.json"), hooks),
            server_in_json(place.below_root(".mcp.json"), ("mcpServers",), server),
            *markdown_commands(os.path.join(folder, "commands")),
        )
    folder = place.config("CLAUDE_CONFIG_DIR", ".claude")
    state = place.environment.get("CLAUDE_CONFIG_DIR") or place.home
    return (
        hooks_in_json(os.path.join(folder, "settings.json"), hooks),
        server_in_json(os.path.join(state, ".claude.json"), ("mcpServers",), server),
        *markdown_commands(os.path.join(folder, "commands")),
    )


def _sessions(root: str, home: str, known: Collection[str]) -> SessionFolder:
    """Claude Code names the folder of a project after its path."""
    import glob

    from holdfast.agents.session_folder import SessionFolder, is_unknown

    name = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in root)
    path = os.path.join(home, ".claude", "projects", name)
    files = glob.glob(os.path.join(glob.escape(path), "*.jsonl"))
    return SessionFolder(PROGRAM.title, path, sum(is_unknown(file, known) for file in files))


PROGRAM = AgentProgram(
    "claude-code",
    "Claude Code",
    events=EVENTS,
    shows_message=True,
    edits=_edits,
    commands=("claude",),
    instructions=("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"),
    user_instructions=(".claude/CLAUDE.md",),
    reader="holdfast.agents.transcripts.claude_code_reader",
    sessions=_sessions,
    as_model="claude",
)
