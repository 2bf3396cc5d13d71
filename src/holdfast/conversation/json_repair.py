"""Reads JSON from a language model's answer in three attempts: the whole text, the objects in it, field by field.

Never raises: unreadable parts are left out, and a wholly unreadable answer is None.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import Any

from holdfast.models.clean_text import sendable

# A real answer has a page or two; the rest of a longer one is ignored to save time.
LONGEST = 200_000
_OBJECTS_TRIED = 20
_FENCE = re.compile(r"^\s*```[\w-]*[ \t]*\n?(.*?)(?:\n?```\s*)?$", re.DOTALL)
# Not strict, because models put line breaks into strings.
_DECODER = json.JSONDecoder(strict=False)
_KEY = re.compile(r'"\s*:')


def read_answer(text: str, fields: Collection[str]) -> dict[str, Any] | None:
    """The given fields that the answer contains, by name; None if it contains none of them."""
    text = text[:LONGEST]
    for found in (_whole(text), *_objects(text), _field_by_field(text, fields)):
        wanted = {name: _clean(value) for name, value in found.items() if name in fields}
        if wanted:
            return wanted
    return None


def ends_early(text: str, fields: Collection[str]) -> bool:
    """Does the answer break off in one of these fields, or before it? Some servers cut an answer without saying so."""
    start = text.find("{")
    if start < 0 or _closing(text, start) is not None:
        return False
    if "}" in text[text.rfind("{") :] and not text.rstrip().endswith((",", "[", ":")):
        return False
    begun = [match.end() for name in fields for match in _named(name, text)]
    try:
        end = _DECODER.raw_decode(text, max(begun))[1] if begun else start
    except (ValueError, RecursionError):
        return True
    return not _KEY.search(text, end)


def _whole(text: str) -> dict[str, Any]:
    """First attempt: the answer is JSON, perhaps in a code fence."""
    fenced = _FENCE.match(text)
    return _object(fenced.group(1) if fenced else text)


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Second attempt: the first complete objects in the answer, whatever is around them."""
    start = text.find("{")
    for _ in range(_OBJECTS_TRIED):
        if start < 0:
            return
        end = _closing(text, start)
        if end is None:
            return
        yield _object(text[start:end])
        start = text.find("{", end)


def _closing(text: str, start: int) -> int | None:
    """The end of the object that begins at `start`, ignoring braces in strings; None if it is incomplete."""
    depth, at, quoted = 0, start, False
    for match in _MARKS.finditer(text, start):
        at, mark = match.end(), match.group()
        if mark == '"':
            quoted = not quoted
        elif not quoted and mark in "{}":
            depth += 1 if mark == "{" else -1
            if depth == 0:
                return at
    return None


_MARKS = re.compile(r'\\.|["{}]', re.DOTALL)


def _field_by_field(text: str, fields: Collection[str]) -> dict[str, Any]:
    """Third attempt: each field by its name, if its value is complete; of a list, the complete items."""
    found: dict[str, Any] = {}
    for name in fields:
        for match in _named(name, text):
            value = _value(text, match.end())
            if value is not None:
                found[name] = value
                break
    return found


def _named(name: str, text: str) -> Iterator[re.Match[str]]:
    """The places where a field with this name begins; each match ends where its value begins."""
    return re.finditer(rf'"{re.escape(name)}"\s*:\s*', text)


def _value(text: str, at: int) -> Any:
    try:
        return _DECODER.raw_decode(text, at)[0]
    except (ValueError, RecursionError):
        return _items(text, at + 1) or None if text[at : at + 1] == "[" else None


def _items(text: str, at: int) -> list[Any]:
    """The complete items of a truncated list."""
    items: list[Any] = []
    while True:
        try:
            item, end = _DECODER.raw_decode(text, _past_blanks(text, at))
        except (ValueError, RecursionError):
            return items
        items.append(item)
        comma = _COMMA.match(text, end)
        if comma is None:
            return items
        at = comma.end()


def _past_blanks(text: str, at: int) -> int:
    found = _NO_BLANK.search(text, at)
    return found.start() if found else len(text)


_NO_BLANK = re.compile(r"\S")
_COMMA = re.compile(r"\s*,")


def _object(text: str) -> dict[str, Any]:
    try:
        found = _DECODER.decode(text.strip())
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _clean(value: Any, depth: int = 0) -> Any:
    """The value with characters removed that cannot be stored; values nested too deeply become None."""
    if isinstance(value, str):
        return sendable(value).replace("\0", "")
    if isinstance(value, dict | list) and depth >= _DEEPEST:
        return None
    if isinstance(value, dict):
        return {_clean(key): _clean(inner, depth + 1) for key, inner in value.items()}
    return [_clean(inner, depth + 1) for inner in value] if isinstance(value, list) else value


_DEEPEST = 6
