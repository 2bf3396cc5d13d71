"""Reads fields of records written by other programs: a missing or wrong value is empty, never an error."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from holdfast.agents.untrusted_tools import untrusted_source

_LONGEST_LINE, _LONGEST_TOOL = 200, 80


def text(record: Mapping[str, Any], name: str) -> str:
    """The text in a field; empty if it has none."""
    found = record.get(name)
    return found if isinstance(found, str) else ""


def mapping(record: object, name: str) -> Mapping[str, Any]:
    """The mapping in a field; empty if it has none."""
    found = record.get(name) if isinstance(record, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def mappings(record: object, name: str) -> list[Mapping[str, Any]]:
    """The mappings of the list in a field."""
    found = record.get(name) if isinstance(record, Mapping) else None
    return [inner for inner in found if isinstance(inner, Mapping)] if isinstance(found, list) else []


def timestamp(value: object) -> datetime | None:
    """A time as transcripts write it: ISO 8601, in UTC when no zone is given, or seconds since 1970."""
    try:
        if isinstance(value, str):
            at = datetime.fromisoformat(value)
            return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def tool_names(calls: Iterable[Mapping[str, Any]], client: str = "") -> tuple[str, ...]:
    """The names of the called tools, each once, such that `is_untrusted` knows them without the program's name.

    A shell command that fetches is named with its program.
    """
    found = (one_line(_named(call, client), _LONGEST_TOOL) for call in calls)
    return tuple(dict.fromkeys(name for name in found if name))


def _named(call: Mapping[str, Any], client: str) -> object:
    name = call.get("name")
    given: Any = next((call[key] for key in ("input", "args", "arguments") if call.get(key)), {})
    if isinstance(given, str):
        with suppress(ValueError, RecursionError):
            given = json.loads(given)
    if not isinstance(name, str) or not isinstance(given, Mapping):
        return name
    source = untrusted_source(name, given, client)
    return f"mcp__{name}" if source == name and not untrusted_source(name, given) else source or name


def one_line(value: object, longest: int = _LONGEST_LINE) -> str:
    """A text as one short line of printable characters; empty for a value of another type."""
    if not isinstance(value, str):
        return ""
    return "".join(ch for ch in " ".join(value[: 4 * longest].split()) if ch.isprintable())[:longest].strip()
