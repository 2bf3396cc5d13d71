"""Removes secrets from every text of a record and of structured values; refuses values that JSON cannot represent."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from holdfast.core.admission import Redaction
from holdfast.core.errors import InvalidMemory
from holdfast.intake.secrets import scan

if TYPE_CHECKING:
    from holdfast.core.admission import Candidate
    from holdfast.core.memory import Memory
    from holdfast.core.memory_types import MemoryType

Record = TypeVar("Record")
RecordOrMemory = TypeVar("RecordOrMemory", "Candidate", "Memory")
# Deeper values exceed the recursion limit of JSON encoders.
_DEEPEST = 50


def scrub_memory(memory: RecordOrMemory, type: MemoryType) -> tuple[RecordOrMemory, tuple[Redaction, ...]]:
    """Returns a candidate or memory without secrets in any field, and the redactions.

    Raises InvalidMemory, also for structured fields that the type does not allow.
    """
    clean, redactions = scrub_record(memory)
    return replace(clean, fields=type.validate(clean.fields)), redactions


def scrub_record(record: Record) -> tuple[Record, tuple[Redaction, ...]]:
    """Returns a record without secrets in any text, at any depth, and the redactions. Raises InvalidMemory."""
    found: list[Redaction] = []
    return _clean_record(record, found), tuple(found)


def scrub(values: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[Redaction, ...]]:
    """Returns the values with secrets replaced by placeholders, and the redactions. Raises InvalidMemory."""
    found: list[Redaction] = []
    return _clean_mapping(values, found, 0), tuple(found)


def _clean_record(record: Any, found: list[Redaction]) -> Any:
    changed = {}
    for field in fields(record):
        value = getattr(record, field.name)
        clean = _clean_field(value, found)
        if clean is not value:
            changed[field.name] = clean
    return replace(record, **changed) if changed else record


def _clean_field(value: Any, found: list[Redaction]) -> Any:
    """A field of a record: text, records, tuples of them, or structured values; others stay as they are."""
    if isinstance(value, str):
        return _clean_text(value, found)
    if isinstance(value, tuple | list):
        clean = tuple(_clean_field(inner, found) for inner in value)
        return value if all(map(lambda one, other: one is other, clean, value)) else clean
    if isinstance(value, Mapping):
        return _clean_mapping(value, found, 0) if value else value
    return _clean_record(value, found) if is_dataclass(value) else value


def _clean_text(text: str, found: list[Redaction]) -> str:
    clean, redactions = scan(text)
    found.extend(redactions)
    return clean if redactions else text


def _clean_mapping(values: Mapping[Any, Any], found: list[Redaction], depth: int) -> dict[str, Any]:
    return {_clean_text(str(name), found): _clean(value, found, depth + 1) for name, value in values.items()}


def _clean(value: Any, found: list[Redaction], depth: int) -> Any:
    if depth > _DEEPEST:
        raise InvalidMemory(f"a value is nested more than {_DEEPEST} levels deep")
    if isinstance(value, str):
        return _clean_text(value, found)
    if isinstance(value, Mapping):
        return _clean_mapping(value, found, depth)
    if isinstance(value, list | tuple):
        return [_clean(inner, found, depth + 1) for inner in value]
    if value is None or isinstance(value, bool | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    raise InvalidMemory(f"{value!r} is not text, a number, a list or a mapping")
