"""Claude Code: one JSON object a line, as versions 1.0 to 2.1 write them in `~/.claude/projects`.

The format is not documented; this reads what those versions have in common. A record is of the person (`user`) or of
the model (`assistant`) and carries a message as the API has it; a message of several blocks may stand in several
records. Results of tools come back as records of the person. All other kinds keep the books. What was rewound
stays in the file, and was said all the same.
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

_MARKS = frozenset(("parentUuid", "isSidechain", "leafUuid", "isSnapshotUpdate"))
_TITLES = {"summary": "summary", "ai-title": "aiTitle", "custom-title": "customTitle"}
_BOOKS = frozenset(
    (
        "system",
        "attachment",
        "progress",
        "queue-operation",
        "checkpoint",
        "file-history-snapshot",
        "last-prompt",
        "tools-used",
        "api-request",
        "api-request-blob",
        "cost-state",
        "agent-name",
        "mode",
    )
)


def looks_like(record: Mapping[str, Any]) -> bool:
    """Is this a record of Claude Code?"""
    if "sessionId" in record and word(record, "type") in ("user", "assistant", *_BOOKS, *_TITLES):
        return "projectHash" not in record
    return not _MARKS.isdisjoint(record)


def entries(records: Iterable[Mapping[str, Any]], notes: ParseNotes) -> Iterator[TranscriptEntry]:
    """The messages of the person and of the model; those of sub-agents are left out."""
    for record in records:
        session = notes.session(record.get("sessionId"))
        notes.folder(session, record.get("cwd"))
        kind = word(record, "type")
        if kind in ("user", "assistant"):
            yield from _message(record, kind, session, notes)
        elif kind in _TITLES:
            notes.title(session, record.get(_TITLES[kind]))
        elif kind not in _BOOKS:
            notes.skipped[UNKNOWN] += 1


def _message(record: Mapping[str, Any], role: str, session: str, notes: ParseNotes) -> Iterator[TranscriptEntry]:
    message = part(record, "message")
    if record.get("isSidechain"):
        notes.skipped[SUB_AGENT] += 1
        return
    if _is_injected(record, message):
        notes.skipped[INJECTED] += 1
        return
    content = word(message, "content")
    blocks = [{"type": "text", "text": content}] if content else parts(message, "content")
    said = [spoken(word(block, "text")) for block in blocks if block.get("type") == "text"]
    text = "\n\n".join(filter(None, said))
    tools = names(block for block in blocks if block.get("type") == "tool_use")
    if said and not text:
        notes.skipped[INJECTED] += 1
    if text or tools:
        yield TranscriptEntry(session, role, text, moment(record.get("timestamp")), tools, word(record, "uuid"))


def _is_injected(record: Mapping[str, Any], message: Mapping[str, Any]) -> bool:
    marked = any(record.get(mark) for mark in ("isMeta", "isCompactSummary", "isApiErrorMessage"))
    return marked or message.get("model") == "<synthetic>"
