"""ChatGPT: the data export of 2023 to 2026, `conversations.json` or its numbered parts, alone or in the zip.

Each conversation is a tree of messages with one branch for each edit or regenerated answer. Only the branch shown last
is read, from `current_node` up to the root. Hidden messages, thoughts, custom instructions and tool results are left
out. A message addressed to a tool counts as a use of that tool.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from holdfast.agents.transcript_reasons import TranscriptCode
from holdfast.agents.transcripts import fields
from holdfast.agents.transcripts.entry import ParseNotes, TranscriptEntry

_TEXTS = ("text", "multimodal_text")
_ROLES = ("user", "assistant")


def looks_like(record: Mapping[str, Any]) -> bool:
    """Is this a conversation of an export?"""
    return isinstance(record.get("mapping"), Mapping)


def entries(records: Iterable[Mapping[str, Any]], notes: ParseNotes) -> Iterator[TranscriptEntry]:
    """The messages that were shown, conversation by conversation."""
    for record in records:
        if not looks_like(record):
            notes.skipped[TranscriptCode.UNKNOWN_RECORD] += 1
            continue
        session = notes.session(record.get("conversation_id") or record.get("id") or record.get("create_time"))
        notes.title(session, record.get("title"))
        for message in _shown(record):
            yield from _message(message, session, notes)


def _shown(conversation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The messages on the path from the root to the current node."""
    nodes = fields.mapping(conversation, "mapping")
    at = fields.text(conversation, "current_node")
    if at not in nodes:
        at = list(nodes)[-1] if nodes else ""
    branch: list[Mapping[str, Any]] = []
    visited: set[str] = set()
    while at and at not in visited:
        visited.add(at)
        node = fields.mapping(nodes, at)
        branch.append(fields.mapping(node, "message"))
        at = fields.text(node, "parent")
    return branch[::-1]


def _message(message: Mapping[str, Any], session: str, notes: ParseNotes) -> Iterator[TranscriptEntry]:
    role = fields.text(fields.mapping(message, "author"), "role")
    if role not in _ROLES:
        return
    when, id = fields.timestamp(message.get("create_time")), fields.text(message, "id")
    recipient = fields.text(message, "recipient") or "all"
    content = fields.mapping(message, "content")
    if role == "assistant" and recipient != "all":
        yield TranscriptEntry(session, "assistant", "", when, fields.tool_names([{"name": recipient}]))
    elif fields.mapping(message, "metadata").get("is_visually_hidden_from_conversation") or not _is_text(content):
        notes.skipped[TranscriptCode.INJECTED] += 1
    elif text := _text(content):
        yield TranscriptEntry(session, role, text, when, (), id)


def _is_text(content: Mapping[str, Any]) -> bool:
    return fields.text(content, "content_type") in _TEXTS


def _text(content: Mapping[str, Any]) -> str:
    found = content.get("parts")
    parts = found if isinstance(found, list) else []
    texts = [part.get("text") if isinstance(part, Mapping) else part for part in parts]
    return "\n\n".join(text.strip() for text in texts if isinstance(text, str) and text.strip())
