"""Checks the arguments of a call against the schema of its tool."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from typing import Any

from holdfast.core.clock import unstamp_until
from holdfast.core.errors import InvalidInput

_LONGEST_PROBLEM = 600


def validated(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the arguments if they fit the schema. Null counts as missing: some clients fill in every name."""
    from fastjsonschema import JsonSchemaValueException

    properties = schema.get("properties", {})
    present = {name: _whole(value, properties.get(name, {})) for name, value in arguments.items() if value is not None}
    try:
        _checker(json.dumps(schema))(present, name_prefix="arguments")
    except JsonSchemaValueException as error:
        about_names = error.rule in ("additionalProperties", "required") and not error.path[1:]
        raise InvalidInput(_problem(error), hint=f"Arguments: {_names(schema)}." if about_names else "") from None
    return present


@cache
def _checker(schema: str) -> Callable[..., object]:
    """Compiles a schema, which takes 3 ms."""
    import fastjsonschema

    checker: Callable[..., object] = fastjsonschema.compile(json.loads(schema), use_default=False)
    return checker


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
    if error.rule in ("pattern", "minLength") and not str(error.value).strip():
        return f"{error.name.removeprefix('arguments.')} is empty"
    return str(error.message).removeprefix("arguments.")[:_LONGEST_PROBLEM]
