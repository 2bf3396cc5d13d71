"""Gemini CLI: chats as versions 0.4 to 0.40 keep them in `~/.gemini/tmp/*/chats`, a JSON object or lines of JSON.

Older versions write one object with all messages. Newer ones write a first line about the session, a line for each
message (repeated when its tools are known) and `$set` lines that change the first line. A `$set` may contain the
compressed list of messages; only new messages of it are used. Rewound messages stay in the file and are read too.
"""

from __future__ import annotations

import re
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
from holdfast.system.project_lookup import HASHED_PATH
from holdfast.text.noise import without_noise

_ROLES = {"user": "user", "gemini": "assistant"}
_BOOKKEEPING = ("info", "error", "warning")
_SHA256 = re.compile(r"[0-9a-f]{64}")
# The contents of files that a message refers to follow this line.
_FILES = "--- Content from referenced files ---"


def looks_like(record: Mapping[str, Any]) -> bool:
    """Is this the first line of a chat, or a whole chat?"""
    return "sessionId" in record and ("projectHash" in record or "messages" in record)


def project_folder(record: Mapping[str, Any]) -> str:
    """The folder the chat was started in, as the hash of its path; empty if the record has none."""
    hash = fields.text(record, "projectHash")
    return HASHED_PATH + hash if _SHA256.fullmatch(hash) else ""


def entries(records: Iterable[Mapping[str, Any]], notes: ParseNotes) -> Iterator[TranscriptEntry]:
    """The messages of the person and of the model. The chat of a sub-agent has none."""
    session, of_sub_agent = "", False
    for record in records:
        about = {**record, **fields.mapping(record, "$set")}
        if "sessionId" in about and not session:
            session, of_sub_agent = notes.session(about["sessionId"]), about.get("kind") == "subagent"
        session = session or notes.session(None)
        notes.folder(session, project_folder(about))
        notes.title(session, about.get("summary"))
        for message in _messages(record, about, notes):
            if of_sub_agent:
                notes.skipped[TranscriptCode.SUB_AGENT] += 1
            else:
                yield from _message(message, session, notes)


def _messages(record: Mapping[str, Any], about: Mapping[str, Any], notes: ParseNotes) -> Iterable[Mapping[str, Any]]:
    if "messages" in about:
        return fields.mappings(about, "messages")
    if "id" in record and "type" in record:
        return (record,)
    if not ("sessionId" in about or "$set" in record or "$rewindTo" in record):
        notes.skipped[TranscriptCode.UNKNOWN_RECORD] += 1
    return ()


def _message(message: Mapping[str, Any], session: str, notes: ParseNotes) -> Iterator[TranscriptEntry]:
    kind = fields.text(message, "type")
    if kind not in _ROLES:
        if kind not in _BOOKKEEPING:
            notes.skipped[TranscriptCode.UNKNOWN_RECORD] += 1
        return
    text = message_text(message)
    tools = fields.tool_names(fields.mappings(message, "toolCalls"))
    if text or tools:
        when, id = fields.timestamp(message.get("timestamp")), fields.text(message, "id")
        yield TranscriptEntry(session, _ROLES[kind], text, when, tools, id)
    elif _text(message.get("content")):
        notes.skipped[TranscriptCode.INJECTED] += 1


def message_text(message: Mapping[str, Any]) -> str:
    """What the person or the model said; empty for what the program inserted."""
    # `displayContent` is the text as typed, without the attached files.
    return without_noise(_text(message.get("displayContent") or message.get("content")))


def _text(content: object) -> str:
    """The text of a content (a text, a part, or a list of both), without thoughts and tool results."""
    parts = content if isinstance(content, list) else [content]
    texts = [part.get("text") if isinstance(part, Mapping) and not part.get("thought") else part for part in parts]
    return "".join(text for text in texts if isinstance(text, str)).partition(_FILES)[0]


def events(source: Iterable[Mapping[str, Any]]) -> SessionEvents:
    """What the agent did, with the session of each event."""
    session, speaks, repeated = "gemini", True, set[tuple[str, str]]()
    for record in source:
        about = {**record, **fields.mapping(record, "$set")}
        session = fields.text(about, "sessionId") or session
        speaks = speaks and about.get("kind") != "subagent"
        if project := project_folder(record):
            started = seconds(record.get("startTime"))
            yield session, Event(kinds.SESSION, started, tool="gemini", args={"project": project})
        for message in fields.mappings(about, "messages") or ([record] if "type" in record else []):
            at, kind = seconds(message.get("timestamp")), fields.text(message, "type")
            role = {"user": "user", "gemini": "assistant", "model": "assistant"}.get(kind)
            text = message_text(message) if role else ""
            # A message is written again when its tools are known.
            said = fields.text(message, "id") or str(at), text
            if role and (speaks or role == "assistant") and said not in repeated:
                repeated.add(said)
                yield from ((session, event) for event in said_events(role, text, at, ""))
            for call in fields.mappings(message, "toolCalls"):
                id, failed = fields.text(call, "id"), fields.text(call, "status") in ("error", "cancelled")
                yield session, call_event(fields.text(call, "name"), fields.mapping(call, "args"), id, at, "")
                text = result_text(call.get("resultDisplay") or call.get("result"))
                yield session, result_event(text, failed, id, at, "")
