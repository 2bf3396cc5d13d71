"""All files of a project's memory, kept in step with the rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import dropwhile
from typing import TYPE_CHECKING

from holdfast.conversation.memory_files.history import HistoryFiles
from holdfast.conversation.memory_files.session_log import LogHeader, SessionLog
from holdfast.conversation.session import message_of
from holdfast.core.errors import NotFound

if TYPE_CHECKING:
    from holdfast.conversation.memory_files.fitting import Compress
    from holdfast.conversation.memory_files.folder import Folder
    from holdfast.conversation.memory_files.sync import MemoryFile, SyncReport
    from holdfast.core.admission import Admission
    from holdfast.core.conversation import Message, SessionState
    from holdfast.store.writing.sessions import SessionWriting

_SESSIONS = "sessions"
_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class FileViews:
    """MEMORY.md, the history files and the JSONL of each session."""

    folder: Folder
    project: str
    sessions: SessionWriting
    memory: MemoryFile

    def said(self, session: str, answers: Sequence[Admission]) -> None:
        """Writes messages through that were just kept. A fraction of a millisecond; the disk is not waited for."""
        kept = [message_of(answer.memory) for answer in answers if answer.memory is not None]
        self.journal(session).append(lambda: LogHeader.of(self._state(session)), kept)

    def ended(self, session: str) -> str | None:
        """Puts the JSONL of a session by, as `/new` does. Returns the name it has now."""
        state = self._state(session)
        return self.journal(session).archive(state.archived_at or state.last_at)

    def refresh(self, sessions: Iterable[str] = (), compress: Compress | None = None) -> SyncReport:
        """Brings every file in step: the history, the JSONL of these sessions, and MEMORY.md both ways."""
        self.refresh_history()
        for session in sessions:
            self.follow(session)
        return self.memory.sync(compress=compress)

    def follow(self, session: str) -> int:
        """Makes the JSONL of a session say what its rows say; how many strange lines were put aside.

        Of a session that is over it keeps all that it holds: that is how it will be put by.
        """
        state, journal = self._state(session), self.journal(session)
        if state.archived_at is None or state.archived_at < state.last_at:
            return journal.catch_up(LogHeader.of(state), self._messages(state, state.trimmed_to))
        held = journal.read()
        first = next((message.id for message in held.messages), None)
        if held.opening is None or first is None:
            return 0
        said = list(dropwhile(lambda message: message.id != first, self._messages(state)))
        return journal.catch_up(LogHeader.of(state), said) if said else 0

    def refresh_history(self) -> int:
        """Adds what the history files do not have yet; how many entries that were."""
        entries = self.sessions.history(self.project)
        return HistoryFiles(self.folder).add(entries) if entries else 0

    def journal(self, session: str) -> SessionLog:
        return SessionLog(self.folder.below(_SESSIONS), session)

    def _state(self, session: str) -> SessionState:
        state = self.sessions.state(self.project, session)
        if state is None:
            raise NotFound(f"session {session!r}", hint="`holdfast session list` shows what there is.")
        return state

    def _messages(self, state: SessionState, after: str | None = None) -> list[Message]:
        """What was said after a message, in order."""
        found: list[Message] = []
        while page := self.sessions.messages(self.project, state.id, after=after, limit=_AT_ONCE):
            found += map(message_of, page)
            after = page[-1].id
        return found
