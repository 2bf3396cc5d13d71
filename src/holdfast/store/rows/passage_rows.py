"""Maps memories and messages to the passages and sessions that are written with them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from holdfast.core.clock import stamp
from holdfast.core.memory import EPISODE, Memory
from holdfast.text.words import terms

# Embedding order: memories that people and agents taught come before messages.
_PRIORITY = {EPISODE: 2}


def passage_of(memory: Memory) -> dict[str, Any]:
    """The passage by which search finds a memory."""
    return {
        "project": memory.project,
        "kind": memory.type,
        "owner": memory.id,
        "body": memory.content,
        "tags": " ".join(memory.tags),
        "files": " ".join(memory.files),
        "terms": " ".join((terms(" ".join((memory.content, *memory.tags, *memory.files))), *memory.questions)).strip(),
        "questions": " ".join(memory.questions),
        "priority": _PRIORITY.get(memory.type, 1),
        "past": not memory.is_current,
    }


def message_row(message: Memory) -> dict[str, Any]:
    """The columns in which messages differ; the others keep the table's defaults. Nothing looks for their hash."""
    return {
        "id": message.id,
        "project_id": message.project,
        "content": message.content,
        "content_hash": "",
        "confidence": message.confidence,
        "created_at": stamp(message.created_at),
        "event_time": stamp(message.event_time) if message.event_time else None,
        "session_id": message.session,
        "scope": message.scope,
        "source": message.source,
        "source_role": message.source_role,
        "citation_text": message.citation,
        "redacted": int(message.redacted),
        "attributes": json.dumps(dict(message.attributes)) if message.attributes else "{}",
    }


def message_terms(message: Memory) -> dict[str, str]:
    """The extra search terms of a message."""
    return {"id": message.id, "terms": terms(message.content)}


def session_rows(messages: Sequence[Memory], kind: str) -> list[dict[str, Any]]:
    """One row per session of the messages: its first and last moment here, and its last message."""
    by_session: dict[tuple[str, str | None], list[Memory]] = {}
    for message in messages:
        by_session.setdefault((message.project, message.session), []).append(message)
    return [_session_row(project, id, kind, own) for (project, id), own in by_session.items()]


def _session_row(project: str, id: str | None, kind: str, messages: Sequence[Memory]) -> dict[str, Any]:
    moments = [message.event_time or message.created_at for message in messages]
    row = {"project": project, "id": id, "kind": kind, "said_to": messages[-1].id}
    return {**row, "first": stamp(min(moments)), "last": stamp(max(moments))}
