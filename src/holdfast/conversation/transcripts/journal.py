"""The journals that our own hooks write: `core/journal.py` describes them. Used for agents without a transcript."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from holdfast.conversation.reasons import ConversationCode
from holdfast.conversation.transcripts.entry import ParseNotes, TranscriptEntry
from holdfast.core import event as kinds
from holdfast.core.event import Event

_ROLES = {kinds.USER: "user", kinds.ASSISTANT: "assistant"}


def looks_like(record: Mapping[str, Any]) -> bool:
    """Is this an event of a journal?"""
    return Event.from_record(record) is not None and "kind" in record and "at" in record


def entries(records: Iterable[Mapping[str, Any]], notes: ParseNotes) -> Iterator[TranscriptEntry]:
    """The messages of the person and of the model, without those of sub-agents."""
    session = ""
    for record in records:
        event = Event.from_record(record)
        if event is None:
            notes.skipped[ConversationCode.UNKNOWN_RECORD] += 1
        elif event.kind == kinds.SESSION:
            session = notes.session(event.args.get("session"))
            notes.folder(session, event.args.get("cwd"))
        elif event.kind in _ROLES and event.text and not event.agent:
            when = datetime.fromtimestamp(event.at, UTC).replace(microsecond=0)
            yield TranscriptEntry(session or notes.session(None), _ROLES[event.kind], event.text, when)
