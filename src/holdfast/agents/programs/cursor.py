"""Cursor: hooks in hooks.json, an MCP server in the project."""

from __future__ import annotations

from holdfast.agents import hook_input as points
from holdfast.agents.agent_program import AgentProgram, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from holdfast.agents.connect.edits import FileEdit, HookEntry
    from holdfast.agents.connect.place import ConnectPlace
    from holdfast.agents.hook_input import HookAnswer, HookInput

_EVENTS = {
    "sessionStart": points.START,
    "beforeSubmitPrompt": points.PROMPT,
    "postToolUse": points.AFTER_TOOL,
    "preCompact": points.COMPACT,
    "afterAgentResponse": points.STOP,
    "sessionEnd": points.END,
}
# How Cursor names the tool of a server, without the server. Our own tools are not those of strangers.
_SERVED = "MCP:"
OUR_TOOLS = frozenset(
    "search_memory remember correct_memory confirm_memory forget_memory memory_stats get_entity get_session_context"
    " record_outcome index_project analyze_impact get_dependencies trace_data_flow".split()
)


def _in_claude_form(event: str, payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """Cursor names the conversation and the folders of its window, and calls a result an output."""
    roots = payload.get("workspace_roots")
    failed = payload.get("error_message")
    return {
        **payload,
        "session_id": payload.get("conversation_id") or payload.get("session_id"),
        "cwd": payload.get("cwd") or (roots[0] if isinstance(roots, list) and roots else ""),
        "last_assistant_message": payload.get("text"),
        "tool_name": _tool(str(payload.get("tool_name") or "")),
        "tool_response": {"error": failed} if failed else payload.get("tool_output"),
    }


def _tool(name: str) -> str:
    called = name.removeprefix(_SERVED)
    return f"mcp__{'holdfast' if called in OUR_TOOLS else 'cursor'}__{called}" if called != name else name


def _answer(input: HookInput, event: str, answer: HookAnswer, message: str) -> Mapping[str, Any]:
    text = text_of(answer)
    return {"additional_context": text} if text else {}


def _entry(hook: HookEntry) -> Mapping[str, Any]:
    return {"command": hook.line}


def _edits(place: ConnectPlace, in_project: bool) -> tuple[FileEdit, ...]:
    from holdfast.agents.connect.edits import hooks_in_json, server_in_json

    # A server of the user's file would not be started in the project, so the server always goes into the project.
    server = server_in_json(
        place.below_root(".cursor", "mcp.json"), ("mcpServers",), place.server("${workspaceFolder}")
    )
    file = place.below_root(".cursor", "hooks.json") if in_project else place.below_home(".cursor", "hooks.json")
    hooks = hooks_in_json(file, place.hooks(PROGRAM.name, _EVENTS), entry=_entry, version=1)
    return place.in_project(server, hooks) if in_project else (*place.in_project(server), hooks)


PROGRAM = AgentProgram(
    "cursor",
    "Cursor",
    events=_EVENTS,
    in_claude_form=_in_claude_form,
    answer=_answer,
    silence="{}",
    text_at=(points.START, points.AFTER_TOOL),  # A prompt can only be let through or stopped.
    edits=_edits,
    commands=("cursor", "cursor-agent"),
    instructions=("AGENTS.md", ".cursorrules"),
)
