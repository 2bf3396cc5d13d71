"""Keeps all memory files of a project up to date with the database."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import dropwhile
from typing import TYPE_CHECKING

from holdfast.conversation.memory_files.history import HistoryFiles
from holdfast.conversation.memory_files.session_log import LogHeader, SessionLog
from holdfast.conversation.memory_files.sync import NAME
from holdfast.conversation.session import message_of
from holdfast.core.errors import NotFound
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.conversation.memory_files.fitting import Compress
    from holdfast.conversation.memory_files.folder import Folder
    from holdfast.conversation.memory_files.sync import MemoryFile, SyncReport
    from holdfast.core.admission import Admission
    from holdfast.core.conversation import Message, SessionState
    from holdfast.core.memory import Memory
    from holdfast.store.writing.sessions import SessionWriting

_SESSIONS = "sessions"
_HEADER = '{"type": "session"'
_ID = re.compile(r'"type": "message", "id": "([^"]+)"')
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

    def remove(self, memories: Sequence[Memory], clean: Callable[[str], str], *, everywhere: bool = False) -> None:
        """Removes memories from every file at once. `clean` removes the sentences that repeat them from a text.

        A log loses the lines of these messages, and a title that repeats one. With `everywhere`, the other lines are
        cleaned, too, and MEMORY.md is written without reading it. A folder that does not exist is not created.
        """
        if not self.folder.path.is_dir():
            return
        gone, sessions = {memory.id for memory in memories}, self.folder.subfolder(_SESSIONS)
        for session in {memory.session for memory in memories if memory.session}:
            self._clean_title(session, clean)

        def without(line: str) -> str | None:
            return None if _id_of(line) in gone else clean(line) if everywhere or _HEADER in line[:40] else line

        with self.folder.locked():
            for name in self.folder.names():
                if name.startswith("HISTORY"):
                    _rewrite(self.folder, name, clean)
        names = sessions.names()
        if names:
            with sessions.locked():
                for name in names:
                    _rewrite(sessions, name, without)
        if self.folder.read(NAME) is not None:
            if everywhere:
                self.memory.rewrite()
            else:
                self.memory.sync()

    def _clean_title(self, session: str, clean: Callable[[str], str]) -> None:
        """Cleans the title of a session, which often is its first message."""
        state = self.sessions.state(self.project, session)
        if state is not None and state.title and clean(state.title) != state.title:
            self.sessions.entitle(self.project, session, clean(state.title))

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

    def restore_logs(self) -> int:
        """Writes the logs of sessions whose files are lost, archived ones too. Returns their number."""
        names = self.folder.subfolder(_SESSIONS).names()
        return sum(self._restore_log(state, names) for state in self.sessions.states(self.project))

    def _restore_log(self, state: SessionState, names: Sequence[str]) -> int:
        log, ended, restored = self.log(state.id), state.archived_at, 0
        is_over = ended is not None and ended >= state.last_at
        if not is_over and log.name not in names:
            restored += log.restore(LogHeader.of(state), self._messages(state, state.trimmed_to))
        if ended is not None and not (is_over and log.name in names) and not log.has_archive(ended, names):
            past = self._messages(state) if is_over else self._messages_until(state, state.trimmed_to)
            elsewhere = {message.id for name in log.archives(names) for message in log.read(name).messages}
            lost = [message for message in past if message.at <= ended and message.id not in elsewhere]
            restored += log.restore(LogHeader.of(state), lost, ended)
        return restored

    def refresh_history(self) -> int:
        """Appends the entries that the history files do not have yet. Returns their number."""
        entries = self.sessions.history(self.project)
        return HistoryFiles(self.folder, self.memory.memories.forgotten_texts).add(entries) if entries else 0

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

    def _messages_until(self, state: SessionState, last: str | None) -> list[Message]:
        """The messages up to a given one, in order; none without one."""
        later = {message.id for message in self._messages(state, last)}
        return [message for message in self._messages(state) if message.id not in later] if last else []


def _rewrite(folder: Folder, name: str, change: Callable[[str], str | None]) -> None:
    """Changes a file line by line; a line that becomes None or empty is dropped."""
    content = folder.read(name) or b""
    lines = content.decode("utf-8", "surrogateescape").split("\n")
    changed = [new for line in lines if (new := change(line)) is not None and (new or not line)]
    text = "\n".join(changed).encode("utf-8", "surrogateescape")
    if text != content:
        folder.write(name, text)


def _id_of(line: str) -> str | None:
    found = _ID.search(line)
    return found[1] if found else None
