"""Decides which sessions are due for consolidation and which messages stay in the prompt.

Storing a message only wakes the background process; the work is done there, or by an explicit call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen
from holdfast.sessions.session import message_of

if TYPE_CHECKING:
    from holdfast.core.conversation import Message, SessionState
    from holdfast.core.events import MessagesStored
    from holdfast.learn.consolidate import Consolidation, ConsolidationReport, SessionReport
    from holdfast.store.writing.sessions import SessionWriting

_RECAP_CHARACTERS = 2_000
# How many of the latest sessions are examined.
_LATEST = 20
_JUST_BEFORE = timedelta(milliseconds=1)
# The messages of a session that stay in the prompt when the older ones are consolidated.
_KEPT = 25


def cut(messages: int, window: int) -> int:
    """How many of a session's messages to trim: none while they fit the window, else all but the last 25."""
    return messages - min(_KEPT, window) if messages > window else 0


@frozen
class PromptWindow:
    """The prompt window of a project's sessions: above `window` messages, all but the last 25 are trimmed.

    A session is over after `idle` without a message.
    """

    sessions: SessionWriting
    project: str
    now: Callable[[], datetime]
    window: int
    idle: timedelta

    def due(self, limit: int = -1) -> tuple[str, ...]:
        """Sessions to consolidate because they are over: ended, idle, or followed by a new session."""
        since = self._over_since()
        found = self.sessions.due(self.project, since, limit=limit)
        # An ended session whose id is in use again is not over.
        return tuple(s.id for s in found if s.last_at <= since or (s.archived_at and s.last_at <= s.archived_at))

    def overflowing(self) -> tuple[str, ...]:
        """Those of the latest sessions with more untrimmed messages than the window holds."""
        return tuple(state.id for state in self.sessions.states(self.project, _LATEST) if self._excess(state))

    def any_due(self) -> bool:
        """Is any session due or overflowing?"""
        return bool(self.due(limit=1)) or bool(self.overflowing())

    def trim(self, session: str, consolidation: Consolidation) -> SessionReport | None:
        """Consolidates the messages that no longer fit, then replaces them with a recap. None if all fit."""
        state = self.sessions.state(self.project, session)
        if state is None or not self._excess(state):
            return None
        report = consolidation.consolidate([session], leave=_KEPT).sessions[0]
        with consolidation.lock.acquire():
            self._trim_to_recap(session, consolidation.summarise)
        return report

    def end(self, session: str, consolidation: Consolidation) -> ConsolidationReport:
        """Consolidates all of a session, then trims all of it and archives it."""
        report = consolidation.consolidate([session])
        state = self.sessions.state(self.project, session)
        if state is not None and state.consolidated_to is not None:
            self.sessions.trim(self.project, session, state.consolidated_to, "")
        self.sessions.archive(self.project, session, self.now())
        return report

    def _trim_to_recap(self, session: str, summarise: Callable[[Sequence[Message]], str]) -> None:
        # Read again: another process may have trimmed the session while this one waited for the lock.
        state = self.sessions.state(self.project, session)
        excess = self._excess(state) if state else 0
        if state is not None and excess:
            trimmed = self.sessions.messages(self.project, session, after=state.trimmed_to, limit=excess)
            recap = _recap(state.recap, summarise([message_of(m) for m in trimmed]))
            self.sessions.trim(self.project, session, trimmed[-1].id, recap)

    def _over_since(self) -> datetime:
        """The time such that a session without a later message is over: it is idle, or a newer session has begun."""
        starts = [state.created_at for state in self.sessions.states(self.project, _LATEST)]
        return max((self.now() - self.idle, *(at - _JUST_BEFORE for at in starts)))

    def _excess(self, state: SessionState) -> int:
        """How many messages of a session to trim."""
        if state.messages <= self.window:
            return 0
        count = self.sessions.count_messages(self.project, state.id, after=state.trimmed_to)
        return cut(count, self.window)


@dataclass(slots=True)
class WorkNotifier:
    """Calls `wake` at the first message of a session and then after every `every` messages of it."""

    wake: Callable[[], None]
    every: int = _KEPT
    _counts: dict[str, int] = field(default_factory=dict)

    def on_messages(self, event: MessagesStored) -> None:
        """Counts new messages of a session and wakes the background process if it may have work."""
        before = self._counts.get(event.session)
        after = (before or 0) + len(event.answers)
        self._counts[event.session] = after
        if before is None or before // self.every != after // self.every:
            self.wake()


def _recap(before: str | None, added: str) -> str:
    """Appends to a recap and shortens it from the beginning if it is too long."""
    recap = f"{before}\n{added}" if before else added
    if len(recap) <= _RECAP_CHARACTERS:
        return recap
    kept = recap[-_RECAP_CHARACTERS:]
    return "… " + kept[kept.find(" ") + 1 :]
