"""Memories as plain data and back without loss; what comes back passes the door's checks again."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.clock import stamp, unstamp
from holdfast.core.errors import HoldfastError, InvalidFile
from holdfast.core.memory import Chunk, Memory, Relation, Taint, WorkUnit
from holdfast.intake.secrets import scan

if TYPE_CHECKING:
    from holdfast.core.ids import Ids
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
    try:
        given = dict(plain)
        given.update({name: unstamp(given[name]) for name in _MOMENTS if given.get(name)})
        given.update({name: tuple(given[name]) for name in _TUPLES if name in given})
        given["relations"] = tuple(Relation(**relation) for relation in given.get("relations", ()))
        for name, kind in (("taint", Taint), ("chunk", Chunk)):
            if given.get(name):
                given[name] = kind(**given[name])
        if unit := given.get("work_unit"):
            given["work_unit"] = WorkUnit(unit["methodology"], tuple(unit["hierarchy"]), unit["label"])
        return Memory(**given)
    except (TypeError, ValueError, KeyError, AttributeError, HoldfastError) as error:
        raise InvalidFile(f"memory {plain.get('id', '?')}: {error}") from error


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
    except ValueError as error:
        raise InvalidFile(f"not JSON ({error})") from error
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise InvalidFile("this JSON was not written by `holdfast export`")
    if not isinstance(whole.get("version"), int) or whole["version"] > VERSION:
        raise InvalidFile(f"version {whole.get('version')!r}, this program reads {VERSION}", hint="Upgrade Holdfast.")
    memories, events = whole.get("memories"), whole.get("events", [])
    if not isinstance(memories, list) or not isinstance(events, list):
        raise InvalidFile("it holds no list of memories")
    return tuple(decode(plain) for plain in memories), tuple(events)


def bring_in(
    writing: MemoryWriting,
    ids: Ids,
    kinds: Kinds,
    project: str,
    memories: Sequence[Memory],
    events: Iterable[Mapping[str, Any]],
) -> Mapping[str, int]:
    """Adds what is not there yet, in one durable transaction; ids, states and histories stay as they were.

    Bringing the same file in twice changes nothing the second time. Secrets are taken out on the way.
    """
    names: dict[str, str] = {}
    with writing.change(durable=True) as change:
        for memory in memories:
            _add(change, _checked(memory, project, kinds), ids, names)
        for event in events:
            if event["memory_id"] in names:
                at = unstamp(event["at"])
                change.note(names[event["memory_id"]], at, event["verb"], event["reason"], event["detail"])
    return {"added": len(names), "known": len(memories) - len(names)}


def _checked(memory: Memory, project: str, kinds: Kinds) -> Memory:
    kind = kinds.get(memory.type)
    text, redactions = scan(memory.content)
    return dataclasses.replace(
        memory,
        project=project,
        content=text,
        fields=kind.validate(memory.fields),
        redacted=memory.redacted or bool(redactions),
    )


def _add(change: MemoryChange, memory: Memory, ids: Ids, names: dict[str, str]) -> None:
    """Adds one memory; one that this store keeps for another project comes in under a new id."""
    there = change.get(memory.id)
    if there is not None and there.project == memory.project:
        return
    new = dataclasses.replace(memory, id=ids.memory(memory.type)) if there is not None else memory
    change.add(new)
    names[memory.id] = new.id


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
