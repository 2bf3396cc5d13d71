"""Reads JSON from a language model's answer in three attempts: the whole text, the last object in it, field by field.

Never raises. What an answer lost because it was cut off is left out; a malformed answer, of which nobody knows what it
lost, is None.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import Any

from holdfast.models.clean_text import sendable

# A real answer has a page or two; the rest of a longer one is ignored to save time.
LONGEST = 200_000
_FENCE = re.compile(r"^\s*```[\w-]*[ \t]*\n?(.*?)(?:\n?```\s*)?$", re.DOTALL)
# Not strict, because models put line breaks into strings.
_DECODER = json.JSONDecoder(strict=False)
_KEY = re.compile(r'"\s*:')


def read_answer(text: str, fields: Collection[str]) -> dict[str, Any] | None:
    """The given fields that the answer contains, by name; None if it contains none of them, or is malformed.

    Of several objects the last one counts: models think aloud, with examples, before they answer.
    """
    text = text[:LONGEST]
    spans, rest = _objects(text)
    cut = _field_by_field(text[rest:], fields) if rest is not None else {}
    found = (_object(text[start:end]) for start, end in reversed(spans))
    for answer in (_whole(text), cut, *found, _field_by_field(text, fields)):
        wanted = {name: _clean(value) for name, value in answer.items() if name in fields}
        if wanted:
            return wanted
    return None


def ends_early(text: str, fields: Collection[str]) -> bool:
    """Does the answer break off in one of these fields, or before it? Some servers cut an answer without saying so."""
    start = _objects(text)[1]
    if start is None:
        return False
    text = text[start:]
    if "}" in text[text.rfind("{") :] and not text.rstrip().endswith((",", "[", ":")):
        return False
    begun = [match.end() for name in fields for match in _named(name, text)]
    try:
        end = _DECODER.raw_decode(text, max(begun))[1] if begun else 0
    except (ValueError, RecursionError):
        return True
    return not _KEY.search(text, end)


def _whole(text: str) -> dict[str, Any]:
    """First attempt: the answer is JSON, perhaps in a code fence."""
    fenced = _FENCE.match(text)
    return _object(fenced.group(1) if fenced else text)


def _objects(text: str) -> tuple[list[tuple[int, int]], int | None]:
    """Second attempt: where the complete objects in the answer are, and where an incomplete one begins after them."""
    spans: list[tuple[int, int]] = []
    start = text.find("{")
    while start >= 0:
        end = _closing(text, start)
        if end is None:
            return spans, start
        spans.append((start, end))
        start = text.find("{", end)
    return spans, None


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
    """Third attempt: each field by its name, if its value is complete; of a list, the complete items.

    Nothing if a value is malformed, as by a quotation mark that is not escaped.
    """
    found: dict[str, Any] = {}
    for name in fields:
        for match in _named(name, text):
            try:
                value = _value(text, match.end())
            except ValueError:
                return {}
            if value is not None:
                found[name] = value
                break
    return found


def _named(name: str, text: str) -> Iterator[re.Match[str]]:
    """The places where a field with this name begins; each match ends where its value begins."""
    return re.finditer(rf'"{re.escape(name)}"\s*:\s*', text)


def _value(text: str, at: int) -> Any:
    """The value that begins here; None if it is incomplete. Raises ValueError if it is malformed."""
    if text[at : at + 1] == "[":
        return _items(text, at + 1)
    found = _decoded(text, at)
    return found[0] if found else None


def _items(text: str, at: int) -> list[Any] | None:
    """The complete items of a list, which may be truncated; None if it is, before its first item."""
    items: list[Any] = []
    while True:
        at = _past_blanks(text, at)
        if text[at : at + 1] == "]":
            return items
        found = _decoded(text, at)
        if found is None:
            return items or None
        items.append(found[0])
        at = _past_blanks(text, found[1])
        at += text[at : at + 1] == ","


def _decoded(text: str, at: int) -> tuple[Any, int] | None:
    """The value that begins here and its end; None where the text breaks off. Raises ValueError if it is malformed."""
    try:
        value, end = _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        if error.msg.startswith("Unterminated") or error.pos + _BROKEN_OFF >= len(text.rstrip()):
            return None
        raise
    except RecursionError:
        return None
    if text[_past_blanks(text, end) :][:1] not in ("", ",", "}", "]"):
        raise ValueError("a value goes on after its end")
    return value, end


def _past_blanks(text: str, at: int) -> int:
    found = _NO_BLANK.search(text, at)
    return found.start() if found else len(text)


_NO_BLANK = re.compile(r"\S")
# A comma that models put after the last value.
_LAST_COMMA = re.compile(r",(?=\s*[}\]])")
# The characters at the end of a text that breaks off in them: of an escape, a number or `false`.
_BROKEN_OFF = 8


def _object(text: str) -> dict[str, Any]:
    for written in (text.strip(), _LAST_COMMA.sub("", text.strip())):
        try:
            found = _DECODER.decode(written)
        except (ValueError, RecursionError):
            continue
        return found if isinstance(found, dict) else {}
    return {}


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
