"""Converts the data of a project to plain JSON values and back; validates the values that it reads."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.anchor import CodeAnchor
from holdfast.core.clock import stamp, unstamp
from holdfast.core.conversation import HistoryEntry, SessionState
from holdfast.core.entity import Entity, EntityMentions, EntityMerge, key_of
from holdfast.core.errors import HoldfastError, InvalidFile
from holdfast.core.memory import ChunkLocation, Memory, Relation, Taint, WorkUnit
from holdfast.core.project import relative
from holdfast.intake.junk import why_unreadable

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

# Field names, the format of these fields in words, and its check.
Shape = tuple[tuple[str, ...], str, Callable[[Any], bool]]


def encode(value: DataclassInstance, *without: str) -> dict[str, Any]:
    """Encodes a value as plain data, without empty fields."""
    plain: dict[str, Any] = {}
    for field in dataclasses.fields(value):
        inner = getattr(value, field.name)
        if field.name not in without and (inner not in (None, (), False, {}) or field.name == "confidence"):
            plain[field.name] = _plain(inner)
    return plain


def encode_session(state: SessionState) -> dict[str, Any]:
    """Encodes the state of a session, without its message count, which follows from the messages."""
    return encode(state, "messages")


def encode_entity(named: EntityMentions | EntityMerge) -> dict[str, Any]:
    """Encodes an entity, merged or not, and the memories that name it."""
    return encode(named.entity, "project", "mentions") | encode(named, "entity")


def decode(plain: Any) -> Memory:
    """Decodes a memory. Raises InvalidFile if it is not valid."""
    with _named_errors("memory", plain):
        values = _read(plain, _MEMORY)
        _check_text(values["content"])
        values["anchors"] = tuple(_anchor(anchor) for anchor in values.get("anchors", ()))
        values["relations"] = tuple(Relation(**relation) for relation in values.get("relations", ()))
        for name, value_type in (("taint", Taint), ("chunk", ChunkLocation)):
            if values.get(name):
                values[name] = value_type(**values[name])
        if unit := values.get("work_unit"):
            values["work_unit"] = WorkUnit(unit["methodology"], tuple(unit["hierarchy"]), unit["label"])
        return Memory(**values)


def decode_event(plain: Any) -> Mapping[str, Any]:
    """Decodes an event of a memory's history."""
    with _named_errors("event", plain):
        values = _read(plain, _EVENT)
        return {name: values[name] for name in ("memory_id", "verb", "reason", "detail")} | {"at": stamp(values["at"])}


def decode_session(plain: Any) -> SessionState:
    """Decodes the state of a session."""
    with _named_errors("session", plain):
        values = _read(plain, _SESSION)
        _check_text(values["id"])
        return SessionState(**values, messages=0)


def decode_history(plain: Any) -> HistoryEntry:
    """Decodes a history entry."""
    with _named_errors("history entry", plain):
        values = _read(plain, _HISTORY)
        _check_text(values["text"])
        return HistoryEntry(**values)


def decode_entity(plain: Any) -> EntityMentions:
    """Decodes an entity and the memories that name it."""
    with _named_errors("entity", plain):
        values = _read(plain, _ENTITY)
        return EntityMentions(_entity(values), values.get("memories", ()))


def decode_merge(plain: Any) -> EntityMerge:
    """Decodes a merged entity."""
    with _named_errors("merge", plain):
        values = _read(plain, _MERGE)
        own = ("memories", "kept", "at", "gained_names", "gained_memories", "gained_summary")
        merged = {name: values.pop(name) for name in own if name in values}
        return EntityMerge(_entity(values), **{"memories": (), **merged})


def _anchor(plain: Any) -> CodeAnchor:
    anchor = CodeAnchor(**_read(plain, _ANCHOR))
    if relative(anchor.path, _ANYWHERE) != anchor.path:
        raise InvalidFile(f"{anchor.path[:40]!r} is not a path inside the project")
    return anchor


def _entity(values: dict[str, Any]) -> Entity:
    fields = {name: value for name, value in values.items() if name != "memories"}
    for name in (fields["name"], *fields.get("aliases", ())):
        if why_unreadable(name) or not key_of(name):
            raise InvalidFile(f"{name[:40]!r} is not a valid name")
    return Entity(project="", **fields)


def _read(plain: Any, shapes: tuple[Shape, ...]) -> dict[str, Any]:
    """Checks the fields against their shapes and converts times and lists. Raises InvalidFile."""
    values = {name: value for name, value in plain.items() if value is not None}
    for names, format, check in shapes:
        for name in filter(values.__contains__, names):
            if not check(values[name]):
                raise InvalidFile(f"{name} is not {format}")
            if check is _is_moment:
                values[name] = unstamp(values[name])
            elif check in (_is_texts, _is_paths):
                values[name] = tuple(values[name])
    return values


@contextmanager
def _named_errors(what: str, plain: Any) -> Iterator[None]:
    """Turns errors into InvalidFile errors that name the object."""
    if not isinstance(plain, Mapping):
        raise InvalidFile(f"{str(plain)[:40]!r} is not a {what}")
    try:
        yield
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError, HoldfastError) as error:
        name = plain.get("id") or plain.get("memory_id") or "?"
        raise InvalidFile(f"{what} {str(name)[:40]}: {getattr(error, 'detail', error)}") from error


def _check_text(text: str) -> None:
    if not text.strip():
        raise InvalidFile("the text is empty")
    unreadable = why_unreadable(text)
    if unreadable is not None:
        raise InvalidFile(f"the text contains {unreadable.code.name.lower().replace('_', ' ')}")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_moment(value: Any) -> bool:
    return isinstance(value, str) and bool(unstamp(value))


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(inner, str) for inner in value)


def _is_paths(value: Any) -> bool:
    return _is_texts(value) and all(relative(path, _ANYWHERE) == path for path in value)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53


def _is_nanoseconds(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


def _is_number(value: Any) -> bool:
    return _is_count(value) or isinstance(value, float)


def _is_boolean(value: Any) -> bool:
    return isinstance(value, bool)


def _is_mapping(value: Any) -> bool:
    return isinstance(value, dict)


def _is_flat(value: Any) -> bool:
    return isinstance(value, dict) and all(
        inner is None or isinstance(inner, str | bool) or _is_number(inner) for inner in value.values()
    )


def _is_relations(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_flat, value))


def _is_mappings(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_mapping, value))


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


_ANYWHERE = os.path.join(os.sep, "project")
_MEMORY: tuple[Shape, ...] = (
    (("id", "type", "content", "project", "session", "phase", "commit", "scope", "methodology"), "a text", _is_text),
    (("source", "source_role", "target_node", "citation", "visibility"), "a text", _is_text),
    (("created_at", "event_time", "last_accessed_at", "forgotten_at"), "a time", _is_moment),
    (("stale_at", "valid_until"), "a time", _is_moment),
    (("tags", "modules", "impacted_nodes", "provenance_sessions", "source_ids"), "a list of texts", _is_texts),
    (("files",), "a list of paths inside the project", _is_paths),
    (("access_count",), "a count", _is_count),
    (("half_life_days", "confidence"), "a number", _is_number),
    (("needs_review", "verified", "pinned", "redacted"), "true or false", _is_boolean),
    (("fields", "attributes", "work_unit"), "a mapping", _is_mapping),
    (("taint", "chunk"), "a mapping of plain values", _is_flat),
    (("relations",), "a list of relations", _is_relations),
    (("anchors",), "a list of anchors", _is_mappings),
)
_ANCHOR: tuple[Shape, ...] = (
    (("path", "symbol", "hash", "commit", "branch", "state"), "a text", _is_text),
    (("line", "end_line", "size"), "a count", _is_count),
    (("mtime_ns",), "a time in nanoseconds", _is_nanoseconds),
    (("unchanged",), "a number", _is_number),
)
_EVENT: tuple[Shape, ...] = (
    (("memory_id", "verb", "reason"), "a text", _is_text),
    (("at",), "a time", _is_moment),
    (("detail",), "a mapping", _is_mapping),
)
_SESSION: tuple[Shape, ...] = (
    (("id", "kind", "title", "consolidated_to", "trimmed_to", "recap"), "a text", _is_text),
    (("created_at", "last_at", "consolidated_at", "archived_at"), "a time", _is_moment),
)
_HISTORY: tuple[Shape, ...] = (
    (("id", "session", "text", "how", "first", "last"), "a text", _is_text),
    (("at",), "a time", _is_moment),
    (("tools",), "a list of texts", _is_texts),
)
_ENTITY: tuple[Shape, ...] = (
    (("id", "name", "type", "label", "summary"), "a text", _is_text),
    (("created_at",), "a time", _is_moment),
    (("aliases", "memories"), "a list of texts", _is_texts),
    (("protected",), "true or false", _is_boolean),
)
_MERGE: tuple[Shape, ...] = (
    *_ENTITY,
    (("kept",), "a text", _is_text),
    (("at",), "a time", _is_moment),
    (("gained_names", "gained_memories"), "a list of texts", _is_texts),
    (("gained_summary",), "true or false", _is_boolean),
)
