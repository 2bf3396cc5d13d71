"""Memories as plain data and back without loss; what comes back passes the door's checks again."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.clock import stamp, unstamp
from holdfast.core.errors import HoldfastError, InvalidFile
from holdfast.core.ids import twin
from holdfast.core.memory import CITATION_LENGTH, Chunk, Memory, Relation, Taint, WorkUnit
from holdfast.core.project import relative
from holdfast.intake.junk import why_unreadable
from holdfast.intake.scrub import scrub
from holdfast.intake.secrets import scan

if TYPE_CHECKING:
    from holdfast.core.kinds import Kinds
    from holdfast.store.writing.memories import MemoryChange, MemoryWriting

FORMAT = "holdfast"
VERSION = 1
_MOMENTS = ("created_at", "event_time", "last_accessed_at", "forgotten_at", "stale_at", "valid_until")
_TUPLES = ("tags", "files", "modules", "impacted_nodes", "provenance_sessions", "source_ids")


def encode(memory: Memory) -> dict[str, Any]:
    """A memory as plain data; what is at its default is left out."""
    plain: dict[str, Any] = {}
    for field in dataclasses.fields(memory):
        value = getattr(memory, field.name)
        if value not in (None, (), False, {}) or field.name == "confidence":
            plain[field.name] = _plain(value)
    return plain


def decode(plain: Mapping[str, Any]) -> Memory:
    """The memory of plain data. Raises InvalidFile for what cannot be one."""
    if not isinstance(plain, Mapping):
        raise InvalidFile(f"{str(plain)[:40]!r} is not a memory")
    try:
        given = dict(plain)
        _check_shape(given)
        given.update({name: unstamp(given[name]) for name in _MOMENTS if given.get(name) is not None})
        given.update({name: tuple(given[name]) for name in _TUPLES if name in given})
        given["relations"] = tuple(Relation(**relation) for relation in given.get("relations", ()))
        for name, kind in (("taint", Taint), ("chunk", Chunk)):
            if given.get(name):
                given[name] = kind(**given[name])
        if unit := given.get("work_unit"):
            given["work_unit"] = WorkUnit(unit["methodology"], tuple(unit["hierarchy"]), unit["label"])
        return Memory(**given)
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError, HoldfastError) as error:
        raise InvalidFile(f"memory {plain.get('id', '?')}: {getattr(error, 'detail', error)}") from error


def dump(project: str, memories: Iterable[Memory], events: Iterable[Mapping[str, Any]], at: datetime) -> str:
    """A whole project as one JSON text."""
    whole = {
        "format": FORMAT,
        "version": VERSION,
        "project": project,
        "exported_at": stamp(at),
        "memories": [encode(memory) for memory in memories],
        "events": list(events),
    }
    return json.dumps(whole, ensure_ascii=False, indent=1)


def load(text: str) -> tuple[tuple[Memory, ...], tuple[Mapping[str, Any], ...]]:
    """The memories and events of an exported text; everything is looked at before anything is stored."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidFile(f"not JSON ({error})") from error
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise InvalidFile("this JSON was not written by `holdfast export`")
    if not isinstance(whole.get("version"), int) or whole["version"] > VERSION:
        raise InvalidFile(f"version {whole.get('version')!r}, this program reads {VERSION}", hint="Upgrade Holdfast.")
    memories, events = whole.get("memories"), whole.get("events", [])
    if not isinstance(memories, list) or not isinstance(events, list):
        raise InvalidFile("it holds no list of memories")
    found = tuple(decode(plain) for plain in memories)
    if len({memory.id for memory in found}) < len(found):
        raise InvalidFile("a memory stands in it twice")
    return found, tuple(_event(plain) for plain in events)


def bring_in(
    writing: MemoryWriting,
    kinds: Kinds,
    project: str,
    memories: Sequence[Memory],
    events: Iterable[Mapping[str, Any]],
) -> Mapping[str, int]:
    """Adds what is not there yet, in one durable transaction; ids, states and histories stay as they were.

    Bringing the same file in twice changes nothing the second time. Secrets are taken out on the way.
    """
    checked = [_checked(memory, project, kinds) for memory in memories]
    with writing.change(durable=True) as change:
        names = {memory.id: _name_here(change, memory.id, project) for memory in checked}
        fresh = {memory.id for memory in checked if change.get(names[memory.id]) is None}
        for memory in checked:
            if memory.id in fresh:
                change.add(_renamed(memory, names))
        for event in events:
            if event["memory_id"] in fresh:
                said, _ = scrub({"reason": event["reason"], "detail": event["detail"]})
                change.note(names[event["memory_id"]], unstamp(event["at"]), event["verb"], **said)
    return {"added": len(fresh), "known": len(memories) - len(fresh)}


def _check_shape(given: Mapping[str, Any]) -> None:
    for names, looks_like, check in _SHAPES:
        for name in names:
            if given.get(name) is not None and not check(given[name]):
                raise InvalidFile(f"{name} is not {looks_like}")
    unusable = why_unreadable(given["content"]) if given["content"].strip() else "there is nothing in it"
    if unusable:
        raise InvalidFile(unusable)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(inner, str) for inner in value)


def _is_paths(value: Any) -> bool:
    return _is_texts(value) and all(relative(path, _ANYWHERE) == path for path in value)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53


def _is_number(value: Any) -> bool:
    return _is_count(value) or isinstance(value, float)


def _is_flat(value: Any) -> bool:
    return isinstance(value, dict) and all(
        inner is None or isinstance(inner, str | bool) or _is_number(inner) for inner in value.values()
    )


_ANYWHERE = os.path.join(os.sep, "project")
_SHAPES = (
    (("id", "type", "content", "project", "session", "phase", "commit", "scope", "methodology"), "a text", _is_text),
    (("source", "source_role", "target_node", "citation", "visibility", *_MOMENTS), "a text", _is_text),
    (tuple(name for name in _TUPLES if name != "files"), "a list of texts", _is_texts),
    (("files",), "a list of paths inside the project", _is_paths),
    (("access_count",), "a count", _is_count),
    (("half_life_days", "confidence"), "a number", _is_number),
    (("needs_review", "verified", "pinned", "redacted"), "true or false", lambda value: isinstance(value, bool)),
    (("fields", "attributes", "work_unit"), "a mapping", lambda value: isinstance(value, dict)),
    (("taint", "chunk"), "a mapping of plain values", _is_flat),
    (("relations",), "a list of relations", lambda value: isinstance(value, list) and all(map(_is_flat, value))),
)


def _event(plain: Any) -> Mapping[str, Any]:
    """A line of a memory's history, looked at. Raises InvalidFile."""
    texts = ("memory_id", "at", "verb", "reason")
    if not isinstance(plain, dict) or not all(isinstance(plain.get(name), str) for name in texts):
        raise InvalidFile(f"{str(plain)[:40]!r} is not a line of a memory's history")
    if not isinstance(plain.get("detail"), dict):
        raise InvalidFile(f"the history of {plain['memory_id']} lacks its details")
    try:
        unstamp(plain["at"])
    except (ValueError, OverflowError) as error:
        raise InvalidFile(f"{plain['at']!r} is no moment") from error
    return plain


def _checked(memory: Memory, project: str, kinds: Kinds) -> Memory:
    kind = kinds.get(memory.type)
    text, redactions = scan(memory.content)
    free = {"tags": memory.tags, "citation": memory.citation, "fields": memory.fields, "attributes": memory.attributes}
    rest, more = scrub(free)
    rest |= {"fields": kind.validate(rest["fields"]), "tags": tuple(rest["tags"])}
    if rest["citation"]:
        rest["citation"] = rest["citation"][:CITATION_LENGTH]
    redacted = memory.redacted or bool(redactions or more)
    return dataclasses.replace(memory, project=project, content=text, redacted=redacted, **rest)


def _name_here(change: MemoryChange, id: str, project: str) -> str:
    """The id a memory has in this project: its own, unless this store keeps it for another project already."""
    there = change.get(id)
    return id if there is None or there.project == project else twin(id, project)


def _renamed(memory: Memory, names: Mapping[str, str]) -> Memory:
    relations = (dataclasses.replace(r, memory=names.get(r.memory or "", r.memory)) for r in memory.relations)
    return dataclasses.replace(memory, id=names[memory.id], relations=tuple(relations))


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return stamp(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(inner) for inner in value]
    return value


def as_markdown(memories: Iterable[Memory]) -> str:
    """What is believed, by type, for people to read. Comes back as text through `import`."""
    by_type: dict[str, list[Memory]] = {}
    for memory in memories:
        if not memory.forgotten and memory.valid_until is None and memory.type != "episode":
            by_type.setdefault(memory.type, []).append(memory)
    parts = ["# Memory\n"]
    for type, found in by_type.items():
        parts.append(f"## {type.replace('_', ' ').capitalize()}\n")
        parts += [f"- {' '.join(memory.content.split())}" for memory in found]
        parts.append("")
    return "\n".join(parts)


def from_markdown(text: str, kinds: Kinds) -> tuple[tuple[str, str], ...]:
    """The list items of a markdown text as (type, text); a heading that names a type gives it, else `fact`."""
    type, found = "fact", []
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith("#"):
            name = stripped.lstrip("#").strip().lower().replace(" ", "_")
            type = name if name in kinds.names() else "fact"
        elif stripped.startswith(("- ", "* ", "+ ")):
            found.append((type, stripped[2:].strip()))
    return tuple(found)
