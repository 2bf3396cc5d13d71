"""The agent programs whose hooks we answer: their names for events, and the form of their input and our answer."""

from __future__ import annotations

from holdfast.agents import hook_input as points
from holdfast.agents.hook_input import LONGEST_NAME, HookInput
from holdfast.core.light_json import write_json
from holdfast.interfaces.hooks.turn_message import turn_message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from holdfast.agents.hook_input import HookAnswer

# Claude Code replaces a longer text by a preview, Codex cuts out its middle.
MOST_CHARACTERS = 9_500
_LONGEST_RESULT, _LONGEST_PATH = 100_000, 4_096

_CLAUDE = {
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
# Without PreCompress: Gemini CLI calls it before every request, whether or not it then shortens the context.
_GEMINI = {
    "SessionStart": points.START,
    "BeforeAgent": points.PROMPT,
    "BeforeTool": points.BEFORE_TOOL,
    "AfterTool": points.AFTER_TOOL,
    "AfterAgent": points.STOP,
    "SessionEnd": points.END,
}
_OPENCODE = {point: point for point in points.POINTS}
# Each program: its events, and the moment that each of them reports.
CLIENTS: Mapping[str, Mapping[str, str]] = {
    "claude-code": _CLAUDE,
    "codex": _CLAUDE,
    "gemini": _GEMINI,
    "opencode": _OPENCODE,
}
# Programs that answer with a plain object, because our own plug-in reads it.
_PLAIN = ("opencode",)
# Programs that show a message to the person at the end of a turn.
_WITH_MESSAGE = ("claude-code", "gemini")
# Moments at which a program accepts a text for the model.
_WITH_CONTEXT = (points.START, points.PROMPT, points.BEFORE_TOOL, points.AFTER_TOOL, points.AGENT_START)


def read_input(client: str, event: str, payload: object) -> HookInput:
    """The call that a program reports. Raises ValueError if the program, the event or the session is unknown."""
    if client not in CLIENTS:
        raise ValueError(f"unknown agent {client!r}")
    if not isinstance(payload, dict):
        raise ValueError("the input is not a JSON object")
    name = event or _text(payload, "hook_event_name")
    if name not in CLIENTS[client]:
        raise ValueError(f"unknown event {name[:40]!r} of {client}")
    session, cwd = _text(payload, "session_id", "sessionID"), _text(payload, "cwd")
    if not session or not cwd:
        raise ValueError("the input names no session or no folder")
    if len(session) > LONGEST_NAME:
        raise ValueError(f"the session has an id of more than {LONGEST_NAME} characters")
    response = payload.get("tool_response")
    args = payload.get("tool_input")
    return HookInput(
        client,
        CLIENTS[client][name],
        session,
        cwd,
        text=_text(payload, "prompt", "last_assistant_message", "prompt_response"),
        tool=_text(payload, "tool_name"),
        args=args if isinstance(args, dict) else {"input": args} if isinstance(args, str) else {},
        result=(_text(payload, "error") or _text_of(response))[:_LONGEST_RESULT],
        error=name == "PostToolUseFailure" or _is_error(response),
        call=_text(payload, "tool_use_id", "call_id"),
        agent=_text(payload, "agent_id"),
        source=_text(payload, "source", "trigger", "reason"),
        transcript=path if len(path := _text(payload, "transcript_path")) <= _LONGEST_PATH else "",
    )


def write_answer(input: HookInput, event: str, answer: HookAnswer) -> str:
    """The answer in the program's form; empty if there is nothing to say."""
    if input.client in _PLAIN:
        texts = {"context": answer.context, "request": answer.request}
        return write_json({name: text for name, text in texts.items() if text}) if any(texts.values()) else ""
    output: dict[str, Any] = {}
    text = "\n".join(filter(None, (answer.context, answer.request)))
    if text and input.point in _WITH_CONTEXT:
        output["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": text}
    if (answer.given or answer.stored) and input.client in _WITH_MESSAGE:
        output["systemMessage"] = turn_message(answer, input.session)
    return write_json(output) if output else ""


def _text(payload: Mapping[str, Any], *names: str) -> str:
    for name in names:
        value = payload.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


# The keys under which tools return what the model reads, in the order we want it.
_RESULT_KEYS = ("stdout", "stderr", "output", "content", "text", "llmContent", "error", "file", "result")


def _text_of(response: object, depth: int = 0) -> str:
    """What a tool returned, as text."""
    if isinstance(response, str):
        return response
    if depth > 3 or response is None:
        return ""
    if isinstance(response, list):
        return "\n".join(filter(None, (_text_of(item, depth + 1) for item in response[:50])))
    if isinstance(response, dict):
        parts = [_text_of(response[key], depth + 1) for key in _RESULT_KEYS if key in response]
        return "\n".join(filter(None, parts)) or (write_json(response) if depth == 0 else "")
    return str(response)


def _is_error(response: object) -> bool:
    if not isinstance(response, dict):
        return False
    code = response.get("exit_code", response.get("exitCode", 0))
    failed = isinstance(code, int) and not isinstance(code, bool) and code != 0
    return failed or any(response.get(name) is True for name in ("is_error", "isError")) or bool(response.get("error"))
