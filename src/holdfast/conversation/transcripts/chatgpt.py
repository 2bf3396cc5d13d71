"""ChatGPT: the data export of 2023 to 2026, `conversations.json` or its numbered pieces, alone or in the zip.

Each conversation is a tree of messages, one branch for each time a message was edited or answered anew; the branch
that was shown last is read, from `current_node` up to the root. Hidden messages, thoughts, the person's standing
instructions and what tools gave are left out. A message to a tool is a use of that tool.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from holdfast.conversation.transcripts.entry import (
    INJECTED,
    UNKNOWN,
    ParseNotes,
    TranscriptEntry,
    moment,
    names,
    part,
    word,
)

_TEXTS = ("text", "multimodal_text")
_ROLES = ("user", "assistant")


def looks_like(record: Mapping[str, Any]) -> bool:
    """Is this a conversation of an export?"""
    return isinstance(record.get("mapping"), Mapping)


def entries(records: Iterable[Mapping[str, Any]], notes: ParseNotes) -> Iterator[TranscriptEntry]:
    """The messages that were shown, conversation by conversation."""
    for record in records:
        if not looks_like(record):
            notes.skipped[UNKNOWN] += 1
            continue
        session = notes.session(record.get("conversation_id") or record.get("id") or record.get("create_time"))
        notes.title(session, record.get("title"))
        for message in _shown(record):
            yield from _message(message, session, notes)


def _shown(conversation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The messages on the way from the root to the current node."""
    nodes = part(conversation, "mapping")
    at = word(conversation, "current_node")
    if at not in nodes:
        at = list(nodes)[-1] if nodes else ""
    branch: list[Mapping[str, Any]] = []
    passed: set[str] = set()
    while at and at not in passed:
        passed.add(at)
        node = part(nodes, at)
        branch.append(part(node, "message"))
        at = word(node, "parent")
    return branch[::-1]


def _message(message: Mapping[str, Any], session: str, notes: ParseNotes) -> Iterator[TranscriptEntry]:
    role = word(part(message, "author"), "role")
    if role not in _ROLES:
        return
    when, id = moment(message.get("create_time")), word(message, "id")
    recipient = word(message, "recipient") or "all"
    content = part(message, "content")
    if role == "assistant" and recipient != "all":
        yield TranscriptEntry(session, "assistant", "", when, names([{"name": recipient}]))
    elif part(message, "metadata").get("is_visually_hidden_from_conversation") or not _is_said(content):
        notes.skipped[INJECTED] += 1
    elif text := _text(content):
        yield TranscriptEntry(session, role, text, when, (), id)


def _is_said(content: Mapping[str, Any]) -> bool:
    return word(content, "content_type") in _TEXTS


def _text(content: Mapping[str, Any]) -> str:
    found = content.get("parts")
    pieces = found if isinstance(found, list) else []
    words = [piece.get("text") if isinstance(piece, Mapping) else piece for piece in pieces]
    return "\n\n".join(word.strip() for word in words if isinstance(word, str) and word.strip())
