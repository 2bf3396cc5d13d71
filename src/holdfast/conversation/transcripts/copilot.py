"""GitHub Copilot CLI: `events.jsonl` as versions 0.0.369 to 1.0 write it in `~/.copilot/session-state`.

An event has a type, an id, a timestamp and data. Read are `session.start`, `user.message` (what the person typed, not
what was made of it for the model) and `assistant.message` with the tools it asks for; what a sub-agent says carries
the call it belongs to. All other events keep the books.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from holdfast.conversation.transcripts.entry import (
    INJECTED,
    SUB_AGENT,
    UNKNOWN,
    ParseNotes,
    TranscriptEntry,
    moment,
    names,
    part,
    parts,
    word,
)
from holdfast.conversation.transcripts.noise import spoken

_ROLES = {"user.message": "user", "assistant.message": "assistant"}
_FAMILIES = frozenset(
    ("session", "user", "assistant", "tool", "system", "subagent", "skill", "hook", "abort", "model", "permission")
)


def looks_like(record: Mapping[str, Any]) -> bool:
    """Is this an event of Copilot?"""
    return isinstance(record.get("data"), Mapping) and _family(record) in _FAMILIES


def entries(records: Iterable[Mapping[str, Any]], notes: ParseNotes) -> Iterator[TranscriptEntry]:
    """The messages of the person and of the model; those of sub-agents are left out."""
    session = ""
    for record in records:
        data, kind = part(record, "data"), word(record, "type")
        if kind == "session.start" and not session:
            session = notes.session(data.get("sessionId"))
            notes.folder(session, part(data, "context").get("cwd"))
        elif kind == "session.title_changed":
            notes.title(session or notes.session(None), data.get("title"))
        elif kind in _ROLES:
            session = session or notes.session(None)
            yield from _message(record, data, session, notes)
        elif _family(record) not in _FAMILIES:
            notes.skipped[UNKNOWN] += 1


def _family(record: Mapping[str, Any]) -> str:
    return word(record, "type").partition(".")[0]


def _message(
    record: Mapping[str, Any], data: Mapping[str, Any], session: str, notes: ParseNotes
) -> Iterator[TranscriptEntry]:
    text = spoken(word(data, "content"))
    tools = names(parts(data, "toolRequests"))
    if data.get("parentToolCallId"):
        notes.skipped[SUB_AGENT] += 1
    elif data.get("source") not in (None, "", "user") or (data.get("content") and not text and not tools):
        notes.skipped[INJECTED] += 1
    elif text or tools:
        when = moment(record.get("timestamp"))
        yield TranscriptEntry(session, _ROLES[word(record, "type")], text, when, tools, word(record, "id"))
