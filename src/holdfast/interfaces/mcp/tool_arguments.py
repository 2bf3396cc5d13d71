"""Checks the arguments of a call against the schema of its tool."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from holdfast.core.clock import unstamp_until
from holdfast.core.errors import InvalidInput

_LONGEST_PROBLEM = 600


def validated(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the arguments if they fit the schema. Null counts as missing: some clients fill in every name."""
    validator, best_match = load_validator()
    properties = schema.get("properties", {})
    present = {name: _whole(value, properties.get(name, {})) for name, value in arguments.items() if value is not None}
    error = best_match(validator(schema).iter_errors(present))
    if error is not None:
        about_names = error.validator in ("additionalProperties", "required") and not error.absolute_path
        raise InvalidInput(_problem(error), hint=f"Arguments: {_names(schema)}." if about_names else "")
    return present


def load_validator() -> tuple[Any, Any]:
    """Imports the class that validates, which takes as long as the start of the server, and the choice of an error."""
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # it ships no types
    from jsonschema.exceptions import best_match  # type: ignore[import-untyped] # it ships no types

    return Draft202012Validator, best_match


def moment(text: str | None) -> datetime | None:
    """The time that a text names; a day means its end."""
    if text is None:
        return None
    try:
        return unstamp_until(text)
    except (ValueError, OverflowError):
        raise InvalidInput(f"as_of {text!r} is not a date", hint="Write it like 2026-03-01.") from None


def _whole(value: Any, schema: Mapping[str, Any]) -> Any:
    """JSON knows no integers: 5.0 is one in a schema, but not in Python."""
    is_whole = schema.get("type") == "integer" and isinstance(value, float) and value.is_integer()
    return int(value) if is_whole else value


def _names(schema: Mapping[str, Any]) -> str:
    required = schema.get("required", ())
    return ", ".join(f"{name} (required)" if name in required else name for name in schema.get("properties", {}))


def _problem(error: Any) -> str:
    where = ".".join(str(step) for step in error.absolute_path)
    if error.validator in ("pattern", "minLength") and not str(error.instance).strip():
        return f"{where} is empty"
    text = f"{where}: {error.message}" if where else error.message
    # The message starts with the value, which may be long, and ends with the problem: keep the end.
    return text if len(text) <= _LONGEST_PROBLEM else f"{where}: …{error.message[-_LONGEST_PROBLEM // 2 :]}"
