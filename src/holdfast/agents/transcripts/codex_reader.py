"""Codex CLI: rollout files, one JSON object a line, as versions 0.32 and later write them in `~/.codex/sessions`.

A line has a timestamp, a type and a payload; `session_meta` names the session, `response_item` holds the model's input
and output. The `event_msg` lines repeat the same messages and are ignored. Versions before 0.32 wrote the items without
this envelope, after a bare first line; they are read too. Instructions and the environment appear as messages of the
person; such blocks are recognised by how they begin and end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from holdfast.agents import event as kinds
from holdfast.agents.event import Event
from holdfast.agents.transcript_reasons import TranscriptCode
from holdfast.agents.transcripts import fields
from holdfast.agents.transcripts.entry import ParseNotes, TranscriptEntry
from holdfast.agents.transcripts.event_parts import (
    LONGEST_ARGUMENT,
    LONGEST_TEXT,
    SessionEvents,
    call_event,
    parsed,
    result_event,
    result_text,
    said_events,
    seconds,
)
from holdfast.text.noise import without_noise

_ENVELOPES = frozenset(
    ("session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state", "token_usage_record")
)
_CALLS = {"function_call": "", "custom_tool_call": "", "local_shell_call": "shell", "web_search_call": "web_search"}
_WITHOUT_TEXT = frozenset(
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
_ITEMS = frozenset(("message", *_CALLS, *_WITHOUT_TEXT))
_TEXTS = ("input_text", "output_text", "text")
_CONTEXTS = (
    ("# AGENTS.md instructions", "</INSTRUCTIONS>"),
    ("<skill>", "</skill>"),
    ("<goal_context>", "</goal_context>"),
    ("<codex_internal_context", "</codex_internal_context>"),
)
# Texts of code that calls tools, and the commands among them.
_LITERAL = re.compile(r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*"')
_COMMAND = re.compile(r'\btools\.exec_command\(\s*\{\s*"?cmd"?\s*:\s*("[^"\\\n]*+(?:\\.[^"\\\n]*+)*")')
# The line that separates an editor's additions from the person's own text.
_REQUEST = "## My request for Codex:"


def looks_like(record: Mapping[str, Any]) -> bool:
    """Is this a line of a rollout?"""
    if fields.text(record, "type") in _ENVELOPES:
        return isinstance(record.get("payload"), Mapping)
    return "record_type" in record or _is_bare_head(record)


def entries(records: Iterable[Mapping[str, Any]], notes: ParseNotes) -> Iterator[TranscriptEntry]:
    """The messages of the person and of the model. The rollout of a sub-agent has none."""
    session, when, of_sub_agent = "", None, False
    for record in records:
        when = fields.timestamp(record.get("timestamp")) or when
        head = _head(record)
        if head and not session:  # Only the first head: a fork also contains the head of its parent.
            session = notes.session(head.get("id") or head.get("session_id"))
            of_sub_agent = is_of_sub_agent(head)
            notes.folder(session, head.get("cwd"), fields.mapping(head, "git").get("repository_url"))
        item = _item(record, notes)
        if item and (of_sub_agent or fields.mapping(record, "metadata").get("compaction_output")):
            notes.skipped[TranscriptCode.SUB_AGENT if of_sub_agent else TranscriptCode.INJECTED] += 1
        elif item:
            session = session or notes.session(None)
            for role, text, tools in _messages(item, notes):
                yield TranscriptEntry(session, role, text, when, tools)


def _is_bare_head(record: Mapping[str, Any]) -> bool:
    return "type" not in record and "instructions" in record and "id" in record


def _head(record: Mapping[str, Any]) -> Mapping[str, Any]:
    if record.get("type") == "session_meta":
        return fields.mapping(record, "payload")
    return record if _is_bare_head(record) else {}


def _item(record: Mapping[str, Any], notes: ParseNotes) -> Mapping[str, Any]:
    """The message or call of a line; empty for bookkeeping lines."""
    kind = fields.text(record, "type")
    item = fields.mapping(record, "payload") if kind == "response_item" else record if kind in _ITEMS else {}
    known = fields.text(item, "type") in _ITEMS if item else kind in _ENVELOPES or "type" not in record
    if not known:
        notes.skipped[TranscriptCode.UNKNOWN_RECORD] += 1
    return item if known and fields.text(item, "type") not in _WITHOUT_TEXT else {}


def _messages(item: Mapping[str, Any], notes: ParseNotes) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    kind, role = fields.text(item, "type"), fields.text(item, "role")
    if kind in _CALLS:
        yield "assistant", "", fields.tool_names([{**item, "name": item.get("name") or _CALLS[kind]}])
        return
    text = message_text(item)
    if text:
        yield role, text, ()
    else:
        notes.skipped[TranscriptCode.INJECTED] += 1


def message_text(item: Mapping[str, Any]) -> str:
    """What the person or the model said in a message; empty for instructions, the environment and other roles."""
    role, content = fields.text(item, "role"), fields.mappings(item, "content")
    blocks = [fields.text(block, "text") for block in content if fields.text(block, "type") in _TEXTS]
    if role == "user":
        blocks = [_request(block) for block in blocks if not _is_context(block)]
    return "\n\n".join(filter(None, map(without_noise, blocks))) if role in ("user", "assistant") else ""


def is_of_sub_agent(head: Mapping[str, Any]) -> bool:
    """Does the head of a rollout say that a sub-agent wrote it?"""
    return "subagent" in fields.mapping(head, "source")


def _is_context(block: str) -> bool:
    text = block.strip()
    return any(text.startswith(begin) and text.endswith(end) for begin, end in _CONTEXTS)


def _request(block: str) -> str:
    return block.partition(_REQUEST)[2] if block.startswith("# ") and _REQUEST in block else block


def events(source: Iterable[Mapping[str, Any]]) -> SessionEvents:
    """What the agent did, with the session of each event."""
    session, speaks = "", True
    for record in source:
        at, kind = seconds(record.get("timestamp")), fields.text(record, "type")
        payload = fields.mapping(record, "payload") or record
        if kind == "session_meta" and not session:  # Only the first head: a fork also contains the head of its parent.
            session = fields.text(payload, "id")
            speaks = not is_of_sub_agent(payload)
            git = fields.mapping(payload, "git")
            where = {"cwd": fields.text(payload, "cwd"), "branch": fields.text(git, "branch")}
            where |= {"remote": fields.text(git, "repository_url")} if "repository_url" in git else {}
            yield session or "codex", Event(kinds.SESSION, at, tool="codex", args=where)
        elif kind == "response_item" or kind in ("message", "function_call", "function_call_output"):
            yield from ((session or "codex", event) for event in _codex_item(payload, at, speaks))


def _codex_item(item: Mapping[str, Any], at: float, person_speaks: bool) -> Iterator[Event]:
    kind, id = fields.text(item, "type"), fields.text(item, "call_id")
    if kind == "message":
        role = fields.text(item, "role")
        if person_speaks or role == "assistant":
            yield from said_events(role, message_text(item), at, "")
    elif kind == "reasoning":
        texts = (fields.text(block, "text") for block in fields.mappings(item, "summary"))
        yield Event(kinds.REASONING, at, text="\n".join(texts)[:LONGEST_TEXT])
    elif kind in ("function_call", "custom_tool_call"):
        given = item.get("arguments") or item.get("input")
        yield call_event(*_codex_call(fields.text(item, "name"), given), id, at, "")
    elif kind == "local_shell_call":
        yield call_event("shell", fields.mapping(item, "action"), id, at, "")
    elif kind in ("function_call_output", "custom_tool_call_output"):
        text = result_text(item.get("output"))
        yield result_event(text, _codex_failed(item.get("output"), text), id, at, "")


def _codex_call(tool: str, given: object) -> tuple[str, Mapping[str, Any]]:
    """A call with its arguments. Newer versions write code that calls the tools: its commands, or else its patch."""
    if tool != "exec" or not isinstance(given, str) or "tools." not in given:
        return tool, parsed(given)
    code = given[: LONGEST_ARGUMENT * 3]
    literals = [text for found in _LITERAL.findall(code) if isinstance(text := _decoded(found), str)]
    patch = next((text for text in literals if "*** Begin Patch" in text), "")
    commands = (_decoded(found) for found in _COMMAND.findall(code))
    command = "\n".join(text for text in commands if isinstance(text, str))
    return ("apply_patch", {"input": patch}) if patch else ("exec_command", {"cmd": command}) if command else (tool, {})


def _decoded(literal: str) -> object:
    with suppress(ValueError):
        return json.loads(literal)
    return None


def _codex_failed(output: object, text: str) -> bool:
    about = fields.mapping(parsed(output), "metadata")
    return about.get("exit_code", 0) not in (0, None) or (
        "Process exited with code " in text[:200] and "code 0" not in text[:200]
    )
