"""Codex: hooks in a file of their own, an MCP server in TOML, prompts; rollouts in folders by day."""

from __future__ import annotations

import os

from holdfast.agents.agent_program import AgentProgram
from holdfast.agents.programs.claude_code import EDITING, EVENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from holdfast.agents.connect.edits import FileEdit
    from holdfast.agents.connect.place import ConnectPlace
    from holdfast.agents.session_folder import SessionFolder


def _edits(place: ConnectPlace, in_project: bool) -> tuple[FileEdit, ...]:
    from dataclasses import replace

    from holdfast.agents.connect.edits import hooks_in_json, lines_in_toml
    from holdfast.agents.connect.place import in_toml, markdown_commands

    folder = place.config("CODEX_HOME", ".codex")
    server = [f"{key} = {in_toml(value)}" for key, value in place.server().items()]
    hooks = (hook for hook in place.hooks(PROGRAM.name, EVENTS, EDITING) if hook.event != "PostToolUseFailure")
    # Codex shortens a longer time at the end, and says so at each start.
    hooks = (replace(hook, timeout=3) if hook.event == "SessionEnd" else hook for hook in hooks)
    return (
        lines_in_toml(os.path.join(folder, "config.toml"), "mcp_servers.holdfast", server),
        hooks_in_json(os.path.join(folder, "hooks.json"), list(hooks)),
        *markdown_commands(os.path.join(folder, "prompts")),
    )


def _sessions(root: str, home: str, known: Collection[str]) -> SessionFolder:
    import glob

    from holdfast.agents.session_folder import EXAMINED, SessionFolder, is_of, is_unknown

    path = os.path.join(home, ".codex", "sessions")
    files = glob.glob(os.path.join(glob.escape(path), "*", "*", "*", "rollout-*.jsonl"))
    newest = sorted(files, reverse=True)[:EXAMINED]
    return SessionFolder(PROGRAM.title, path, sum(is_unknown(file, known) and is_of(file, root) for file in newest))


PROGRAM = AgentProgram(
    "codex",
    "Codex",
    events=EVENTS,
    edits=_edits,
    in_project=False,
    commands=("codex",),
    note="Codex asks at its next start whether you trust the new hooks.",
    instructions=("AGENTS.md",),
    user_instructions=(".codex/AGENTS.md",),
    reader="holdfast.agents.transcripts.codex_reader",
    sessions=_sessions,
    as_model="codex",
)
