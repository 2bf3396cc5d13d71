"""Serialises results to JSON for every interface: all fields under their Python names, times in ISO 8601 UTC."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from datetime import datetime
from os import PathLike
from typing import Any

from holdfast.core.clock import stamp
from holdfast.core.reason import Reason

# JSON allows these characters unescaped, but a terminal may interpret them.
_HOSTILE = re.compile("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


def json_text(value: object) -> str:
    """Returns a result as indented JSON that is safe to print on a terminal."""
    text = json.dumps(json_value(value), ensure_ascii=False, indent=2)
    return _HOSTILE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def json_value(value: object) -> Any:
    """Converts a result to dicts, lists, strings, numbers, booleans and None.

    A reason becomes its code, its values and its sentence in the chosen language.
    """
    value = _as_mapping(value)
    if isinstance(value, Mapping):
        return {str(key): json_value(inner) for key, inner in value.items()}
    if isinstance(value, tuple | list):
        return [json_value(inner) for inner in value]
    if isinstance(value, datetime):
        return stamp(value)
    return str(value) if isinstance(value, PathLike) else value


def without_trace(value: object) -> Mapping[str, Any]:
    """Returns the fields of an answer without the trace of its search steps, which is longer than the answer."""
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value) if field.name != "trace"}  # type: ignore[arg-type] # any dataclass


def _as_mapping(value: object) -> object:
    """Returns a reason, dataclass or named tuple as a mapping of its fields; other values unchanged."""
    if isinstance(value, Reason):
        from holdfast.interfaces.messages import text_of

        return {"code": str(value.code), "values": value.values, "text": text_of(value)}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return value._asdict()
    return value
