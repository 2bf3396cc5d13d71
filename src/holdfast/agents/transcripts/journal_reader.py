"""The journals that our own hooks write: `agents/journal.py` describes them. Used for agents without a transcript."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from holdfast.agents import event as kinds
from holdfast.agents.event import Event
from holdfast.agents.transcript_reasons import TranscriptCode
from holdfast.agents.transcripts import fields
from holdfast.agents.transcripts.entry import ParseNotes, TranscriptEntry
from holdfast.text.noise import by_person

_ROLES = {kinds.USER: "user", kinds.ASSISTANT: "assistant"}


def looks_like(record: Mapping[str, Any]) -> bool:
    """Is this an event of a journal?"""
    return Event.from_record(record) is not None and "kind" in record and "at" in record


def entries(records: Iterable[Mapping[str, Any]], notes: ParseNotes) -> Iterator[TranscriptEntry]:
    """The messages of the person and of the model with its tools, without those of sub-agents."""
    session = client = ""
    for record in records:
        event = Event.from_record(record)
        if event is None:
            notes.skipped[TranscriptCode.UNKNOWN_RECORD] += 1
        elif event.kind == kinds.SESSION:
            session, client = notes.session(event.args.get("session")), event.tool
            notes.folder(session, event.args.get("cwd"))
        elif not event.agent and (event.kind == kinds.TOOL_CALL or (event.kind in _ROLES and event.text)):
            entry = _entry(event, session or notes.session(None), client)
            if entry.text or entry.tools:
                yield entry
            else:
                notes.skipped[TranscriptCode.INJECTED] += 1


def _entry(event: Event, session: str, client: str) -> TranscriptEntry:
    when = datetime.fromtimestamp(event.at, UTC).replace(microsecond=0)
    if event.kind == kinds.TOOL_CALL:
        tools = fields.tool_names([{"name": event.tool, "args": event.args}], client)
        return TranscriptEntry(session, "assistant", "", when, tools)
    text = by_person(event.text) if event.kind == kinds.USER else event.text
    return TranscriptEntry(session, _ROLES[event.kind], text, when)
