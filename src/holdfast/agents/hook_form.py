"""Reads the input of a hook and writes its answer, in the form of the program that called it."""

from __future__ import annotations

from holdfast.agents.hook_input import LONGEST_NAME, HookInput
from holdfast.agents.programs import hooked
from holdfast.core.light_json import write_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from holdfast.agents.agent_program import AgentProgram
    from holdfast.agents.hook_input import HookAnswer

# Claude Code replaces a longer text by a preview, Codex cuts out its middle.
MOST_CHARACTERS = 9_500
_LONGEST_RESULT, _LONGEST_PATH = 100_000, 4_096


def read_input(client: str, event: str, payload: object) -> HookInput:
    """The call that a program reports. Raises ValueError if the program, the event or the session is unknown."""
    program = hooked(client)
    if program is None:
        raise ValueError(f"unknown agent {client!r}")
    if not isinstance(payload, dict):
        raise ValueError("the input is not a JSON object")
    name = event or _text(payload, "hook_event_name")
    if name not in program.events:
        raise ValueError(f"unknown event {name[:40]!r} of {client}")
    given = program.in_claude_form(name, payload) if program.in_claude_form else payload
    return _input(program, name, given)


def write_answer(input: HookInput, event: str, answer: HookAnswer, message: str = "") -> str:
    """The answer in the program's form, with a line for the person; empty if there is nothing to say."""
    program = hooked(input.client)
    output = program.answer(input, event, answer, message if program.shows_message else "") if program else {}
    return write_json(output) if output else program.silence if program else ""


def _input(program: AgentProgram, name: str, payload: Mapping[str, Any]) -> HookInput:
    session, cwd = _text(payload, "session_id", "sessionID"), _text(payload, "cwd")
    if not session or not cwd:
        raise ValueError("the input names no session or no folder")
    if len(session) > LONGEST_NAME:
        raise ValueError(f"the session has an id of more than {LONGEST_NAME} characters")
    response = payload.get("tool_response")
    args = payload.get("tool_input")
    return HookInput(
        program.name,
        program.events[name],
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
        takes_text=program.events[name] in program.text_at,
    )


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
