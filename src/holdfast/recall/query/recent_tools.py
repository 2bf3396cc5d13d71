"""The tools that the agent at work used last, as the journal of its session has them."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from holdfast.agents import journal
from holdfast.agents.event import TOOL_CALL
from holdfast.agents.tool_shapes import command_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.agents.event import Event

# A journal that was last written longer ago is that of a session at rest.
_SECONDS = 600
_CALLS, _BYTES = 5, 16_384
# The commands that do what these tools do.
_COMMANDS = {"impact": "analyze_impact", "deps": "get_dependencies", "flow": "trace_data_flow"}
_COMMAND = re.compile(rf"\bholdfast\s+({'|'.join(_COMMANDS)})\b")


def recent_tools(folder: str, now: float) -> tuple[str, ...]:
    """The names of the last tools in the newest journal of a folder, without their server; none after ten minutes."""
    try:
        with os.scandir(folder) as found:
            at, newest = max((entry.stat().st_mtime, entry.path) for entry in found if entry.name.endswith(".jsonl"))
    except (OSError, ValueError):
        return ()
    if now - at > _SECONDS:
        return ()
    calls = [event for event in journal.tail(newest, _BYTES) if event.kind == TOOL_CALL][-_CALLS:]
    return tuple(name for call in calls for name in _names(call))


def _names(call: Event) -> Iterator[str]:
    """What a call is named, without its server: `mcp__holdfast__analyze_impact` is `analyze_impact`."""
    yield re.split(r"__|[./:]", call.tool)[-1]
    for command in _COMMAND.findall(command_of(call.args)):
        yield _COMMANDS[command]
