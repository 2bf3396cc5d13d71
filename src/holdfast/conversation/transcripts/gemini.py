"""Gemini CLI: chats as versions 0.4 to 0.40 keep them in `~/.gemini/tmp/*/chats`, a JSON object or lines of JSON.

Older versions write one object with all messages; newer ones a first line about the session, then a line for each
message, again whenever its tools are known, and `$set` lines that change the first line. A `$set` may bring the
list of messages as the model sees it after compression: of that, only what was not told before is taken. What was
rewound stays in the file, and was said all the same.
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

_ROLES = {"user": "user", "gemini": "assistant"}
_BOOKS = ("info", "error", "warning")
# What the files that a message names are put after.
_FILES = "--- Content from referenced files ---"


def looks_like(record: Mapping[str, Any]) -> bool:
    """Is this the head of a chat, or the whole of one?"""
    return "sessionId" in record and ("projectHash" in record or "messages" in record)


def entries(records: Iterable[Mapping[str, Any]], notes: ParseNotes) -> Iterator[TranscriptEntry]:
    """The messages of the person and of the model. The chat of a sub-agent has none."""
    session, of_sub_agent = "", False
    for record in records:
        about = {**record, **part(record, "$set")}
        if "sessionId" in about and not session:
            session, of_sub_agent = notes.session(about["sessionId"]), about.get("kind") == "subagent"
        session = session or notes.session(None)
        notes.title(session, about.get("summary"))
        for message in _messages(record, about, notes):
            if of_sub_agent:
                notes.skipped[SUB_AGENT] += 1
            else:
                yield from _message(message, session, notes)


def _messages(record: Mapping[str, Any], about: Mapping[str, Any], notes: ParseNotes) -> Iterable[Mapping[str, Any]]:
    if "messages" in about:
        return parts(about, "messages")
    if "id" in record and "type" in record:
        return (record,)
    if not ("sessionId" in about or "$set" in record or "$rewindTo" in record):
        notes.skipped[UNKNOWN] += 1
    return ()


def _message(message: Mapping[str, Any], session: str, notes: ParseNotes) -> Iterator[TranscriptEntry]:
    kind = word(message, "type")
    if kind not in _ROLES:
        if kind not in _BOOKS:
            notes.skipped[UNKNOWN] += 1
        return
    # Why what was shown comes first: it is what the person typed, without the files that were put beside it.
    given = message.get("displayContent") or message.get("content")
    text = spoken(_text(given))
    tools = names(parts(message, "toolCalls"))
    if text or tools:
        yield TranscriptEntry(session, _ROLES[kind], text, moment(message.get("timestamp")), tools, word(message, "id"))
    elif _text(given):
        notes.skipped[INJECTED] += 1


def _text(content: object) -> str:
    """The words of a content: a text, a part, or a list of both; thoughts and what tools gave are no words."""
    pieces = content if isinstance(content, list) else [content]
    words = [
        piece.get("text") if isinstance(piece, Mapping) and not piece.get("thought") else piece for piece in pieces
    ]
    return "".join(word for word in words if isinstance(word, str)).partition(_FILES)[0]
