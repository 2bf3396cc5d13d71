"""GitHub Copilot CLI: `events.jsonl` as versions 0.0.369 to 1.0 write it in `~/.copilot/session-state`.

An event has a type, an id, a timestamp and data. This reads `session.start`, `user.message` (the text as typed, not as
transformed for the model) and `assistant.message` with its tool requests; a sub-agent's message names its parent call.
All other events are bookkeeping.
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
    SessionEvents,
    call_event,
    result_event,
    result_text,
    said_events,
    seconds,
)
from holdfast.text.noise import without_noise

_ROLES = {"user.message": "user", "assistant.message": "assistant"}
_FAMILIES = frozenset(
    ("session", "user", "assistant", "tool", "system", "subagent", "skill", "hook", "abort", "model", "permission")
)


def looks_like(record: Mapping[str, Any]) -> bool:
    """Is this an event of Copilot?"""
    return isinstance(record.get("data"), Mapping) and _family(record) in _FAMILIES


def entries(records: Iterable[Mapping[str, Any]], notes: ParseNotes) -> Iterator[TranscriptEntry]:
    """The messages of the person and of the model, without those of sub-agents."""
    session = ""
    for record in records:
        data, kind = fields.mapping(record, "data"), fields.text(record, "type")
        if kind == "session.start" and not session:
            session = notes.session(data.get("sessionId"))
            notes.folder(session, fields.mapping(data, "context").get("cwd"), remote(data))
        elif kind == "session.title_changed":
            notes.title(session or notes.session(None), data.get("title"))
        elif kind in _ROLES:
            session = session or notes.session(None)
            yield from _message(record, data, session, notes)
        elif _family(record) not in _FAMILIES:
            notes.skipped[TranscriptCode.UNKNOWN_RECORD] += 1


def _family(record: Mapping[str, Any]) -> str:
    return fields.text(record, "type").partition(".")[0]


def _message(
    record: Mapping[str, Any], data: Mapping[str, Any], session: str, notes: ParseNotes
) -> Iterator[TranscriptEntry]:
    text = without_noise(fields.text(data, "content"))
    tools = fields.tool_names(fields.mappings(data, "toolRequests"))
    if data.get("parentToolCallId"):
        notes.skipped[TranscriptCode.SUB_AGENT] += 1
    elif is_injected(data) or (data.get("content") and not text and not tools):
        notes.skipped[TranscriptCode.INJECTED] += 1
    elif text or tools:
        role, when = _ROLES[fields.text(record, "type")], fields.timestamp(record.get("timestamp"))
        yield TranscriptEntry(session, role, text, when, tools, fields.text(record, "id"))


def is_injected(data: Mapping[str, Any]) -> bool:
    """Was the message written by the program: by a skill, a hook, or a summary?"""
    return data.get("source") not in (None, "", "user")


def remote(start: Mapping[str, Any]) -> str:
    """The URL of the repository in which a session was started; empty if its first event has none."""
    context = fields.mapping(start, "context")
    host, name = fields.text(context, "repositoryHost") or "github.com", fields.text(context, "repository")
    return f"https://{host}/{name}" if name else ""


def events(source: Iterable[Mapping[str, Any]]) -> SessionEvents:
    """What the agent did, with the session of each event."""
    session = "copilot"
    for record in source:
        data, kind = fields.mapping(record, "data"), fields.text(record, "type")
        at, id = seconds(record.get("timestamp")), fields.text(data, "toolCallId")
        agent = "sub-agent" if data.get("parentToolCallId") else ""
        if kind == "session.start":
            session = fields.text(data, "sessionId") or session
            context = fields.mapping(data, "context")
            where = {"cwd": fields.text(context, "cwd"), "branch": fields.text(context, "branch")}
            where |= {"remote": remote(data)} if remote(data) else {}
            yield session, Event(kinds.SESSION, at, tool="copilot", args=where)
        elif kind in ("user.message", "assistant.message") and not is_injected(data):
            said = said_events(kind.partition(".")[0], fields.text(data, "content"), at, agent)
            yield from ((session, event) for event in said)
        elif kind == "tool.execution_start":
            yield session, call_event(fields.text(data, "toolName"), fields.mapping(data, "arguments"), id, at, agent)
        elif kind == "tool.execution_complete":
            text = result_text(fields.mapping(data, "result").get("content") or data.get("error"))
            yield session, result_event(text, data.get("success") is False, id, at, agent)
