"""opencode: a plug-in of ours that calls the hooks, an MCP server in its settings, commands."""

from __future__ import annotations

import os

from holdfast.agents import hook_input as points
from holdfast.agents.agent_program import AgentProgram

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.agents.connect.edits import FileEdit
    from holdfast.agents.connect.place import ConnectPlace
    from holdfast.agents.hook_input import HookAnswer, HookInput


def _answer(input: HookInput, event: str, answer: HookAnswer, message: str) -> Mapping[str, str]:
    """A plain object, because our own plug-in reads it."""
    texts = {"context": answer.context, "request": answer.request}
    return {name: text for name, text in texts.items() if text}


def _edits(place: ConnectPlace, in_project: bool) -> tuple[FileEdit, ...]:
    import json

    from holdfast.agents.connect.edits import server_in_json, whole_file
    from holdfast.agents.connect.place import MARK, asset, markdown_commands

    folder = place.config("XDG_CONFIG_HOME", ".config")
    settings, own = os.path.join(folder, "opencode"), os.path.join(folder, "opencode")
    if in_project:
        settings, own = place.root, place.below_root(".opencode")
    names = ("opencode.jsonc", "opencode.json")
    name = next((name for name in names if os.path.exists(os.path.join(settings, name))), names[-1])
    server = {"type": "local", "command": [*place.command, "mcp"], "enabled": True}
    plugin = asset("opencode.js").replace("__COMMAND__", json.dumps(list(place.command)))
    edits = (
        server_in_json(os.path.join(settings, name), ("mcp",), server),
        whole_file(os.path.join(own, "plugin", "holdfast.js"), plugin, MARK),
        *markdown_commands(os.path.join(own, "command")),
    )
    return place.in_project(*edits) if in_project else edits


PROGRAM = AgentProgram(
    "opencode",
    "opencode",
    events={point: point for point in points.POINTS},
    answer=_answer,
    edits=_edits,
    commands=("opencode",),
    instructions=("AGENTS.md",),
    user_instructions=(".config/opencode/AGENTS.md",),
    reader="holdfast.agents.transcripts.opencode_reader",
)
