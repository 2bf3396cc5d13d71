"""The agent programs that can be connected: which files each needs, and what goes into them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.resources import files

from holdfast.agents.connect.edits import (
    FileEdit,
    HookEntry,
    both_in_json,
    hooks_in_json,
    lines_in_toml,
    section_in_markdown,
    server_in_json,
    whole_file,
)
from holdfast.core.errors import InvalidInput
from holdfast.core.frozen import frozen
from holdfast.system.light_settings import read_setting

_MARK = "holdfast connect"
# Tools that change a file: what memory knows about it must come before.
_EDITING = "Edit|Write|MultiEdit|NotebookEdit"
# Seconds that a program waits for a hook; ours gives up after three.
_SLOW, _FAST = 10, 5
_CLAUDE_EVENTS = {
    "SessionStart": (_SLOW, ""),
    "UserPromptSubmit": (_SLOW, ""),
    "PreToolUse": (_FAST, _EDITING),
    "PostToolUse": (_FAST, ""),
    "PostToolUseFailure": (_FAST, ""),
    "PreCompact": (_FAST, ""),
    "SubagentStart": (_SLOW, ""),
    "SubagentStop": (_FAST, ""),
    "Stop": (_FAST, ""),
    "SessionEnd": (_FAST, ""),
}
_CODEX_EVENTS = {name: value for name, value in _CLAUDE_EVENTS.items() if name != "PostToolUseFailure"} | {
    "SessionEnd": (3, ""),  # Codex shortens a longer one, and says so at each start.
}
_GEMINI_EVENTS = {
    "SessionStart": (_SLOW, ""),
    "BeforeAgent": (_SLOW, ""),
    "AfterTool": (_FAST, ""),
    "AfterAgent": (_FAST, ""),
    "SessionEnd": (_FAST, ""),
}


@frozen
class ConnectPlace:
    """Where to connect: the user's home, its environment, the project's folder, and our command."""

    home: str
    environment: Mapping[str, str]
    root: str
    command: tuple[str, ...]

    def config(self, variable: str, *usual: str) -> str:
        """The folder that a variable names, or else its usual place in the home folder."""
        return self.environment.get(variable) or os.path.join(self.home, *usual)


@frozen
class AgentProgram:
    """A program that can be connected: its name, its title, the changes of its files, and its own commands.

    `in_project`: can it be connected for one project only?
    """

    name: str
    title: str
    edits: Callable[[ConnectPlace, bool], tuple[FileEdit, ...]]
    commands: tuple[str, ...] = ()
    in_project: bool = True


def program(name: str) -> AgentProgram:
    """The program with that name. Raises InvalidInput, which lists the known ones."""
    if name not in PROGRAMS:
        raise InvalidInput(f"agent {name!r}", hint=f"Use one of: {', '.join(PROGRAMS)}.")
    return PROGRAMS[name]


def installed(environment: Mapping[str, str]) -> tuple[AgentProgram, ...]:
    """The programs whose command is on the path."""
    from shutil import which

    path = environment.get("PATH")
    return tuple(p for p in PROGRAMS.values() if any(which(command, path=path) for command in p.commands))


def _claude_code(place: ConnectPlace, in_project: bool) -> tuple[FileEdit, ...]:
    # With all tools, Claude Code loads only those that ask for it, and shows the names of the others.
    load = read_setting(place.environment, "mcp_tools") != "all"
    server = {"type": "stdio", "command": place.command[0], "args": [*place.command[1:], "mcp"], "alwaysLoad": load}
    hooks = _hooks(place, "claude-code", _CLAUDE_EVENTS)
    if in_project:
        folder = os.path.join(place.root, ".claude")
        return _in_project(
            place,
            hooks_in_json(os.path.join(folder, "settings.local.json"), hooks),
            server_in_json(os.path.join(place.root, ".mcp.json"), ("mcpServers",), server),
            *_markdown_commands(os.path.join(folder, "commands")),
        )
    folder = place.config("CLAUDE_CONFIG_DIR", ".claude")
    state = place.environment.get("CLAUDE_CONFIG_DIR") or place.home
    return (
        hooks_in_json(os.path.join(folder, "settings.json"), hooks),
        server_in_json(os.path.join(state, ".claude.json"), ("mcpServers",), server),
        *_markdown_commands(os.path.join(folder, "commands")),
    )


def _codex(place: ConnectPlace, in_project: bool) -> tuple[FileEdit, ...]:
    folder = place.config("CODEX_HOME", ".codex")
    server = [f"command = {_toml(place.command[0])}", f"args = {_toml([*place.command[1:], 'mcp'])}"]
    return (
        lines_in_toml(os.path.join(folder, "config.toml"), "mcp_servers.holdfast", server),
        hooks_in_json(os.path.join(folder, "hooks.json"), _hooks(place, "codex", _CODEX_EVENTS)),
        *_markdown_commands(os.path.join(folder, "prompts")),
    )


def _gemini(place: ConnectPlace, in_project: bool) -> tuple[FileEdit, ...]:
    folder = os.path.join(place.root if in_project else place.home, ".gemini")
    file = os.path.join(folder, "settings.json")
    # Gemini CLI counts milliseconds.
    hooks = [
        HookEntry(e.event, e.command, e.timeout * 1000, e.matcher) for e in _hooks(place, "gemini", _GEMINI_EVENTS)
    ]
    server = {"command": place.command[0], "args": [*place.command[1:], "mcp"]}
    commands = (
        whole_file(os.path.join(folder, "commands", f"{name}.toml"), _asset(f"{name}.toml"), _MARK)
        for name in ("remember", "recall")
    )
    both = both_in_json(file, hooks_in_json(file, hooks, "holdfast"), server_in_json(file, ("mcpServers",), server))
    return _in_project(place, both, *commands) if in_project else (both, *commands)


def _opencode(place: ConnectPlace, in_project: bool) -> tuple[FileEdit, ...]:
    folder = place.config("XDG_CONFIG_HOME", ".config")
    settings, own = os.path.join(folder, "opencode"), os.path.join(folder, "opencode")
    if in_project:
        settings, own = place.root, os.path.join(place.root, ".opencode")
    names = ("opencode.jsonc", "opencode.json")
    name = next((name for name in names if os.path.exists(os.path.join(settings, name))), names[-1])
    server = {"type": "local", "command": [*place.command, "mcp"], "enabled": True}
    plugin = _asset("opencode.js").replace("__COMMAND__", json.dumps(list(place.command)))
    edits = (
        server_in_json(os.path.join(settings, name), ("mcp",), server),
        whole_file(os.path.join(own, "plugin", "holdfast.js"), plugin, _MARK),
        *_markdown_commands(os.path.join(own, "command")),
    )
    return _in_project(place, *edits) if in_project else edits


def _agents_md(name: str) -> Callable[[ConnectPlace, bool], tuple[FileEdit, ...]]:
    def edits(place: ConnectPlace, in_project: bool) -> tuple[FileEdit, ...]:
        return _in_project(place, section_in_markdown(os.path.join(place.root, name), _asset("section.md")))

    return edits


def _in_project(place: ConnectPlace, *edits: FileEdit) -> tuple[FileEdit, ...]:
    """The changes of files of the project, which may be a stranger's: no link is followed below its folder."""
    return tuple(replace(edit, root=place.root) for edit in edits)


def _hooks(place: ConnectPlace, client: str, events: Mapping[str, tuple[int, str]]) -> list[HookEntry]:
    command = (*place.command, "hook", client)
    return [HookEntry(event, (*command, event), *value) for event, value in events.items()]


def _markdown_commands(folder: str) -> tuple[FileEdit, ...]:
    names = ("remember", "recall")
    return tuple(whole_file(os.path.join(folder, f"{name}.md"), _asset(f"{name}.md"), _MARK) for name in names)


def _asset(name: str) -> str:
    return files("holdfast.agents.connect").joinpath("assets", name).read_text("utf-8")


def _toml(value: str | list[str]) -> str:
    # JSON escapes are valid in TOML, except that TOML also requires one for DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


PROGRAMS: Mapping[str, AgentProgram] = {
    known.name: known
    for known in (
        AgentProgram("claude-code", "Claude Code", _claude_code, ("claude",)),
        AgentProgram("codex", "Codex", _codex, ("codex",), in_project=False),
        AgentProgram("gemini", "Gemini CLI", _gemini, ("gemini",)),
        AgentProgram("opencode", "opencode", _opencode, ("opencode",)),
        AgentProgram("agents-md", "AGENTS.md", _agents_md("AGENTS.md")),
        AgentProgram("claude-md", "CLAUDE.md", _agents_md("CLAUDE.md")),
    )
}
