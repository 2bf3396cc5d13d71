"""Removes secrets from structured values at any depth, and refuses values that JSON cannot represent."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from holdfast.core.admission import Redaction
from holdfast.core.errors import InvalidMemory
from holdfast.intake.secrets import scan


def scrub(values: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[Redaction, ...]]:
    """Returns the values with secrets replaced by placeholders, and the redactions. Raises InvalidMemory."""
    found: list[Redaction] = []
    return {str(name): _clean(value, found) for name, value in values.items()}, tuple(found)


def _clean(value: Any, found: list[Redaction]) -> Any:
    if isinstance(value, str):
        text, redactions = scan(value)
        found.extend(redactions)
        return text
    if isinstance(value, Mapping):
        return {str(name): _clean(inner, found) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(inner, found) for inner in value]
    if value is None or isinstance(value, bool | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    raise InvalidMemory(f"{value!r} is not text, a number, a list or a mapping")
