"""Reads JSON from a language model's answer in three attempts: the whole text, the last object in it, a repaired one.

Never raises. What an answer lost because it was cut off is left out, and with it the list item that it broke off in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from holdfast.models.clean_text import sendable

# A real answer has a page or two; the rest of a longer one is ignored to save time.
LONGEST = 200_000
# The library that repairs takes quadratic time for some texts: seconds for this many characters.
_MAX_REPAIRED = 16_000
_MAX_OPEN, _MAX_DEPTH = 40, 6
_FENCE = re.compile(r"^\s*```[\w-]*[ \t]*\n?(.*?)(?:\n?```\s*)?$", re.DOTALL)
_MARKS = re.compile(r'\\.|["{}\[\],]', re.DOTALL)
_KEY = re.compile(r'"([^"]*)"\s*:')
# Written where an answer breaks off, so that the repaired answer shows what is incomplete. No model writes it.
_CUT = "\ue000cut"


class _Objects(NamedTuple):
    """The spans of the complete objects in a text, and where an incomplete one begins and was last complete."""

    complete: list[tuple[int, int]]
    cut: tuple[int, int] | None


def read_answer(text: str, fields: Collection[str]) -> dict[str, Any] | None:
    """The given fields that the answer contains, by name; None if it contains none of them.

    Of several objects the last one counts: models think aloud, with examples, before they answer.
    """
    for answer in _attempts(text[:LONGEST]):
        for found in (answer, *(inner for inner in answer.values() if isinstance(inner, dict))):
            wanted = {name: _clean(value) for name, value in found.items() if name in fields}
            if wanted:
                return wanted
    return None


def ends_early(text: str, fields: Collection[str]) -> bool:
    """Does the answer break off in one of these fields, or before it? Some servers cut an answer without saying so."""
    text = text[:LONGEST]
    cut = _objects(text).cut
    if cut is None:
        return False
    lost = text[cut[1] :].strip()
    if not lost and text[cut[1] - 1] in "}]":
        return False  # Only brackets are missing.
    answer = _repaired(text[slice(*cut)], is_cut=True)
    if any(_is_cut(answer[name]) for name in fields if name in answer):
        return True
    begun = _KEY.match(lost.lstrip(", \n"))
    return begun is None or begun[1] in fields


def _attempts(text: str) -> Iterator[dict[str, Any]]:
    fenced = _FENCE.match(text)
    yield _strict(fenced[1] if fenced else text)
    found = _objects(text)
    if found.cut:
        answer = _repaired(text[slice(*found.cut)], is_cut=True)
        yield _unmixed({name: kept for name, value in answer.items() if (kept := _complete_part(value)) is not None})
    for start, end in reversed(found.complete):
        yield _strict(text[start:end]) or _unmixed(_repaired(text[start:end]))


def _objects(text: str) -> _Objects:
    complete: list[tuple[int, int]] = []
    depth, start, kept, quoted = 0, 0, 0, False
    for match in _MARKS.finditer(text):
        mark = match.group()
        if not depth and mark != "{":
            continue
        if mark == '"':
            quoted = not quoted
        elif not quoted and mark[0] != "\\":
            kept = match.start() if mark == "," else match.end()
            start = start if depth else match.start()
            depth += (mark == "{") - (mark == "}")
            if not depth:
                complete.append((start, kept))
    # Where a quotation mark too many or too few turns the end into a text, nobody knows what the texts are.
    is_mismatched = quoted and text.rstrip("` \n.").endswith(("}", "]"))
    return _Objects(complete, (start, kept) if depth and not is_mismatched else None)


def _strict(text: str) -> dict[str, Any]:
    """Parses JSON, which may have line breaks in strings; empty if it is not a valid object."""
    try:
        found = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _repaired(text: str, *, is_cut: bool = False) -> dict[str, Any]:
    if len(text) > _MAX_REPAIRED or _open_brackets(text) > _MAX_OPEN:
        return {}
    import json_repair

    try:
        repaired = json_repair.loads(f'{text},"{_CUT}"' if is_cut else text, skip_json_loads=True)
    except (ValueError, RecursionError):
        return {}
    return repaired if isinstance(repaired, dict) else {}


def _unmixed(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer, or nothing if a list has objects and other values: then the repair read marks as texts."""
    lists = [value for value in answer.values() if isinstance(value, list)]
    mixed = any(len({isinstance(item, dict) for item in items}) > 1 for items in lists)
    return {} if mixed else answer


def _open_brackets(text: str) -> int:
    """The most brackets that are open at one place, were each closed by its own kind only."""
    kinds = {"}": "{", "]": "[", ")": "("}
    opened, most = {"{": 0, "[": 0, "(": 0}, 0
    for bracket in re.findall(r"[\[\](){}]", text):
        if bracket in opened:
            opened[bracket] += 1
            most = max(most, opened[bracket])
        else:
            opened[kinds[bracket]] -= 1
    return most


def _is_cut(value: Any) -> bool:
    return _CUT in json.dumps(value, ensure_ascii=False)


def _complete_part(value: Any) -> Any:
    """What is complete of a value that may be cut off: a list without its last item, or nothing."""
    if not _is_cut(value):
        return value
    return [item for item in value if not _is_cut(item)] or None if isinstance(value, list) else None


def _clean(value: Any, depth: int = 0) -> Any:
    """The value with characters removed that cannot be stored; values nested too deeply become None."""
    if isinstance(value, str):
        return sendable(value).replace("\0", "")
    if isinstance(value, dict | list) and depth >= _MAX_DEPTH:
        return None
    if isinstance(value, dict):
        return {_clean(key): _clean(inner, depth + 1) for key, inner in value.items()}
    return [_clean(inner, depth + 1) for inner in value] if isinstance(value, list) else value
