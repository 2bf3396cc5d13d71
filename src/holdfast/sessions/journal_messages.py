"""Stores what was said in the sessions of agents, once a session is over: hooks only write to its journal."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.agents import event as kinds
from holdfast.agents import journal
from holdfast.agents.session_journals import SessionJournals, set_position
from holdfast.core.errors import HoldfastError
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.agents.event import Event
    from holdfast.core.progress import Progress
    from holdfast.sessions.session_import import ImportReport

_DONE = journal.STORED


@frozen
class JournalMessages:
    """Stores the messages of one project's journals: from the transcript that the agent wrote, else from the journal.

    Storing twice adds nothing. `on_session` is called with each session and its events.
    """

    journals: SessionJournals
    import_file: Callable[[str, str | None], ImportReport]
    end_session: Callable[[str], None]
    on_session: Callable[[str, Sequence[Event]], None]

    def __call__(self, progress: Progress) -> Mapping[str, Any]:
        """The background job."""
        sessions = messages = 0
        for file in list(self.journals.due(_DONE)):
            progress({"job": "messages", "sessions": sessions})
            sessions, messages = sessions + 1, messages + self._store(file)
        return {"sessions": sessions, "messages": messages}

    def store_all(self) -> int:
        """Stores the messages of all journals, also those of sessions that go on; returns how many were new.

        A session that goes on stays due: what it says until its end is stored then.
        """
        due = set(self.journals.due(_DONE))
        grown = [file for file in self.journals.grown(_DONE) if file not in due]
        going_on = [(file, first) for file in grown if (first := _first(file)) is not None]
        return sum(map(self._store, sorted(due))) + sum(self._import(file, first) for file, first in going_on)

    def is_due(self) -> bool:
        """Is there a journal with new messages of a session that is over?"""
        return next(self.journals.due(_DONE), None) is not None

    def _store(self, file: str) -> int:
        size, events = os.path.getsize(file), [event for _, event in journal.read(file)]
        first = next((event for event in events if event.kind == kinds.SESSION), None)
        stored = self._import(file, first)
        if first and any(event.kind == kinds.END for event in events):
            self.end_session(str(first.args.get("session", "")))
        if first:
            self.on_session(str(first.args.get("session", "")), events)
        set_position(file, _DONE, size)
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


def _first(file: str) -> Event | None:
    """The event that says which agent works where; None if the journal lacks it."""
    return next((event for _, event in journal.read(file) if event.kind == kinds.SESSION), None)
