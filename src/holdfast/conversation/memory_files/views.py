"""Keeps all memory files of a project up to date with the database."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import dropwhile
from typing import TYPE_CHECKING

from holdfast.conversation.memory_files.history import HistoryFiles
from holdfast.conversation.memory_files.session_log import LogHeader, SessionLog
from holdfast.conversation.session import message_of
from holdfast.core.errors import NotFound
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.conversation.memory_files.fitting import Compress
    from holdfast.conversation.memory_files.folder import Folder
    from holdfast.conversation.memory_files.sync import MemoryFile, SyncReport
    from holdfast.core.admission import Admission
    from holdfast.core.conversation import Message, SessionState
    from holdfast.store.writing.sessions import SessionWriting

_SESSIONS = "sessions"
_BATCH = 1_000


@frozen
class FileViews:
    """MEMORY.md, the history files and the log of each session."""

    folder: Folder
    project: str
    sessions: SessionWriting
    memory: MemoryFile

    def append_messages(self, session: str, answers: Sequence[Admission]) -> None:
        """Appends newly stored messages to the session's log. Takes a fraction of a millisecond; does not sync."""
        stored = [message_of(answer.memory) for answer in answers if answer.memory is not None]
        self.log(session).append(lambda: LogHeader.of(self._state(session)), stored)

    def archive_log(self, session: str) -> str | None:
        """Renames the log of an ended session, so that its id can be used again. Returns the new name."""
        state = self._state(session)
        return self.log(session).archive(state.archived_at or state.last_at)

    def refresh(self, sessions: Iterable[str] = (), compress: Compress | None = None) -> SyncReport:
        """Updates every file: the history, the logs of these sessions, and MEMORY.md in both directions."""
        self.refresh_history()
        for session in sessions:
            self.refresh_log(session)
        return self.memory.sync(compress=compress)

    def refresh_log(self, session: str) -> int:
        """Makes a session's log agree with its rows. Returns the number of unknown lines moved aside.

        The log of an ended session keeps its trimmed messages, because it is about to be archived.
        """
        state, log = self._state(session), self.log(session)
        if state.archived_at is None or state.archived_at < state.last_at:
            return log.catch_up(LogHeader.of(state), self._messages(state, state.trimmed_to))
        contents = log.read()
        first = next((message.id for message in contents.messages), None)
        if contents.header is None or first is None:
            return 0
        messages = list(dropwhile(lambda message: message.id != first, self._messages(state)))
        return log.catch_up(LogHeader.of(state), messages) if messages else 0

    def refresh_history(self) -> int:
        """Appends the entries that the history files do not have yet. Returns their number."""
        entries = self.sessions.history(self.project)
        return HistoryFiles(self.folder).add(entries) if entries else 0

    def log(self, session: str) -> SessionLog:
        """The log of a session."""
        return SessionLog(self.folder.subfolder(_SESSIONS), session)

    def _state(self, session: str) -> SessionState:
        state = self.sessions.state(self.project, session)
        if state is None:
            raise NotFound(f"session {session!r}", hint="`holdfast session list` shows the sessions.")
        return state

    def _messages(self, state: SessionState, after: str | None = None) -> list[Message]:
        """The messages after a given one, in order."""
        found: list[Message] = []
        while page := self.sessions.messages(self.project, state.id, after=after, limit=_BATCH):
            found += map(message_of, page)
            after = page[-1].id
        return found
