"""Removes secrets from structured values at any depth, and refuses values that JSON cannot represent."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from holdfast.core.admission import Redaction
from holdfast.core.errors import InvalidMemory
from holdfast.intake.secrets import scan

if TYPE_CHECKING:
    from holdfast.core.admission import Candidate
    from holdfast.core.memory import Memory
    from holdfast.core.memory_types import MemoryType

# Fields with free text, besides the text itself.
_FREE_TEXT_FIELDS = ("tags", "citation", "fields", "attributes")


def scrub_fields(owner: Candidate | Memory, type: MemoryType) -> tuple[dict[str, Any], tuple[Redaction, ...]]:
    """Returns the free-text fields of a candidate or memory without secrets, and the redactions.

    Raises InvalidMemory, also for structured fields that the type does not allow.
    """
    fields, redactions = scrub({name: getattr(owner, name) for name in _FREE_TEXT_FIELDS})
    return fields | {"fields": type.validate(fields["fields"]), "tags": tuple(fields["tags"])}, redactions


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
