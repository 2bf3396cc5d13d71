"""Codex CLI: rollout files, one JSON object a line, as versions 0.32 and later write them in `~/.codex/sessions`.

A line has a timestamp, a type and a payload; `session_meta` names the session, `response_item` carries what the
model was given and what it gave. The same words stand once more among the `event_msg` lines, which are passed by.
Before 0.32 the items stood without an envelope, after a bare first line; they are read too. Instructions and the
environment are given to the model in the name of the person: such blocks are told by how they begin and end.
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

_ENVELOPES = frozenset(
    ("session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state", "token_usage_record")
)
_CALLS = {"function_call": "", "custom_tool_call": "", "local_shell_call": "shell", "web_search_call": "web_search"}
_SILENT = frozenset(
    (
        "reasoning",
        "function_call_output",
        "custom_tool_call_output",
        "tool_search_call",
        "tool_search_output",
        "image_generation_call",
        "compaction",
        "compaction_summary",
        "context_compaction",
        "ghost_snapshot",
        "other",
    )
)
_ITEMS = frozenset(("message", *_CALLS, *_SILENT))
_TEXTS = ("input_text", "output_text", "text")
_CONTEXTS = (
    ("# AGENTS.md instructions", "</INSTRUCTIONS>"),
    ("<skill>", "</skill>"),
    ("<user_shell_command>", "</user_shell_command>"),
    ("<user_action>", "</user_action>"),
    ("<goal_context>", "</goal_context>"),
    ("<codex_internal_context", "</codex_internal_context>"),
    ("<recommended_plugins>", "</recommended_plugins>"),
)
# What an editor puts before the words of the person ends with this line.
_REQUEST = "## My request for Codex:"


def looks_like(record: Mapping[str, Any]) -> bool:
    """Is this a line of a rollout?"""
    if word(record, "type") in _ENVELOPES:
        return isinstance(record.get("payload"), Mapping)
    return "record_type" in record or _is_bare_head(record)


def entries(records: Iterable[Mapping[str, Any]], notes: ParseNotes) -> Iterator[TranscriptEntry]:
    """The messages of the person and of the model. The rollout of a sub-agent has none."""
    session, when, of_sub_agent = "", None, False
    for record in records:
        when = moment(record.get("timestamp")) or when
        head = _head(record)
        if head and not session:  # Why the first alone: a fork carries the head of what it was forked from.
            session = notes.session(head.get("id") or head.get("session_id"))
            of_sub_agent = "subagent" in part(head, "source")
            notes.folder(session, head.get("cwd"))
        item = _item(record, notes)
        if item and (of_sub_agent or part(record, "metadata").get("compaction_output")):
            notes.skipped[SUB_AGENT if of_sub_agent else INJECTED] += 1
        elif item:
            session = session or notes.session(None)
            for role, text, tools in _said(item, notes):
                yield TranscriptEntry(session, role, text, when, tools)


def _is_bare_head(record: Mapping[str, Any]) -> bool:
    return "type" not in record and "instructions" in record and "id" in record


def _head(record: Mapping[str, Any]) -> Mapping[str, Any]:
    if record.get("type") == "session_meta":
        return part(record, "payload")
    return record if _is_bare_head(record) else {}


def _item(record: Mapping[str, Any], notes: ParseNotes) -> Mapping[str, Any]:
    """The message or call of a line; empty for lines that keep the books."""
    kind = word(record, "type")
    item = part(record, "payload") if kind == "response_item" else record if kind in _ITEMS else {}
    known = word(item, "type") in _ITEMS if item else kind in _ENVELOPES or "type" not in record
    if not known:
        notes.skipped[UNKNOWN] += 1
    return item if known and word(item, "type") not in _SILENT else {}


def _said(item: Mapping[str, Any], notes: ParseNotes) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    kind, role = word(item, "type"), word(item, "role")
    if kind in _CALLS:
        yield "assistant", "", names([{"name": item.get("name") or _CALLS[kind]}])
        return
    blocks = [word(block, "text") for block in parts(item, "content") if word(block, "type") in _TEXTS]
    if role not in ("user", "assistant"):
        notes.skipped[INJECTED] += 1
        return
    if role == "user":
        blocks = [_request(block) for block in blocks if not _is_context(block)]
    text = "\n\n".join(filter(None, map(spoken, blocks)))
    if text:
        yield role, text, ()
    else:
        notes.skipped[INJECTED] += 1


def _is_context(block: str) -> bool:
    text = block.strip()
    return any(text.startswith(begin) and text.endswith(end) for begin, end in _CONTEXTS)


def _request(block: str) -> str:
    return block.partition(_REQUEST)[2] if block.startswith("# ") and _REQUEST in block else block
