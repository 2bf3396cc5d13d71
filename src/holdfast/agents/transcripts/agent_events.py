"""Reads what an agent did from a transcript: its tool calls, their results, its reasoning and what was said.

The sessions of a file come one after the other.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from holdfast.agents import event as kinds
from holdfast.agents.event import Event
from holdfast.agents.transcripts.entry import IsOurs
from holdfast.agents.transcripts.formats import formats
from holdfast.agents.transcripts.record_files import records, transcript_files
from holdfast.core.errors import InvalidFile
from holdfast.core.frozen import frozen

# The records that are read to recognise the program.
_EXAMINED = 50
# A longer transcript is not read for its texts, of which the latest are kept.
_LARGEST, _MOST_TEXTS = 64 * 1024 * 1024, 4_000


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
    recognised = (format for format in formats().values() if format.events and any(map(format.looks_like, first)))
    format = next(recognised, None)
    if format is None or format.events is None:
        return
    found: dict[str, list[Event]] = {}
    for session, event in format.events(_chained(first, source)):
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
