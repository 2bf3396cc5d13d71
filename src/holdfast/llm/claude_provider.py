"""Claude Code as language model, without its tools, hooks, servers and stored sessions."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.core.errors import ModelGarbled, ModelRefused
from holdfast.llm.program import (
    FAILED,
    Answered,
    ProgramEndpoint,
    ProgramModel,
    ProgramRequest,
    check_program,
    counts,
    last_line,
    objects,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.core.settings import Settings


def endpoint(settings: Settings, seconds: float, redact: Callable[[str], str]) -> ProgramEndpoint:
    """The program of `llm_command`."""
    return ProgramEndpoint(
        settings.llm_command, seconds, redact, ProgramModel(_claude, lambda request: request.said, _claude_answer)
    )


def check(settings: Settings) -> None:
    """Raises InvalidSettings if the program is not there."""
    check_program(settings.llm_command)


def _claude(request: ProgramRequest) -> list[str]:
    # Safe mode leaves out hooks (ours would record the call), servers, plug-ins and instruction files; not the login.
    alone = ["--safe-mode", "--strict-mcp-config", "--no-session-persistence", "--disable-slash-commands"]
    choice = ["--model", request.model] if request.model else []
    # In a file: on Windows the program may be a batch file, and then the command interpreter reads every argument.
    rules = os.path.join(request.folder, "rules.txt")
    with open(rules, "w", encoding="utf-8") as file:
        file.write(request.rules)
    return ["-p", "--output-format", "json", "--tools", "", *alone, *choice, "--system-prompt-file", rules]


def _claude_answer(output: str) -> Answered:
    found = objects([output])
    result = found[-1] if found else {}
    text = result.get("result")
    if not isinstance(text, str):
        raise ModelGarbled("claude did not print a result", hint=FAILED)
    if result.get("is_error"):
        raise ModelRefused(f"claude: {last_line(text)}", hint=FAILED)
    return Answered(text, *counts(result.get("usage")))
