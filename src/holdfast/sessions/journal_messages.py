"""Stores what was said in the sessions of agents, once a session is over: hooks only write to its journal."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.agents import event as kinds
from holdfast.agents import journal
from holdfast.core.errors import HoldfastError
from holdfast.core.frozen import frozen
from holdfast.system.files import replace_file

if TYPE_CHECKING:
    from holdfast.agents.event import Event
    from holdfast.core.progress import Progress
    from holdfast.sessions.session_import import ImportReport

_TAIL = 4_096
_DONE = journal.STORED


@frozen
class JournalMessages:
    """Stores the messages of one project's journals: from the transcript that the agent wrote, else from the journal.

    `idle_seconds` without an event end a session; so does a newer session. Storing twice adds nothing.
    `on_session` is called with each session and its events.
    """

    folder: str
    import_file: Callable[[str, str | None], ImportReport]
    end_session: Callable[[str], None]
    on_session: Callable[[str, Sequence[Event]], None]
    idle_seconds: float

    def __call__(self, progress: Progress) -> Mapping[str, Any]:
        """The background job."""
        sessions = messages = 0
        for file in list(self._due()):
            progress({"job": "messages", "sessions": sessions})
            sessions, messages = sessions + 1, messages + self._store(file)
        return {"sessions": sessions, "messages": messages}

    def store_all(self) -> int:
        """Stores the messages of all journals, also those of sessions that go on; returns how many were new.

        A session that goes on stays due: what it says until its end is stored then.
        """
        due = set(self._due())
        grown = [
            file for file in self._journals() if file not in due and os.path.getsize(file) > journal.stored_size(file)
        ]
        going_on = [(file, first) for file in grown if (first := _first(file)) is not None]
        return sum(map(self._store, sorted(due))) + sum(self._import(file, first) for file, first in going_on)

    def is_due(self) -> bool:
        """Is there a journal with new messages of a session that is over?"""
        return next(self._due(), None) is not None

    def _store(self, file: str) -> int:
        size, events = os.path.getsize(file), [event for _, event in journal.read(file)]
        first = next((event for event in events if event.kind == kinds.SESSION), None)
        stored = self._import(file, first)
        if first and any(event.kind == kinds.END for event in events):
            self.end_session(str(first.args.get("session", "")))
        if first:
            self.on_session(str(first.args.get("session", "")), events)
        replace_file(file + _DONE, str(size).encode())
        return stored

    def _import(self, file: str, first: Event | None) -> int:
        """The number of messages stored. A transcript that cannot be read is no loss: the journal has the messages."""
        transcript = str(first.args.get("transcript", "")) if first else ""
        if transcript and os.path.isfile(transcript):
            try:
                report = self.import_file(transcript, None)
            except HoldfastError:
                report = None
            if report and (report.messages or report.known):
                return report.messages
        return self.import_file(file, "journal").messages

    def _due(self) -> Iterator[str]:
        files = self._journals()
        begun = {file: _begun(file) for file in files}
        for file in files:
            touched = os.path.getmtime(file)
            idle = time.time() - touched >= self.idle_seconds
            newer = any(at > touched for other, at in begun.items() if other != file)
            if os.path.getsize(file) > journal.stored_size(file) and (idle or newer or _has_ended(file)):
                yield file

    def _journals(self) -> list[str]:
        try:
            with os.scandir(self.folder) as entries:
                return sorted(e.path for e in entries if e.name.endswith(".jsonl") and e.is_file(follow_symlinks=False))
        except FileNotFoundError:
            return []


def _first(file: str) -> Event | None:
    """The event that says which agent works where; None if the journal lacks it."""
    return next((event for _, event in journal.read(file) if event.kind == kinds.SESSION), None)


def _begun(file: str) -> float:
    """When a session began: the time of its first event."""
    first: Event | None = next((event for _, event in journal.read(file)), None)
    return first.at if first else 0.0


def _has_ended(file: str) -> bool:
    return any(event.kind == kinds.END for event in journal.tail(file, _TAIL))
