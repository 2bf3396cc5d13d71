"""Reads exports of other memory programs: the MCP reference memory, mem0, basic-memory, Claude Code's own notes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from holdfast.core.errors import InvalidFile
from holdfast.importers.classify import category_type
from holdfast.importers.imported_item import ImportedItem
from holdfast.importers.imported_rules import clean
from holdfast.text.yaml_fields import comma_separated, split_front_matter

_MOST_TAGS = 10
_OBSERVATION = re.compile(r"[-*] \[([^\[\]]{1,60})\] (.+)")
_RELATION = re.compile(r"[-*] ([\w ]{1,60}) \[\[([^\[\]]{1,200})\]\]")
_CONTEXT = re.compile(r" \(([^()]{1,200})\)$")
_TAG = re.compile(r"(?<!\S)#([\w/-]{1,60})")
# Says only that two notes have something in common.
_EMPTY_RELATIONS = ("relates_to", "related_to", "see_also", "links_to", "mentions")
_CLAUDE_TYPES = {"feedback": "preference", "user": "fact", "project": "fact", "reference": "fact"}


def reference_memory(text: str, root: str) -> Iterator[ImportedItem]:
    """The observations and relations of the MCP reference server's memory file, one JSON object per line."""
    for record in json_lines(text):
        if record.get("type") == "entity":
            name, kind = _words(record.get("name")), _words(record.get("entityType"))
            for observation in _texts(record.get("observations")):
                said = f"{name}: {observation}"
                yield ImportedItem(said, category_type([kind], observation), tags=(kind,) if kind else ())
        elif record.get("type") == "relation":
            said = " ".join(_words(record.get(key)) for key in ("from", "relationType", "to"))
            yield ImportedItem(said, "fact")


def mem0(text: str, root: str) -> Iterator[ImportedItem]:
    """The memories of a mem0 export: a list, or an object with such a list."""
    for row in json_rows(text):
        said = next((row[key] for key in ("memory", "text", "data") if isinstance(row.get(key), str)), "")
        categories = tuple(_texts(row.get("categories")))[:_MOST_TAGS]
        if said:
            when = _time(row.get("updated_at")) or _time(row.get("created_at"))
            yield ImportedItem(said, category_type(categories, said), tags=categories, when=when)


def basic_memory(text: str, root: str) -> Iterator[ImportedItem]:
    """The observations and relations of a note of basic-memory."""
    front, body = split_front_matter(text)
    title = " ".join(front.get("title", ()))
    tags = tuple(tag.lstrip("#") for value in front.get("tags", ()) for tag in comma_separated(value))
    for line in body.splitlines():
        if found := _OBSERVATION.fullmatch(line.strip()):
            said = clean(_TAG.sub("", _CONTEXT.sub(r" (\1)", found[2])))
            own = tuple(dict.fromkeys((*_TAG.findall(found[2]), *tags)))[:_MOST_TAGS]
            yield ImportedItem(f"{title}: {said}" if title else said, category_type([found[1]], said), tags=own)
        elif (found := _RELATION.fullmatch(line.strip())) and found[1] not in _EMPTY_RELATIONS:
            yield ImportedItem(f"{title} {_words(found[1])} {clean(found[2])}", "fact")


def claude_memory(text: str, root: str) -> Iterator[ImportedItem]:
    """One note of Claude Code's own memory: a file with a name, a description and a type."""
    front, body = split_front_matter(text)
    said = clean(body.replace("[[", "").replace("]]", "")) or clean(" ".join(front.get("description", ())))
    type = "".join(front.get("metadata.type", front.get("type", ())))
    if said:
        yield ImportedItem(said, _CLAUDE_TYPES.get(type, "fact"))


def json_lines(text: str) -> Iterator[Mapping[str, Any]]:
    """The objects of a text with one JSON value per line. Raises InvalidFile for any other text."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            record = _json(line, f"line {number}")
            if not isinstance(record, dict):
                raise InvalidFile(f"line {number} is not a JSON object")
            yield record


def json_rows(text: str) -> Iterator[Mapping[str, Any]]:
    """The objects of a JSON list, or of the first list in a JSON object. Raises InvalidFile for any other text."""
    data = _json(text, "it")
    if isinstance(data, dict):
        data = next((value for value in data.values() if isinstance(value, list)), None)
    if not isinstance(data, list):
        raise InvalidFile("it has no list of memories")
    yield from (row for row in data if isinstance(row, dict))


def _json(text: str, what: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidFile(f"{what} is not JSON ({error})") from None


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, str) and item.strip())


def _words(value: object) -> str:
    return " ".join(str(value).replace("_", " ").split()) if isinstance(value, str) else ""


def _time(value: object) -> datetime | None:
    try:
        when = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return when.replace(tzinfo=UTC) if when is not None and when.tzinfo is None else when
