"""When there is something to consolidate, and what of a session still goes into the prompt (R-E4).

Saying a word only wakes the background; the work is done there, or by whoever asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from holdfast.conversation.session import message_of

if TYPE_CHECKING:
    from holdfast.conversation.consolidate import Consolidation, ConsolidationReport, SessionReport
    from holdfast.core.admission import Admission
    from holdfast.core.conversation import Message, SessionState
    from holdfast.store.writing.sessions import SessionWriting

_RECAP_CHARACTERS = 2_000
# How many of the latest sessions are looked at for one that was left or has grown over.
_LATEST = 20
_JUST_BEFORE = timedelta(milliseconds=1)


def cut(messages: int, window: int, keep: int) -> int:
    """How many of a session's messages leave the prompt: none until there are more than the window holds."""
    return messages - min(keep, window) if messages > window else 0


@dataclass(frozen=True, slots=True)
class PromptWindow:
    """The sessions of a project as they come due. `keep` of `window` messages stay in the prompt when it overflows."""

    sessions: SessionWriting
    project: str
    now: Callable[[], datetime]
    window: int
    keep: int
    idle: timedelta

    def due(self, limit: int = -1) -> tuple[str, ...]:
        """Sessions that are over: ended, idle, or left when another one began."""
        since = self._over_since()
        found = self.sessions.due(self.project, since, limit=limit)
        # Why not each one that was ended: its name may be in use again.
        return tuple(s.id for s in found if s.last_at <= since or (s.archived_at and s.last_at <= s.archived_at))

    def overflowing(self) -> tuple[str, ...]:
        """Sessions of which more than the window would go into the prompt."""
        return tuple(state.id for state in self.sessions.states(self.project, _LATEST) if self._cut(state))

    def any_due(self) -> bool:
        return bool(self.due(limit=1)) or bool(self.overflowing())

    def trim(self, session: str, consolidation: Consolidation) -> SessionReport | None:
        """Consolidates what leaves the prompt, then takes it out; a recap stands for it. None when all fits."""
        state = self.sessions.state(self.project, session)
        if state is None or not self._cut(state):
            return None
        report = consolidation.consolidate([session], leave=self.keep).sessions[0]
        with consolidation.queue.turn():
            self._take_out(session, consolidation.extractor.summarise)
        return report

    def end(self, session: str, consolidation: Consolidation) -> ConsolidationReport:
        """Consolidates all of a session, then ends it: nothing of it goes into a prompt any more."""
        report = consolidation.consolidate([session])
        state = self.sessions.state(self.project, session)
        if state is not None and state.consolidated_to is not None:
            self.sessions.trim(self.project, session, state.consolidated_to, "")
        self.sessions.archive(self.project, session, self.now())
        return report

    def _take_out(self, session: str, summarise: Callable[[Sequence[Message]], str]) -> None:
        # Why read again: while this one waited for its turn, another process may have done it.
        state = self.sessions.state(self.project, session)
        leaving = self._cut(state) if state else 0
        if state is not None and leaving:
            gone = self.sessions.messages(self.project, session, after=state.trimmed_to, limit=leaving)
            recap = _recap(state.recap, summarise([message_of(m) for m in gone]))
            self.sessions.trim(self.project, session, gone[-1].id, recap)

    def _over_since(self) -> datetime:
        """Sessions silent since then are over: idle for long, or silent since the latest one began."""
        began = [state.created_at for state in self.sessions.states(self.project, _LATEST)]
        return max((self.now() - self.idle, *(at - _JUST_BEFORE for at in began)))

    def _cut(self, state: SessionState) -> int:
        if state.messages <= self.window:
            return 0
        count = self.sessions.count_messages(self.project, state.id, after=state.trimmed_to)
        return cut(count, self.window, self.keep)


@dataclass(slots=True)
class WorkNotifier:
    """Notices, while messages come in, that the background may have work: a session begins, or one grows long."""

    wake: Callable[[], None]
    every: int
    _heard: dict[str, int] = field(default_factory=dict)

    def heard(self, session: str, answers: Sequence[Admission]) -> None:
        before = self._heard.get(session)
        after = (before or 0) + len(answers)
        self._heard[session] = after
        if before is None or before // self.every != after // self.every:
            self.wake()


def _recap(before: str | None, added: str) -> str:
    """What was trimmed so far, in few words; the oldest go first."""
    told = f"{before}\n{added}" if before else added
    if len(told) <= _RECAP_CHARACTERS:
        return told
    kept = told[-_RECAP_CHARACTERS:]
    return "… " + kept[kept.find(" ") + 1 :]
