"""Summarises sessions: what memory gave them, what became of it, and what they left behind."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from holdfast.agents import event as kinds
from holdfast.agents import journal
from holdfast.agents.hook_input import START
from holdfast.agents.tool_shapes import READ, RUN, SEARCH, shape_of
from holdfast.core.answer import Filters
from holdfast.core.frozen import frozen
from holdfast.core.memory import EPISODE
from holdfast.core.memory_use import USED, MemoryUse, SessionSummary
from holdfast.inject.stated_uses import with_stated
from holdfast.inject.uses import given_memories, judge

if TYPE_CHECKING:
    from holdfast.agents.event import Event
    from holdfast.core.memory import Memory
    from holdfast.core.memory_use import SessionNote
    from holdfast.models.protocols import TokenCounter
    from holdfast.store.reading import MemoryChangeReading
    from holdfast.store.writing.usage import UsageWriting

_MOST_LEARNED = 100
# An estimate: a used memory saves as many look-ups as it usually takes to find such a thing again.
_LOOK_UPS, _CHARACTERS_PER_TOKEN, _USUAL_TOKENS = 3, 4, 300


@frozen
class SessionSummaries:
    """Summaries of one project's sessions. `folder` holds the journals."""

    reading: MemoryChangeReading
    usage: UsageWriting
    tokens: TokenCounter
    project: str
    folder: str

    def record(self, session: str, events: Sequence[Event]) -> None:
        """Stores what became of the memories that a finished session was given."""
        uses = self._judged(events)
        if uses:
            self.usage.record_uses(self.project, session, uses)

    def summary(self, session: str) -> SessionSummary:
        """The summary of a session: from its journal while there is one, else from what was stored of it."""
        events = self._events(session)
        stored = self.usage.uses(self.project, session)
        uses = with_stated(self._judged(events), stored) if events else list(stored)
        found = ((self.reading.memory(use.memory), use) for use in uses)
        given = tuple((memory, use) for memory, use in found if memory is not None)
        return SessionSummary(
            session=session,
            steps=max((event.step for event in events), default=0),
            given=given,
            learned=self._learned(session),
            tokens_given=sum(self.tokens.count(memory.content) for memory, _ in given),
            tokens_saved=_saved(events, [use for _, use in given]),
            notes=_notes(events),
            opening=self._opening(events, {use.memory for use in uses}),
        )

    def notes(self, session: str) -> tuple[SessionNote, ...]:
        """What a session that goes on shows already."""
        return _notes(self._events(session))

    def _judged(self, events: Sequence[Event]) -> list[MemoryUse]:
        ids = [given.id for given in given_memories(events)]
        memories = {id: memory for id in ids if (memory := self.reading.memory(id)) is not None}
        return judge(events, memories, self.reading.events)

    def _opening(self, events: Sequence[Event], judged: Collection[str]) -> tuple[Memory, ...]:
        ids = [given.id for given in given_memories(events) if given.point == START and given.id not in judged]
        return tuple(memory for id in ids if (memory := self.reading.memory(id)) is not None)

    def _learned(self, session: str) -> tuple[Memory, ...]:
        found = self.reading.memories(self.project, Filters(session=session), order="oldest", limit=_MOST_LEARNED * 10)
        return tuple(memory for memory in found if memory.type != EPISODE)[:_MOST_LEARNED]

    def _events(self, session: str) -> list[Event]:
        """The events of a session's journals; several programs may use the same id, so they are joined by time."""
        found: list[Event] = []
        for file in _journals(self.folder):
            first = next((event for _, event in journal.read(file)), None)
            if first is not None and first.kind == kinds.SESSION and first.args.get("session") == session:
                found += [event for _, event in journal.read(file)]
        return sorted(found, key=lambda event: event.at)


def _notes(events: Sequence[Event]) -> tuple[SessionNote, ...]:
    if not any(event.step for event in events):
        return ()
    from holdfast.observer.session_notes import session_notes  # Every session starts here, and few have notes yet.

    return session_notes(events)


def _journals(folder: str) -> list[str]:
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [os.path.join(folder, name) for name in sorted(names) if name.endswith(".jsonl")]


def _saved(events: Sequence[Event], uses: Sequence[MemoryUse]) -> int:
    """The tokens of the look-ups that used memories replaced, at the average length of this session's look-ups."""
    used = sum(use.outcome == USED for use in uses)
    look_ups = {event.id for event in events if event.kind == kinds.TOOL_CALL and _is_look_up(event)}
    lengths = [len(event.text) for event in events if event.kind == kinds.TOOL_RESULT and event.id in look_ups]
    each = sum(lengths) / len(lengths) / _CHARACTERS_PER_TOKEN if lengths else _USUAL_TOKENS
    return round(used * _LOOK_UPS * each)


def _is_look_up(event: Event) -> bool:
    return shape_of(event.tool, event.args).kind in (READ, SEARCH, RUN)
