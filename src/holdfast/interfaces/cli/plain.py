"""Results as JSON: the same names as in Python, every field there, moments as ISO 8601 in UTC."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from datetime import datetime
from os import PathLike

from holdfast.core.clock import stamp

# Why escaped: JSON lets these stand as they are, and a terminal may obey them.
_HOSTILE = re.compile("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


def as_json(value: object) -> str:
    """A result as indented JSON that is safe to look at."""
    text = json.dumps(plain(value), ensure_ascii=False, indent=2)
    return _HOSTILE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def plain(value: object) -> object:
    """A value made of nothing but what JSON knows."""
    if isinstance(value, datetime):
        return stamp(value)
    if isinstance(value, PathLike):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple | list):
        return [plain(inner) for inner in value]
    return value
