"""Claude Code: one JSON object a line, as versions 1.0 to 2.1 write them in `~/.claude/projects`.

The format is undocumented; this reads the fields that those versions have in common. A record of type `user` or
`assistant` contains a message as in the API; a message with several blocks may span several records. Tool results are
records of type `user`. `claude_code_prompts` reads what the person said elsewhere. All other records are bookkeeping.
Rewound messages stay in the file and are read too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from holdfast.agents import event as kinds
from holdfast.agents.event import Event
from holdfast.agents.transcript_reasons import TranscriptCode
from holdfast.agents.transcripts import fields
from holdfast.agents.transcripts.claude_code_prompts import PromptQueue, Replies
from holdfast.agents.transcripts.entry import ParseNotes, TranscriptEntry
from holdfast.agents.transcripts.event_parts import (
    LONGEST_TEXT,
    SessionEvents,
    call_event,
    result_event,
    result_text,
    said_events,
    seconds,
)
from holdfast.text.noise import by_person

_MARKS = frozenset(("parentUuid", "isSidechain", "leafUuid", "isSnapshotUpdate"))
_TITLES = {"summary": "summary", "ai-title": "aiTitle", "custom-title": "customTitle"}
_BOOKKEEPING = frozenset(
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
        "pr-link",
        "frame-link",
    )
)


# Records that change the queue of prompts, or give the agent one of them.
QUEUED = ("attachment", "queue-operation")


def looks_like(record: Mapping[str, Any]) -> bool:
    """Is this a record of Claude Code?"""
    if "sessionId" in record and fields.text(record, "type") in ("user", "assistant", *_BOOKKEEPING, *_TITLES):
        return "projectHash" not in record
    return not _MARKS.isdisjoint(record)


def entries(records: Iterable[Mapping[str, Any]], notes: ParseNotes) -> Iterator[TranscriptEntry]:
    """The messages of the person and of the model, without those of sub-agents."""
    queues: dict[str, PromptQueue] = {}
    replies = Replies()
    for record in records:
        session = notes.session(record.get("sessionId"))
        notes.folder(session, record.get("cwd"))
        kind = fields.text(record, "type")
        if kind in ("user", "assistant"):
            yield from _message(record, kind, session, notes, replies)
        elif kind in QUEUED:
            if prompt := queues.setdefault(session, PromptQueue()).delivered(record):
                yield TranscriptEntry(session, "user", prompt[0], fields.timestamp(prompt[1]))
        elif kind in _TITLES:
            notes.title(session, record.get(_TITLES[kind]))
        elif kind not in _BOOKKEEPING:
            notes.skipped[TranscriptCode.UNKNOWN_RECORD] += 1


def _message(
    record: Mapping[str, Any], role: str, session: str, notes: ParseNotes, replies: Replies
) -> Iterator[TranscriptEntry]:
    message = fields.mapping(record, "message")
    if record.get("isSidechain"):
        notes.skipped[TranscriptCode.SUB_AGENT] += 1
        return
    if is_injected(record):
        notes.skipped[TranscriptCode.INJECTED] += 1
        return
    content = fields.text(message, "content")
    blocks = [{"type": "text", "text": content}] if content else fields.mappings(message, "content")
    texts = [by_person(fields.text(block, "text")) for block in blocks if block.get("type") == "text"]
    text = "\n\n".join(filter(None, texts))
    tools = fields.tool_names(block for block in blocks if block.get("type") == "tool_use")
    if texts and not text:
        notes.skipped[TranscriptCode.INJECTED] += 1
    when, id = fields.timestamp(record.get("timestamp")), fields.text(record, "uuid")
    if text or tools:
        yield TranscriptEntry(session, role, text, when, tools, id)
    for number, (speaker, said) in enumerate(replies.read(record)):
        yield TranscriptEntry(session, speaker, said, when, id=f"{id}-{number}" if id else "")


def is_injected(record: Mapping[str, Any]) -> bool:
    """Was the message written by the program, not by the person or the model?"""
    marked = any(record.get(mark) for mark in ("isMeta", "isCompactSummary", "isApiErrorMessage"))
    origin = fields.text(fields.mapping(record, "origin"), "kind")
    return marked or origin not in ("", "human") or fields.mapping(record, "message").get("model") == "<synthetic>"


def events(source: Iterable[Mapping[str, Any]]) -> SessionEvents:
    """What the agent did, with the session of each event."""
    where: dict[str, tuple[str, str]] = {}
    queues: dict[str, PromptQueue] = {}
    replies = Replies()
    for record in source:
        kind, session = fields.text(record, "type"), fields.text(record, "sessionId")
        if kind in QUEUED and (prompt := queues.setdefault(session, PromptQueue()).delivered(record)):
            yield from ((session, event) for event in said_events("user", prompt[0], seconds(prompt[1]), ""))
        if kind not in ("user", "assistant") or not session:
            continue
        at, agent = seconds(record.get("timestamp")), "sub-agent" if record.get("isSidechain") else ""
        place = fields.text(record, "cwd"), fields.text(record, "gitBranch")
        if where.get(session) != place:
            where[session] = place
            yield session, Event(kinds.SESSION, at, tool="claude-code", args={"cwd": place[0], "branch": place[1]})
        message = fields.mapping(record, "message")
        said = fields.text(message, "content")
        blocks = [{"type": "text", "text": said}] if said else fields.mappings(message, "content")
        injected = is_injected(record)
        for block in blocks:
            if not (injected and block.get("type") == "text"):
                yield from ((session, event) for event in _block(block, kind, at, agent))
        for role, text in () if agent else replies.read(record):
            yield from ((session, event) for event in said_events(role, text, at, agent))


def _block(block: Mapping[str, Any], role: str, at: float, agent: str) -> Iterator[Event]:
    kind = fields.text(block, "type")
    if kind == "text":
        yield from said_events(role, fields.text(block, "text"), at, agent)
    elif kind == "thinking":
        yield Event(kinds.REASONING, at, text=fields.text(block, "thinking")[:LONGEST_TEXT], agent=agent)
    elif kind == "tool_use":
        name, id = fields.text(block, "name"), fields.text(block, "id")
        yield call_event(name, fields.mapping(block, "input"), id, at, agent)
    elif kind == "tool_result":
        text, error = result_text(block.get("content")), block.get("is_error") is True
        yield result_event(text, error, fields.text(block, "tool_use_id"), at, agent)
