"""Copilot CLI: hooks in a file of their own, which VS Code reads too; an MCP server; sessions in folders by id."""

from __future__ import annotations

import os

from holdfast.agents import hook_input as points
from holdfast.agents.agent_program import AgentProgram, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    from holdfast.agents.connect.edits import FileEdit, HookEntry
    from holdfast.agents.connect.place import ConnectPlace
    from holdfast.agents.hook_input import HookAnswer, HookInput
    from holdfast.agents.session_folder import SessionFolder

_EVENTS = {
    "sessionStart": points.START,
    "userPromptSubmitted": points.PROMPT,
    "postToolUse": points.AFTER_TOOL,
    "preCompact": points.COMPACT,
    "agentStop": points.STOP,
    "sessionEnd": points.END,
}
# How VS Code names the events whose answer reaches its model.
_IN_VSCODE = {points.START: "SessionStart", points.AFTER_TOOL: "PostToolUse"}


def _in_claude_form(event: str, payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """Copilot CLI writes its fields in camel case, VS Code most of them as Claude Code does."""
    result = payload.get("toolResult", payload.get("tool_result", payload.get("tool_response")))
    about = result if isinstance(result, dict) else {}
    text = about.get("textResultForLlm", about.get("text_result_for_llm"))
    failed = about.get("resultType", about.get("result_type", "success")) != "success"
    return {
        **payload,
        "session_id": payload.get("session_id") or payload.get("sessionId"),
        "transcript_path": payload.get("transcript_path") or payload.get("transcriptPath"),
        "tool_name": _tool(str(payload.get("tool_name") or payload.get("toolName") or "")),
        "tool_input": payload.get("tool_input", payload.get("toolArgs")),
        "tool_response": {"text": text, "is_error": failed} if about else result,
    }


def _tool(name: str) -> str:
    """The name of a tool; Copilot CLI puts a hyphen between a server and its tool, and none into its own names."""
    server, hyphen, called = name.partition("-")
    return f"mcp__{server}__{called}" if hyphen else name


def _answer(input: HookInput, event: str, answer: HookAnswer, message: str) -> Mapping[str, Any]:
    """The answer for Copilot CLI, and beside it the one for VS Code."""
    text = text_of(answer)
    if not text:
        return {}
    named = _IN_VSCODE.get(input.point)
    also = {"hookSpecificOutput": {"hookEventName": named, "additionalContext": text}} if named else {}
    return {"additionalContext": text, **also}


def _entry(hook: HookEntry) -> Mapping[str, Any]:
    return {"type": "command", "bash": hook.line, "powershell": f"& {hook.line}", "timeoutSec": hook.timeout}


def _edits(place: ConnectPlace, in_project: bool) -> tuple[FileEdit, ...]:
    from holdfast.agents.connect.edits import hooks_in_json, server_in_json

    server, hooks = {"type": "local", **place.server(), "tools": ["*"]}, place.hooks(PROGRAM.name, _EVENTS)
    folder = place.below_root(".github") if in_project else place.config("COPILOT_HOME", ".copilot")
    servers = place.below_root(".mcp.json") if in_project else os.path.join(folder, "mcp-config.json")
    edits = (
        server_in_json(servers, ("mcpServers",), server),
        hooks_in_json(os.path.join(folder, "hooks", "holdfast.json"), hooks, entry=_entry, version=1),
    )
    return place.in_project(*edits) if in_project else edits


def _sessions(root: str, home: str, known: Collection[str]) -> SessionFolder:
    import glob

    from holdfast.agents.session_folder import EXAMINED, SessionFolder, is_of

    path = os.path.join(home, ".copilot", "session-state")
    files = sorted(glob.glob(os.path.join(glob.escape(path), "*", "events.jsonl")))[:EXAMINED]
    new = (file for file in files if os.path.basename(os.path.dirname(file)) not in known)
    return SessionFolder(PROGRAM.title, path, sum(is_of(file, root) for file in new))


PROGRAM = AgentProgram(
    "copilot",
    "Copilot CLI",
    events=_EVENTS,
    in_claude_form=_in_claude_form,
    answer=_answer,
    edits=_edits,
    commands=("copilot",),
    instructions=(".github/copilot-instructions.md", "AGENTS.md"),
    user_instructions=(".copilot/copilot-instructions.md",),
    reader="holdfast.agents.transcripts.copilot_reader",
    sessions=_sessions,
)
