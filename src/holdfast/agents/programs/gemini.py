"""Gemini CLI: hooks and an MCP server in its settings, commands in TOML; chats in folders by project."""

from __future__ import annotations

import os

from holdfast.agents import hook_input as points
from holdfast.agents.agent_program import AgentProgram

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from holdfast.agents.connect.edits import FileEdit
    from holdfast.agents.connect.place import ConnectPlace
    from holdfast.agents.session_folder import SessionFolder

# Without PreCompress: Gemini CLI calls it before every request, whether or not it then shortens the context.
_EVENTS = {
    "SessionStart": points.START,
    "BeforeAgent": points.PROMPT,
    "BeforeTool": points.BEFORE_TOOL,
    "AfterTool": points.AFTER_TOOL,
    "AfterAgent": points.STOP,
    "SessionEnd": points.END,
}


def _edits(place: ConnectPlace, in_project: bool) -> tuple[FileEdit, ...]:
    from dataclasses import replace

    from holdfast.agents.connect.edits import both_in_json, hooks_in_json, server_in_json
    from holdfast.agents.connect.place import own_file

    folder = place.below_root(".gemini") if in_project else place.below_home(".gemini")
    file = os.path.join(folder, "settings.json")
    hooks = [
        replace(hook, timeout=hook.timeout * 1000)  # Gemini CLI counts milliseconds.
        for hook in place.hooks(PROGRAM.name, _EVENTS)
        if hook.event != "BeforeTool"
    ]
    settings = both_in_json(
        file,
        hooks_in_json(file, hooks, lambda hook: hook.group("holdfast")),
        server_in_json(file, ("mcpServers",), place.server()),
    )
    names = ("remember.toml", "recall.toml")
    edits = (settings, *(own_file(os.path.join(folder, "commands", name), name) for name in names))
    return place.in_project(*edits) if in_project else edits


def _sessions(root: str, home: str, known: Collection[str]) -> SessionFolder:
    """Gemini CLI writes the hash of the folder near the beginning of a chat."""
    import glob
    import hashlib

    from holdfast.agents.session_folder import EXAMINED, SessionFolder, head

    path = os.path.join(home, ".gemini", "tmp")
    files = glob.glob(os.path.join(glob.escape(path), "*", "chats", "*.json*"))
    hash = hashlib.sha256(os.fsencode(root)).hexdigest()
    heads = (head(file) for file in sorted(files, key=os.path.basename, reverse=True)[:EXAMINED])
    new = sum(hash in text and not any(f'"{id}"' in text for id in known) for text in heads)
    return SessionFolder(PROGRAM.title, path, new)


PROGRAM = AgentProgram(
    "gemini",
    "Gemini CLI",
    events=_EVENTS,
    shows_message=True,
    edits=_edits,
    commands=("gemini",),
    instructions=("GEMINI.md",),
    user_instructions=(".gemini/GEMINI.md",),
    reader="holdfast.agents.transcripts.gemini_reader",
    sessions=_sessions,
)
