"""Makes events of what a transcript says: a text, a tool call or its result, shortened."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from holdfast.agents import event as kinds
from holdfast.agents.event import Event
from holdfast.agents.transcripts import fields
from holdfast.text.noise import without_noise

# Each event with the id of its session.
SessionEvents = Iterator[tuple[str, Event]]
# The characters kept of a text, of a result, and of one argument of a call; the arguments and blocks that are read.
LONGEST_TEXT, _RESULT, LONGEST_ARGUMENT, _EXAMINED = 20_000, 4_000, 4_000, 50


def said_events(role: str, text: str, at: float, agent: str) -> Iterator[Event]:
    """The event of what was said; none if the program inserted all of it."""
    text = without_noise(text[: 2 * LONGEST_TEXT])[:LONGEST_TEXT]
    if text:
        yield Event(kinds.USER if role == "user" else kinds.ASSISTANT, at, text=text, agent=agent)


def call_event(tool: str, args: Mapping[str, Any], id: str, at: float, agent: str) -> Event:
    """The event of a tool call."""
    short = {str(name): _short(value) for name, value in list(args.items())[:_EXAMINED]}
    return Event(kinds.TOOL_CALL, at, tool=tool, args=short, id=id, agent=agent)


def result_event(text: str, error: bool, id: str, at: float, agent: str) -> Event:
    """The event of what a call returned: the beginning and the end of a long text."""
    if len(text) > _RESULT:
        text = text[: _RESULT * 3 // 4] + "\n" + text[-_RESULT // 4 :]
    return Event(kinds.TOOL_RESULT, at, text=text, id=id, error=error, agent=agent)


def _short(value: Any) -> Any:
    return value[:LONGEST_ARGUMENT] if isinstance(value, str) else value


def parsed(value: object) -> Mapping[str, Any]:
    """A JSON text or an object as an object; another text as its `input`."""
    if isinstance(value, Mapping):
        return value
    try:
        found = json.loads(value) if isinstance(value, str) else {}
    except (ValueError, RecursionError):
        return {"input": value}
    return found if isinstance(found, dict) else {}


def result_text(content: object) -> str:
    """The text of a result: a text, a list of blocks, or an object with a text in it."""
    if isinstance(content, str):
        return str(parsed(content).get("output") or content) if content.startswith('{"output"') else content
    if isinstance(content, list):
        return "\n".join(filter(None, (result_text(block) for block in content[:_EXAMINED])))
    if isinstance(content, Mapping):
        found = next((content[name] for name in ("text", "output", "content", "message") if content.get(name)), "")
        return result_text(found)
    return ""


def seconds(value: object) -> float:
    """A time in seconds since 1970; 0 for none."""
    at = fields.timestamp(value)
    return at.timestamp() if at else 0.0
