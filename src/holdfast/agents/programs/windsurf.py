"""Windsurf: an MCP server in the user's file, and Cascade hooks, which record but give the model nothing."""

from __future__ import annotations

import os

from holdfast.agents import hook_input as points
from holdfast.agents.agent_program import AgentProgram

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from holdfast.agents.connect.edits import FileEdit, HookEntry
    from holdfast.agents.connect.place import ConnectPlace
    from holdfast.agents.hook_input import HookAnswer, HookInput

_EVENTS = {
    "pre_user_prompt": points.PROMPT,
    "post_read_code": points.AFTER_TOOL,
    "post_write_code": points.AFTER_TOOL,
    "post_run_command": points.AFTER_TOOL,
    "post_mcp_tool_use": points.AFTER_TOOL,
    "post_cascade_response": points.STOP,
}
_TOOLS = {"post_read_code": "read", "post_write_code": "edit", "post_run_command": "run_command"}


def _in_claude_form(event: str, payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """Windsurf starts a hook in the workspace, does not name it, and has no tools but events."""
    given = payload.get("tool_info")
    about = given if isinstance(given, dict) else {}
    served = f"mcp__{about.get('mcp_server_name')}__{about.get('mcp_tool_name')}"
    return {
        "session_id": payload.get("trajectory_id"),
        "cwd": os.getcwd(),
        "prompt": about.get("user_prompt"),
        "last_assistant_message": about.get("response"),
        "tool_name": _TOOLS.get(event, served),
        "tool_input": about.get("mcp_tool_arguments", {**about, "command": about.get("command_line")}),
        "tool_response": about.get("mcp_result"),
    }


def _answer(input: HookInput, event: str, answer: HookAnswer, message: str) -> Mapping[str, Any]:
    return {}


def _entry(hook: HookEntry) -> Mapping[str, Any]:
    return {"command": hook.line, "show_output": False}


def _edits(place: ConnectPlace, in_project: bool) -> tuple[FileEdit, ...]:
    from holdfast.agents.connect.edits import hooks_in_json, server_in_json

    folder = place.below_home(".codeium", "windsurf")
    server = place.server(place.root)
    return (
        server_in_json(os.path.join(folder, "mcp_config.json"), ("mcpServers",), server),
        hooks_in_json(os.path.join(folder, "hooks.json"), place.hooks(PROGRAM.name, _EVENTS), entry=_entry),
    )


PROGRAM = AgentProgram(
    "windsurf",
    "Windsurf",
    events=_EVENTS,
    in_claude_form=_in_claude_form,
    answer=_answer,
    text_at=(),
    edits=_edits,
    in_project=False,
    commands=("windsurf",),
    note="Its MCP server serves this project; run the command again in another project to change that.",
    instructions=("AGENTS.md", ".windsurfrules"),
    user_instructions=(".codeium/windsurf/memories/global_rules.md",),
)
