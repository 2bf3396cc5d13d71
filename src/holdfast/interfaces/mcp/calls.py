"""Each call: arguments in, one verb of the workspace, a reply out."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.clock import last_of
from holdfast.core.errors import InvalidInput
from holdfast.interfaces.mcp import render
from holdfast.interfaces.mcp.render import ToolReply

if TYPE_CHECKING:
    from holdfast.workspace import Workspace

# What an agent says is its own word, not the user's: kept, but not verified.
SOURCE = "agent_explicit"
CORRECTIONS = ("inaccurate", "outdated", "generalise", "duplicate_of")
_LONGEST_COMPLAINT = 600


def checked(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments as a schema wants them. Null counts as left out: some clients fill in every name."""
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # it ships no types
    from jsonschema.exceptions import best_match  # type: ignore[import-untyped] # it ships no types

    given = {name: value for name, value in arguments.items() if value is not None}
    error = best_match(Draft202012Validator(schema).iter_errors(given))
    if error is not None:
        raise InvalidInput(_complaint(error), hint="")
    return given


def search(workspace: Workspace, given: Mapping[str, Any]) -> ToolReply:
    # Why abstain is left on: a model takes a weak hit for an answer.
    optional = {name: given[name] for name in ("limit", "types", "files", "temporal") if name in given}
    return render.found(workspace.recall(given["query"], as_of=_moment(given.get("as_of")), **optional))


def remember(workspace: Workspace, given: Mapping[str, Any]) -> ToolReply:
    return render.admission(workspace.remember(source=SOURCE, **given))


def correct(workspace: Workspace, given: Mapping[str, Any]) -> ToolReply:
    return render.admission(workspace.correct(source=SOURCE, **given))


def confirm(workspace: Workspace, given: Mapping[str, Any]) -> ToolReply:
    return render.confirmed(workspace.confirm(given["id"]))


def stats(workspace: Workspace, given: Mapping[str, Any]) -> ToolReply:
    return render.statistics(workspace.stats())


def entity(workspace: Workspace, given: Mapping[str, Any]) -> ToolReply:
    return render.profile(workspace.entity(**given))


def _complaint(error: Any) -> str:
    where = ".".join(str(step) for step in error.absolute_path)
    if error.validator in ("pattern", "minLength") and not str(error.instance).strip():
        return f"{where} is empty"
    said = f"{where}: {error.message}" if where else error.message
    # Why from the end: the message begins with what was given, which may be long, and ends with what is wrong.
    return said if len(said) <= _LONGEST_COMPLAINT else f"{where}: …{error.message[-_LONGEST_COMPLAINT // 2 :]}"


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return last_of(text)
    except ValueError:
        raise InvalidInput(f"as_of {text!r} is not a date", hint="Write it like 2026-03-01.") from None
