"""opencode: sessions as `opencode export ID` writes them, one JSON object each.

`info` names the session, its folder and, for a sub-agent, its parent; `messages` have parts. This reads the text parts;
those marked as synthetic or ignored were inserted by the program. Everything else is bookkeeping.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from holdfast.agents import event as kinds
from holdfast.agents.event import Event
from holdfast.agents.transcript_reasons import TranscriptCode
from holdfast.agents.transcripts import fields
from holdfast.agents.transcripts.entry import ParseNotes, TranscriptEntry
from holdfast.agents.transcripts.event_parts import (
    LONGEST_TEXT,
    SessionEvents,
    call_event,
    result_event,
    result_text,
    said_events,
)
from holdfast.text.noise import without_noise

_ROLES = ("user", "assistant")
_MILLISECONDS = 1000


def looks_like(record: Mapping[str, Any]) -> bool:
    """Is this an exported session?"""
    info = fields.mapping(record, "info")
    return isinstance(record.get("messages"), list) and "id" in info and ("directory" in info or "projectID" in info)


def entries(records: Iterable[Mapping[str, Any]], notes: ParseNotes) -> Iterator[TranscriptEntry]:
    """The messages of the person and of the model. The session of a sub-agent has none."""
    for record in records:
        if not looks_like(record):
            notes.skipped[TranscriptCode.UNKNOWN_RECORD] += 1
            continue
        info = fields.mapping(record, "info")
        session = notes.session(info.get("id"))
        notes.folder(session, info.get("directory"))
        notes.title(session, info.get("title"))
        for message in fields.mappings(record, "messages"):
            if is_of_sub_agent(record):
                notes.skipped[TranscriptCode.SUB_AGENT] += 1
            else:
                yield from _message(message, session, notes)


def is_of_sub_agent(record: Mapping[str, Any]) -> bool:
    """Was the session started by another one?"""
    return bool(fields.mapping(record, "info").get("parentID"))


def message_text(message: Mapping[str, Any]) -> str:
    """What the person or the model said; empty for what the program inserted."""
    said = (p for p in fields.mappings(message, "parts") if p.get("type") == "text")
    texts = (without_noise(fields.text(p, "text")) for p in said if not p.get("synthetic") and not p.get("ignored"))
    return "\n\n".join(filter(None, texts))


def seconds(value: object) -> float | None:
    """A time of opencode, which counts milliseconds, in seconds; None if it is none."""
    return value / _MILLISECONDS if isinstance(value, int | float) and not isinstance(value, bool) else None


def _message(message: Mapping[str, Any], session: str, notes: ParseNotes) -> Iterator[TranscriptEntry]:
    info, parts = fields.mapping(message, "info"), fields.mappings(message, "parts")
    role, text = fields.text(info, "role"), message_text(message)
    called = (part for part in parts if part.get("type") == "tool")
    calls = ({"name": part.get("tool"), "args": fields.mapping(part, "state").get("input")} for part in called)
    tools = fields.tool_names(calls, "opencode")
    if role in _ROLES and (text or tools):
        when = fields.timestamp(seconds(fields.mapping(info, "time").get("created")))
        yield TranscriptEntry(session, role, text, when, tools, fields.text(info, "id"))
    elif any(part.get("type") == "text" for part in parts):
        notes.skipped[TranscriptCode.INJECTED] += 1


def events(source: Iterable[Mapping[str, Any]]) -> SessionEvents:
    """What the agent did, with the session of each event."""
    for record in filter(looks_like, source):
        if is_of_sub_agent(record):  # Most of them only read and review.
            continue
        info = fields.mapping(record, "info")
        session = fields.text(info, "id")
        started = seconds(fields.mapping(info, "time").get("created"))
        where = {"cwd": fields.text(info, "directory"), "branch": ""}
        yield session, Event(kinds.SESSION, started or 0.0, tool="opencode", args=where)
        for message in fields.mappings(record, "messages"):
            about = fields.mapping(message, "info")
            at = seconds(fields.mapping(about, "time").get("created")) or 0.0
            said = said_events(fields.text(about, "role"), message_text(message), at, "")
            yield from ((session, event) for event in said)
            for part in fields.mappings(message, "parts"):
                yield from ((session, event) for event in _opencode_part(part, at))


def _opencode_part(part: Mapping[str, Any], at: float) -> Iterator[Event]:
    state, id = fields.mapping(part, "state"), fields.text(part, "callID")
    if part.get("type") == "reasoning":
        yield Event(kinds.REASONING, at, text=fields.text(part, "text")[:LONGEST_TEXT])
    elif part.get("type") == "tool":
        at = seconds(fields.mapping(state, "time").get("start")) or at
        failed = state.get("status") == "error" or fields.mapping(state, "metadata").get("exit") not in (0, None)
        yield call_event(fields.text(part, "tool"), fields.mapping(state, "input"), id, at, "")
        yield result_event(result_text(state.get("output") or state.get("error")), failed, id, at, "")
