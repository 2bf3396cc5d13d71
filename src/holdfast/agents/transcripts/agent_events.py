"""Reads what an agent did from the transcripts of Claude Code, Codex, Gemini CLI, Copilot CLI and opencode: its tool
calls, their results, its reasoning and what was said. The sessions of a file come one after the other.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from holdfast.agents import event as kinds
from holdfast.agents.event import Event
from holdfast.agents.transcripts import claude_code, codex, copilot, fields, gemini, opencode
from holdfast.agents.transcripts.claude_code_prompts import PromptQueue, Replies
from holdfast.agents.transcripts.entry import IsOurs
from holdfast.agents.transcripts.record_files import records, transcript_files
from holdfast.core.errors import InvalidFile
from holdfast.core.frozen import frozen
from holdfast.text.noise import without_noise

# The characters kept of a text, and of one argument of a call.
_TEXT, _RESULT, _ARGUMENT, _EXAMINED = 20_000, 4_000, 4_000, 50
# Texts of code that calls tools, and the commands among them.
_LITERAL = re.compile(r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*"')
_COMMAND = re.compile(r'\btools\.exec_command\(\s*\{\s*"?cmd"?\s*:\s*("[^"\\\n]*+(?:\\.[^"\\\n]*+)*")')
# A longer transcript is not read for its texts, of which the latest are kept.
_LARGEST, _MOST_TEXTS = 64 * 1024 * 1024, 4_000
_SessionEvents = Iterator[tuple[str, Event]]


@frozen
class AgentSession:
    """The events of one session in order; `folder` is where the agent worked, if the transcript says so.

    `remote` is the URL of the repository there.
    """

    id: str
    folder: str
    events: tuple[Event, ...]
    remote: str = ""


def all_sessions(path: str, is_ours: IsOurs | None = None) -> list[AgentSession]:
    """The sessions of a file, or of all transcripts in a folder, oldest first.

    From a folder, only those of this project (`is_ours`) or of an unknown place; files that cannot be read are skipped.
    A session that continues a copy of another one has only its own events. Raises InvalidFile for a file without any.
    """
    source = Path(path)
    if not source.is_dir():
        sessions = list(agent_sessions(source))
        if not sessions:
            hint = "Name a transcript of Claude Code, Codex, Gemini CLI, Copilot CLI or opencode, or a folder of them."
            raise InvalidFile(f"{path} is not a transcript of a known format", hint=hint)
        return sessions
    found: list[AgentSession] = []
    for file in transcript_files(source):
        with suppress(InvalidFile):
            read = agent_sessions(file)
            found += [one for one in read if not is_ours or not one.folder or is_ours(one.folder, one.remote)]
    return list(_without_copies(sorted(found, key=lambda session: session.events[0].at)))


def said_in(path: str, session: str) -> list[Event]:
    """What an agent thought and said in a session, by the transcript that its program writes.

    Nothing if there is no such file, if it is too long, of no known format, or about other sessions only.
    """
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > _LARGEST:
            return []
        events = [event for one in agent_sessions(Path(path)) if one.id == session for event in one.events]
    except (OSError, InvalidFile):
        return []
    # Those of a sub-agent have nothing in common with the calls that its hooks report.
    texts = [e for e in events if e.kind in (kinds.REASONING, kinds.ASSISTANT) and e.text and e.at and not e.agent]
    return sorted(texts[-_MOST_TEXTS:], key=lambda event: event.at)


def _without_copies(sessions: Iterable[AgentSession]) -> Iterator[AgentSession]:
    """Leaves out the events that an earlier session has too: a resumed or forked session begins with a copy of it."""
    seen: set[tuple[str, float, str]] = set()
    for session in sessions:
        new = [e for e in session.events if e.kind == kinds.SESSION or not e.at or _key(e) not in seen]
        seen.update(map(_key, new))
        if any(event.kind != kinds.SESSION for event in new):
            yield session if len(new) == len(session.events) else replace(session, events=tuple(new))


def _key(event: Event) -> tuple[str, float, str]:
    return event.kind, event.at, event.id or event.text or repr(event.args)


def agent_sessions(path: Path) -> Iterator[AgentSession]:
    """The sessions of a transcript file; none if no known program wrote it."""
    skipped: Counter[Any] = Counter()
    first: list[Mapping[str, Any]] = []
    source = records(path, skipped)
    for record in source:
        first.append(record)
        if len(first) >= _EXAMINED:
            break
    read = next((read for looks, read in _READERS if any(map(looks, first))), None)
    if read is None:
        return
    found: dict[str, list[Event]] = {}
    for session, event in read(_chained(first, source)):
        found.setdefault(session, []).append(event)
    for id, events in found.items():
        remotes = (str(event.args.get("remote") or "") for event in events if event.kind == kinds.SESSION)
        yield AgentSession(id, _folder(events), tuple(_numbered(events)), next(filter(None, remotes), ""))


def _chained(first: Iterable[Mapping[str, Any]], rest: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    yield from first
    yield from rest


def _numbered(events: Iterable[Event]) -> Iterator[Event]:
    """Numbers the tool calls, and gives each result the number of its call."""
    step, steps = 0, dict[str, int]()
    for event in events:
        if event.kind == kinds.TOOL_CALL:
            step += 1
            event.step = steps[event.id] = step
        elif event.kind == kinds.TOOL_RESULT:
            event.step = steps.get(event.id, step)
        yield event


def _folder(events: Iterable[Event]) -> str:
    places = (e.args.get("cwd") or e.args.get("project") for e in events if e.kind == kinds.SESSION)
    return next((str(place) for place in places if place), "")


def _claude_code(source: Iterable[Mapping[str, Any]]) -> _SessionEvents:
    where: dict[str, tuple[str, str]] = {}
    queues: dict[str, PromptQueue] = {}
    replies = Replies()
    for record in source:
        kind, session = fields.text(record, "type"), fields.text(record, "sessionId")
        if kind in claude_code.QUEUED and (prompt := queues.setdefault(session, PromptQueue()).delivered(record)):
            yield from ((session, event) for event in _said("user", prompt[0], _seconds(prompt[1]), ""))
        if kind not in ("user", "assistant") or not session:
            continue
        at, agent = _seconds(record.get("timestamp")), "sub-agent" if record.get("isSidechain") else ""
        place = fields.text(record, "cwd"), fields.text(record, "gitBranch")
        if where.get(session) != place:
            where[session] = place
            yield session, Event(kinds.SESSION, at, tool="claude-code", args={"cwd": place[0], "branch": place[1]})
        message = fields.mapping(record, "message")
        said = fields.text(message, "content")
        blocks = [{"type": "text", "text": said}] if said else fields.mappings(message, "content")
        injected = claude_code.is_injected(record)
        for block in blocks:
            if not (injected and block.get("type") == "text"):
                yield from ((session, event) for event in _block(block, kind, at, agent))
        for role, text in () if agent else replies.read(record):
            yield from ((session, event) for event in _said(role, text, at, agent))


def _block(block: Mapping[str, Any], role: str, at: float, agent: str) -> Iterator[Event]:
    kind = fields.text(block, "type")
    if kind == "text":
        yield from _said(role, fields.text(block, "text"), at, agent)
    elif kind == "thinking":
        yield Event(kinds.REASONING, at, text=fields.text(block, "thinking")[:_TEXT], agent=agent)
    elif kind == "tool_use":
        yield _call(fields.text(block, "name"), fields.mapping(block, "input"), fields.text(block, "id"), at, agent)
    elif kind == "tool_result":
        text, error = _result_text(block.get("content")), block.get("is_error") is True
        yield _result(text, error, fields.text(block, "tool_use_id"), at, agent)


def _codex(source: Iterable[Mapping[str, Any]]) -> _SessionEvents:
    session, speaks = "", True
    for record in source:
        at, kind = _seconds(record.get("timestamp")), fields.text(record, "type")
        payload = fields.mapping(record, "payload") or record
        if kind == "session_meta" and not session:  # Only the first head: a fork also contains the head of its parent.
            session = fields.text(payload, "id")
            speaks = not codex.is_of_sub_agent(payload)
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
            yield from _said(role, codex.message_text(item), at, "")
    elif kind == "reasoning":
        texts = (fields.text(block, "text") for block in fields.mappings(item, "summary"))
        yield Event(kinds.REASONING, at, text="\n".join(texts)[:_TEXT])
    elif kind in ("function_call", "custom_tool_call"):
        given = item.get("arguments") or item.get("input")
        yield _call(*_codex_call(fields.text(item, "name"), given), id, at, "")
    elif kind == "local_shell_call":
        yield _call("shell", fields.mapping(item, "action"), id, at, "")
    elif kind in ("function_call_output", "custom_tool_call_output"):
        text = _result_text(item.get("output"))
        yield _result(text, _codex_failed(item.get("output"), text), id, at, "")


def _codex_call(tool: str, given: object) -> tuple[str, Mapping[str, Any]]:
    """A call with its arguments. Newer versions write code that calls the tools: its commands, or else its patch."""
    if tool != "exec" or not isinstance(given, str) or "tools." not in given:
        return tool, _parsed(given)
    literals = [text for found in _LITERAL.findall(given[: _ARGUMENT * 3]) if isinstance(text := _decoded(found), str)]
    patch = next((text for text in literals if "*** Begin Patch" in text), "")
    commands = (_decoded(found) for found in _COMMAND.findall(given[: _ARGUMENT * 3]))
    command = "\n".join(text for text in commands if isinstance(text, str))
    return ("apply_patch", {"input": patch}) if patch else ("exec_command", {"cmd": command}) if command else (tool, {})


def _decoded(literal: str) -> object:
    with suppress(ValueError):
        return json.loads(literal)
    return None


def _codex_failed(output: object, text: str) -> bool:
    about = fields.mapping(_parsed(output), "metadata")
    return about.get("exit_code", 0) not in (0, None) or (
        "Process exited with code " in text[:200] and "code 0" not in text[:200]
    )


def _gemini(source: Iterable[Mapping[str, Any]]) -> _SessionEvents:
    session, speaks, repeated = "gemini", True, set[tuple[str, str]]()
    for record in source:
        about = {**record, **fields.mapping(record, "$set")}
        session = fields.text(about, "sessionId") or session
        speaks = speaks and about.get("kind") != "subagent"
        if project := gemini.project_folder(record):
            started = _seconds(record.get("startTime"))
            yield session, Event(kinds.SESSION, started, tool="gemini", args={"project": project})
        for message in fields.mappings(about, "messages") or ([record] if "type" in record else []):
            at, kind = _seconds(message.get("timestamp")), fields.text(message, "type")
            role = {"user": "user", "gemini": "assistant", "model": "assistant"}.get(kind)
            text = gemini.message_text(message) if role else ""
            # A message is written again when its tools are known.
            said = fields.text(message, "id") or str(at), text
            if role and (speaks or role == "assistant") and said not in repeated:
                repeated.add(said)
                yield from ((session, event) for event in _said(role, text, at, ""))
            for call in fields.mappings(message, "toolCalls"):
                id, failed = fields.text(call, "id"), fields.text(call, "status") in ("error", "cancelled")
                yield session, _call(fields.text(call, "name"), fields.mapping(call, "args"), id, at, "")
                text = _result_text(call.get("resultDisplay") or call.get("result"))
                yield session, _result(text, failed, id, at, "")


def _copilot(source: Iterable[Mapping[str, Any]]) -> _SessionEvents:
    session = "copilot"
    for record in source:
        data, kind = fields.mapping(record, "data"), fields.text(record, "type")
        at, id = _seconds(record.get("timestamp")), fields.text(data, "toolCallId")
        agent = "sub-agent" if data.get("parentToolCallId") else ""
        if kind == "session.start":
            session = fields.text(data, "sessionId") or session
            context = fields.mapping(data, "context")
            where = {"cwd": fields.text(context, "cwd"), "branch": fields.text(context, "branch")}
            where |= {"remote": copilot.remote(data)} if copilot.remote(data) else {}
            yield session, Event(kinds.SESSION, at, tool="copilot", args=where)
        elif kind in ("user.message", "assistant.message") and not copilot.is_injected(data):
            said = _said(kind.partition(".")[0], fields.text(data, "content"), at, agent)
            yield from ((session, event) for event in said)
        elif kind == "tool.execution_start":
            yield session, _call(fields.text(data, "toolName"), fields.mapping(data, "arguments"), id, at, agent)
        elif kind == "tool.execution_complete":
            text = _result_text(fields.mapping(data, "result").get("content") or data.get("error"))
            yield session, _result(text, data.get("success") is False, id, at, agent)


def _opencode(source: Iterable[Mapping[str, Any]]) -> _SessionEvents:
    for record in filter(opencode.looks_like, source):
        if opencode.is_of_sub_agent(record):  # Most of them only read and review.
            continue
        info = fields.mapping(record, "info")
        session = fields.text(info, "id")
        started = opencode.seconds(fields.mapping(info, "time").get("created"))
        where = {"cwd": fields.text(info, "directory"), "branch": ""}
        yield session, Event(kinds.SESSION, started or 0.0, tool="opencode", args=where)
        for message in fields.mappings(record, "messages"):
            about = fields.mapping(message, "info")
            at = opencode.seconds(fields.mapping(about, "time").get("created")) or 0.0
            said = _said(fields.text(about, "role"), opencode.message_text(message), at, "")
            yield from ((session, event) for event in said)
            for part in fields.mappings(message, "parts"):
                yield from ((session, event) for event in _opencode_part(part, at))


def _opencode_part(part: Mapping[str, Any], at: float) -> Iterator[Event]:
    state, id = fields.mapping(part, "state"), fields.text(part, "callID")
    if part.get("type") == "reasoning":
        yield Event(kinds.REASONING, at, text=fields.text(part, "text")[:_TEXT])
    elif part.get("type") == "tool":
        at = opencode.seconds(fields.mapping(state, "time").get("start")) or at
        failed = state.get("status") == "error" or fields.mapping(state, "metadata").get("exit") not in (0, None)
        yield _call(fields.text(part, "tool"), fields.mapping(state, "input"), id, at, "")
        yield _result(_result_text(state.get("output") or state.get("error")), failed, id, at, "")


def _said(role: str, text: str, at: float, agent: str) -> Iterator[Event]:
    text = without_noise(text[: 2 * _TEXT])[:_TEXT]
    if text:
        yield Event(kinds.USER if role == "user" else kinds.ASSISTANT, at, text=text, agent=agent)


def _call(tool: str, args: Mapping[str, Any], id: str, at: float, agent: str) -> Event:
    short = {str(name): _short(value) for name, value in list(args.items())[:_EXAMINED]}
    return Event(kinds.TOOL_CALL, at, tool=tool, args=short, id=id, agent=agent)


def _result(text: str, error: bool, id: str, at: float, agent: str) -> Event:
    if len(text) > _RESULT:
        text = text[: _RESULT * 3 // 4] + "\n" + text[-_RESULT // 4 :]
    return Event(kinds.TOOL_RESULT, at, text=text, id=id, error=error, agent=agent)


def _short(value: Any) -> Any:
    return value[:_ARGUMENT] if isinstance(value, str) else value


def _parsed(value: object) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    try:
        found = json.loads(value) if isinstance(value, str) else {}
    except (ValueError, RecursionError):
        return {"input": value}
    return found if isinstance(found, dict) else {}


def _result_text(content: object) -> str:
    """The text of a result: a text, a list of blocks, or an object with a text in it."""
    if isinstance(content, str):
        return str(_parsed(content).get("output") or content) if content.startswith('{"output"') else content
    if isinstance(content, list):
        return "\n".join(filter(None, (_result_text(block) for block in content[:_EXAMINED])))
    if isinstance(content, Mapping):
        found = next((content[name] for name in ("text", "output", "content", "message") if content.get(name)), "")
        return _result_text(found)
    return ""


def _seconds(value: object) -> float:
    at = fields.timestamp(value)
    return at.timestamp() if at else 0.0


_Reader = Callable[[Iterable[Mapping[str, Any]]], _SessionEvents]
_READERS: tuple[tuple[Callable[[Mapping[str, Any]], bool], _Reader], ...] = (
    (opencode.looks_like, _opencode),
    (gemini.looks_like, _gemini),
    (copilot.looks_like, _copilot),
    (codex.looks_like, _codex),
    (claude_code.looks_like, _claude_code),
)
