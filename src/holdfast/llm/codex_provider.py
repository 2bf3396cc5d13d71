"""Codex as language model, without its tools, hooks, servers and stored sessions."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from holdfast.core.errors import ModelGarbled, ModelRefused
from holdfast.llm.program import (
    FAILED,
    Answered,
    ProgramEndpoint,
    ProgramModel,
    ProgramRequest,
    both_texts,
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
    how = ProgramModel(_codex, both_texts, _codex_answer)
    return ProgramEndpoint(settings.llm_command, seconds, redact, how)


def check(settings: Settings) -> None:
    """Raises InvalidSettings if the program is not there."""
    check_program(settings.llm_command)


# What Codex can do besides answering. Applying patches stays: the sandbox is read-only, and the folder empty.
_CODEX_FEATURES = (
    "shell_tool", "unified_exec", "hooks", "apps", "multi_agent", "view_image", "goals", "sleep_tool", "plugins",
    "skill_search", "tool_suggest", "image_generation", "browser_use", "computer_use",
)  # fmt: skip
_SERVER = re.compile(r"[\w-]+", re.ASCII)


def _codex(request: ProgramRequest) -> list[str]:
    off = [word for feature in _CODEX_FEATURES for word in ("--disable", feature)]
    values = ('web_search="disabled"', "notify=[]", *_without_servers(request.run(["mcp", "list", "--json"])))
    settings = [word for value in values for word in ("-c", value)]
    choice = ["--model", request.model] if request.model else []
    alone = ["--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only"]
    return ["exec", "--json", *alone, *settings, *off, *choice, "-"]


def _without_servers(listed: str) -> list[str]:
    """The settings that switch off the person's MCP servers, one by one: an empty table would switch off none."""
    try:
        names = [server["name"] for server in json.loads(listed)]
    except (ValueError, RecursionError, TypeError, KeyError):
        raise ModelGarbled("codex did not list its MCP servers", hint=FAILED) from None
    for name in names:
        if not isinstance(name, str) or not _SERVER.fullmatch(name):
            raise ModelRefused(f"codex has an MCP server that cannot be switched off: {name!r:.80}", hint="Rename it.")
    return [f"mcp_servers.{name}.enabled=false" for name in names]


def _codex_answer(output: str) -> Answered:
    said, spent = None, None
    for event in objects(output.split("\n")):
        item = event.get("item")
        if event.get("type") == "item.completed" and isinstance(item, Mapping) and item.get("type") == "agent_message":
            said = item.get("text")
        spent = event.get("usage", spent)
        if event.get("type") == "turn.failed":
            raise ModelRefused(f"codex: {last_line(str(event.get('error')))}", hint=FAILED)
    if not isinstance(said, str):
        raise ModelGarbled("codex did not print an answer", hint=FAILED)
    return Answered(said, *counts(spent))
