"""The changes that an agent program needs in its files: each adds our entries to a text and can take them out."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from holdfast.agents.connect import jsonc
from holdfast.agents.connect.marked_text import add_section, remove_section
from holdfast.agents.connect.toml_block import add_block, remove_block
from holdfast.core.errors import InvalidFile
from holdfast.core.frozen import frozen

SERVER = "holdfast"


@frozen
class FileEdit:
    """A change of one file: `add` puts our entries into a text, `remove` takes them out; `same` compares two texts.

    `remove` returns None if the whole file is ours. Links below `root`, a project's folder, are refused.
    """

    path: str
    add: Callable[[str], str]
    remove: Callable[[str], str | None]
    same: Callable[[str, str], bool] = lambda one, other: one == other
    root: str = ""


@frozen
class HookEntry:
    """One hook in the configuration of a program. `matcher` limits it to some tools."""

    event: str
    command: Sequence[str]
    timeout: int
    matcher: str = ""

    @property
    def line(self) -> str:
        """The command as a shell reads it."""
        return shlex.join(self.command)

    def group(self, name: str | None = None) -> dict[str, Any]:
        """The entry in the form of Claude Code, which Codex and Gemini CLI share."""
        hook = {"type": "command", **({"name": name} if name else {}), "command": self.line}
        matcher = {"matcher": self.matcher} if self.matcher else {}
        return {**matcher, "hooks": [{**hook, "timeout": self.timeout}]}


def hooks_in_json(
    path: str,
    hooks: Sequence[HookEntry],
    entry: Callable[[HookEntry], Mapping[str, Any]] = HookEntry.group,
    version: int | None = None,
) -> FileEdit:
    """Adds hooks to a JSON file, each in the form that `entry` gives it; `version` is that of the file's format."""

    def add(text: str) -> str:
        if version is not None and not _has(text, ("version",)):
            text = jsonc.set_member(text, ("version",), version)
        for hook in hooks:
            text = jsonc.add_item(text, ("hooks", hook.event), entry(hook))
        return text

    return FileEdit(path, add, _remove_hooks, _same_json)


def server_in_json(path: str, place: Sequence[str], server: Mapping[str, Any]) -> FileEdit:
    """Adds our MCP server to a JSON file, unless it is there already."""
    where = (*place, SERVER)

    def add(text: str) -> str:
        return text if _has(text, where) else jsonc.set_member(text, where, server)

    def remove(text: str) -> str:
        if not _is_our_server(_get(text, where)):
            return text
        return _without_empty(jsonc.remove_member(text, where), place)

    return FileEdit(path, add, remove, _same_json)


def both_in_json(path: str, *edits: FileEdit) -> FileEdit:
    """Several changes of one file as one."""

    def add(text: str) -> str:
        for edit in edits:
            text = edit.add(text)
        return text

    def remove(text: str) -> str:
        for edit in reversed(edits):
            text = edit.remove(text) or ""
        return text

    return FileEdit(path, add, remove, _same_json)


def lines_in_toml(path: str, table: str, lines: Sequence[str]) -> FileEdit:
    """Adds a table to a TOML file, unless it is there already."""

    def add(text: str) -> str:
        has_own = f"[{table}]" in remove_block(text)
        return text if has_own else add_block(text, [f"[{table}]", *lines])

    return FileEdit(path, add, remove_block)


def section_in_markdown(path: str, section: str) -> FileEdit:
    """Adds a marked section to a Markdown file."""
    return FileEdit(path, lambda text: add_section(text, section), remove_section)


def whole_file(path: str, content: str, mark: str) -> FileEdit:
    """A file of our own, recognised by its line with a mark. A file that somebody else wrote there stays as it is."""
    marked = next(line for line in content.splitlines() if mark in line)

    def is_ours(text: str) -> bool:
        return marked in text.splitlines()

    def add(text: str) -> str:
        return content if not text or is_ours(text) else text

    return FileEdit(path, add, lambda text: None if is_ours(text) else text)


def _remove_hooks(text: str) -> str:
    hooks = _object(_object(jsonc.load(text)).get("hooks"))
    for event, groups in hooks.items():
        for place, group in reversed(list(enumerate(_list(groups)))):
            text = _remove_from_group(text, event, place, _list(_object(group).get("hooks")))
        if groups and _get(text, ("hooks", event)) == []:
            text = jsonc.remove_member(text, ("hooks", event))
    return _without_empty(text, ("hooks",)) if hooks else text


def _remove_from_group(text: str, event: str, group: int, hooks: Sequence[Any]) -> str:
    """Removes our hooks from a group of hooks, and the group if it holds no others or is itself our hook."""
    if _is_ours(_get(text, ("hooks", event))[group], event):
        return jsonc.remove_item(text, ("hooks", event), group)
    ours = [place for place, hook in enumerate(hooks) if _is_ours(hook, event)]
    if ours and len(ours) == len(hooks):
        return jsonc.remove_item(text, ("hooks", event), group)
    for place in reversed(ours):
        text = jsonc.remove_item(text, ("hooks", event, group, "hooks"), place)
    return text


def _is_ours(hook: Any, event: str) -> bool:
    command = _object(hook).get("command", _object(hook).get("bash"))
    try:
        words = shlex.split(command) if isinstance(command, str) else []
    except ValueError:
        return False
    return words[-3:-2] == ["hook"] and words[-1] == event and _is_program(words[:-3])


def _is_our_server(server: Any) -> bool:
    """Does a server start this program? One that the user wrote under our name may start another."""
    command, arguments = _object(server).get("command"), _list(_object(server).get("args"))
    words = [*_list(command), *([command] if isinstance(command, str) else []), *arguments]
    before = words[:-3] if words[-3:-2] == ["--project"] else words[:-1]
    return words[-1:] == ["mcp"] and _is_program(before)


def _is_program(words: Sequence[Any]) -> bool:
    """Do these words start this program? Its name comes last, as a script with its folder or after `-m`."""
    name = str(words[-1]).replace("\\", "/").rpartition("/")[2] if words else ""
    return name.lower().removesuffix(".exe") == SERVER


def _without_empty(text: str, place: Sequence[str]) -> str:
    return jsonc.remove_member(text, place) if place and _get(text, place) == {} else text


def _same_json(one: str, other: str) -> bool:
    return bool(jsonc.load(one) == jsonc.load(other))


def _has(text: str, path: Sequence[str]) -> bool:
    return _get(text, path) is not None


def _get(text: str, path: Sequence[str]) -> Any:
    value = jsonc.load(text)
    for name in path:
        if value is not None and not isinstance(value, dict):
            raise InvalidFile(f"{name} cannot be found: its parent is no object")
        value = _object(value).get(name)
    return value


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
