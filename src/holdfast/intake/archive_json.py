"""Converts the data of a project to plain JSON values and back; validates the values that it reads."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.anchor import CodeAnchor
from holdfast.core.clock import stamp, unstamp
from holdfast.core.conversation import HistoryEntry, SessionState
from holdfast.core.entity import Entity, EntityMentions, EntityMerge, key_of
from holdfast.core.errors import HoldfastError, InvalidFile
from holdfast.core.memory import ChunkLocation, Memory, Relation, Taint, WorkUnit
from holdfast.intake.archive_shapes import (
    ANCHOR,
    ENTITY,
    EVENT,
    HISTORY,
    MEMORY,
    MERGE,
    SESSION,
    Shape,
    is_list,
    is_moment,
)
from holdfast.intake.junk import why_unreadable
from holdfast.intake.limits import LONGEST_TEXT

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


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
        values = _read(plain, MEMORY)
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
        values = _read(plain, EVENT)
        return {name: values[name] for name in ("memory_id", "verb", "reason", "detail")} | {"at": stamp(values["at"])}


def decode_session(plain: Any) -> SessionState:
    """Decodes the state of a session."""
    with _named_errors("session", plain):
        values = _read(plain, SESSION)
        _check_text(values["id"])
        return SessionState(**values, messages=0)


def decode_history(plain: Any) -> HistoryEntry:
    """Decodes a history entry."""
    with _named_errors("history entry", plain):
        values = _read(plain, HISTORY)
        _check_text(values["text"])
        return HistoryEntry(**values)


def decode_entity(plain: Any) -> EntityMentions:
    """Decodes an entity and the memories that name it."""
    with _named_errors("entity", plain):
        values = _read(plain, ENTITY)
        return EntityMentions(_entity(values), values.get("memories", ()))


def decode_merge(plain: Any) -> EntityMerge:
    """Decodes a merged entity."""
    with _named_errors("merge", plain):
        values = _read(plain, MERGE)
        own = ("memories", "kept", "at", "gained_names", "gained_memories", "gained_summary")
        merged = {name: values.pop(name) for name in own if name in values}
        return EntityMerge(_entity(values), **{"memories": (), **merged})


def _anchor(plain: Any) -> CodeAnchor:
    return CodeAnchor(**_read(plain, ANCHOR))


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
            if check is is_moment:
                values[name] = unstamp(values[name])
            elif is_list(values[name]):
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
    if len(text) > LONGEST_TEXT:
        raise InvalidFile(f"the text has {len(text):,} characters, more than {LONGEST_TEXT:,}")
    unreadable = why_unreadable(text)
    if unreadable is not None:
        raise InvalidFile(f"the text contains {unreadable.code.name.lower().replace('_', ' ')}")


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
