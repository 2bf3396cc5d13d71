"""Where a program is connected, and the parts that most programs need: our server, hooks and commands."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from importlib.resources import files
from typing import Any

from holdfast.agents import hook_input as points
from holdfast.agents.connect.edits import FileEdit, HookEntry, section_in_markdown, whole_file
from holdfast.core.frozen import frozen

MARK = "holdfast connect"
# Seconds that a program waits for a hook; ours gives up after three.
_SLOW, _FAST = 10, 5
_SLOW_POINTS = (points.START, points.PROMPT, points.AGENT_START)


@frozen
class ConnectPlace:
    """Where to connect: the user's home, its environment, the project's folder, and our command."""

    home: str
    environment: Mapping[str, str]
    root: str
    command: tuple[str, ...]

    def config(self, variable: str, *usual: str) -> str:
        """The folder that a variable names, or else its usual place in the home folder."""
        return self.environment.get(variable) or self.below_home(*usual)

    def below_home(self, *names: str) -> str:
        """A path below the home folder."""
        return os.path.join(self.home, *names)

    def below_root(self, *names: str) -> str:
        """A path below the project's folder."""
        return os.path.join(self.root, *names)

    def server(self, project: str = "") -> dict[str, Any]:
        """Our MCP server; for a program that does not start it in the project, with the project's folder."""
        named = ["--project", project] if project else []
        return {"command": self.command[0], "args": [*self.command[1:], *named, "mcp"]}

    def hooks(
        self, client: str, events: Mapping[str, str], matchers: Mapping[str, str] | None = None
    ) -> list[HookEntry]:
        """A hook for each event, with the moment that it reports; a matcher limits one to some tools."""
        return [
            HookEntry(
                event,
                (*self.command, "hook", client, event),
                _SLOW if point in _SLOW_POINTS else _FAST,
                (matchers or {}).get(event, ""),
            )
            for event, point in events.items()
        ]

    def in_project(self, *edits: FileEdit) -> tuple[FileEdit, ...]:
        """The changes of files of the project, which may be a stranger's: no link is followed below its folder."""
        return tuple(replace(edit, root=self.root) for edit in edits)


def markdown_commands(folder: str) -> tuple[FileEdit, ...]:
    """The commands /remember and /recall as Markdown files."""
    return tuple(own_file(os.path.join(folder, f"{name}.md"), f"{name}.md") for name in ("remember", "recall"))


def own_file(path: str, asset_name: str) -> FileEdit:
    """A file of our own with the text of an asset."""
    return whole_file(path, asset(asset_name), MARK)


def section(place: ConnectPlace, name: str) -> tuple[FileEdit, ...]:
    """The section about memory in an instruction file of the project."""
    return place.in_project(section_in_markdown(place.below_root(name), asset("section.md")))


def asset(name: str) -> str:
    """The text of a file in `assets`."""
    return files("holdfast.agents.connect").joinpath("assets", name).read_text("utf-8")


def in_toml(value: str | list[str]) -> str:
    """A value as TOML."""
    # JSON escapes are valid in TOML, except that TOML also requires one for DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
