"""Who runs the command line: a person, or an agent in its shell. What an agent runs there is the agent's word."""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.core.errors import NotPermitted
from holdfast.core.memory import USER_TAUGHT

_AGENT = "agent_explicit"
# Agent programs set one of these for the commands that they run. Variables that editors set in terminals of people are
# none of them, such as CLAUDE_CODE_SSE_PORT and CURSOR_TRACE_ID.
_OF_AGENTS = (
    "CLAUDECODE", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "CODEX_CI", "GEMINI_CLI",
    "OPENCODE", "CURSOR_AGENT", "AI_AGENT",
)  # fmt: skip


def is_agent(environment: Mapping[str, str]) -> bool:
    """Was this program started by an agent?"""
    return any(environment.get(name) for name in _OF_AGENTS)


def source_of(environment: Mapping[str, str], asked: str | None = None) -> str:
    """The source of what this call stores or changes. Raises NotPermitted if an agent asks to speak as the person."""
    if not is_agent(environment):
        return asked or USER_TAUGHT
    if asked == USER_TAUGHT:
        check_person(environment, f"remember --source {USER_TAUGHT}")
    return asked or _AGENT


def check_person(environment: Mapping[str, str], command: str) -> None:
    """Raises NotPermitted if an agent runs a command that only a person may run."""
    if is_agent(environment):
        hint = "Ask the user to run it in a terminal of their own."
        raise NotPermitted(f"`holdfast {command}` was run in the shell of an agent", hint=hint)
