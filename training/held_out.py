"""Keeps texts of evaluation sets out of what is trained on."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

_LONG = 50


class HeldOut:
    """The long lines of the evaluation sets. A text that shares two of them, or most of itself, is theirs."""

    def __init__(self, files: list[Path]) -> None:
        self._lines = {line for file in files for value in _values(file) for line in _long_lines(value)}

    def holds(self, text: str) -> bool:
        lines = set(_long_lines(text))
        shared = len(lines & self._lines)
        return shared >= 2 or (shared == 1 and len(lines) <= 2)


def _values(file: Path) -> Iterator[str]:
    with gzip.open(file, "rt") as rows:
        for row in rows:
            yield from _strings(json.loads(row))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _long_lines(text: str) -> Iterator[bytes]:
    for line in re.split(r"\n|(?<=[.!?])\s+", text):
        plain = re.sub(r"\W+", " ", line.lower()).strip()
        if len(plain) >= _LONG:
            yield blake2b(plain.encode(), digest_size=8).digest()
