"""The functions behind the tools: each calls one workspace verb and renders its result."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.clock import unstamp_until
from holdfast.core.errors import InvalidInput
from holdfast.interfaces.mcp import render
from holdfast.interfaces.mcp.render import ToolReply

if TYPE_CHECKING:
    from holdfast.workspace import Workspace

# An agent speaks for itself, not for the user: its memories are stored, but not verified.
SOURCE = "agent_explicit"
_LONGEST_PROBLEM = 600


def validated(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the arguments if they fit the schema. Null counts as missing: some clients fill in every name."""
    validator, best_match = load_validator()
    present = {name: value for name, value in arguments.items() if value is not None}
    error = best_match(validator(schema).iter_errors(present))
    if error is not None:
        raise InvalidInput(_problem(error), hint="")
    return present


def load_validator() -> tuple[Any, Any]:
    """Imports the class that validates, which takes as long as the start of the server, and the choice of an error."""
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # it ships no types
    from jsonschema.exceptions import best_match  # type: ignore[import-untyped] # it ships no types

    return Draft202012Validator, best_match


def search(workspace: Workspace, arguments: Mapping[str, Any]) -> ToolReply:
    # Always abstain when evidence is weak: a model would take a weak hit for an answer.
    optional = {name: arguments[name] for name in ("limit", "types", "files", "temporal") if name in arguments}
    return render.found(workspace.recall(arguments["query"], as_of=_moment(arguments.get("as_of")), **optional))


def context(workspace: Workspace, arguments: Mapping[str, Any]) -> ToolReply:
    optional = {name: value for name, value in arguments.items() if name != "task"}
    return render.packed(workspace.context(arguments["task"], **optional))


def remember(workspace: Workspace, arguments: Mapping[str, Any]) -> ToolReply:
    return render.admission(workspace.remember(source=SOURCE, **arguments))


def correct(workspace: Workspace, arguments: Mapping[str, Any]) -> ToolReply:
    return render.admission(workspace.correct(source=SOURCE, **arguments))


def confirm(workspace: Workspace, arguments: Mapping[str, Any]) -> ToolReply:
    return render.confirmed(workspace.confirm(arguments["id"], source=SOURCE))


def stats(workspace: Workspace, arguments: Mapping[str, Any]) -> ToolReply:
    return render.statistics(workspace.stats())


def entity(workspace: Workspace, arguments: Mapping[str, Any]) -> ToolReply:
    return render.profile(workspace.entity(**arguments))


def _problem(error: Any) -> str:
    where = ".".join(str(step) for step in error.absolute_path)
    if error.validator in ("pattern", "minLength") and not str(error.instance).strip():
        return f"{where} is empty"
    text = f"{where}: {error.message}" if where else error.message
    # The message starts with the value, which may be long, and ends with the problem: keep the end.
    return text if len(text) <= _LONGEST_PROBLEM else f"{where}: …{error.message[-_LONGEST_PROBLEM // 2 :]}"


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return unstamp_until(text)
    except ValueError:
        raise InvalidInput(f"as_of {text!r} is not a date", hint="Write it like 2026-03-01.") from None
