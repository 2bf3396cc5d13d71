"""Keeps all memory files of a project up to date with the database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import dropwhile
from typing import TYPE_CHECKING, Protocol

from holdfast.core.errors import InvalidFile, NotFound
from holdfast.core.frozen import frozen
from holdfast.sessions.memory_files.file_cleaning import SESSIONS, GoneMemories, clean_folder, clean_logs
from holdfast.sessions.memory_files.history_file import HistoryFiles
from holdfast.sessions.memory_files.session_log import LogHeader, SessionLog
from holdfast.sessions.memory_files.sync import NAME
from holdfast.sessions.session import message_of
from holdfast.text.removal import SentenceRemoval

if TYPE_CHECKING:
    from holdfast.core.conversation import Message, SessionState
    from holdfast.core.events import MessagesStored
    from holdfast.core.memory import Memory
    from holdfast.sessions.memory_files.fitting import Compress
    from holdfast.sessions.memory_files.folder import Folder
    from holdfast.sessions.memory_files.sync import MemoryFile, SyncReport
    from holdfast.store.writing.sessions import SessionWriting

_BATCH = 1_000


class ProjectFolders(Protocol):
    """Knows in which folders of a project the files are behind."""

    def folders(self, project: str) -> Mapping[str, bool]: ...
    def mark_folder(self, project: str, root: str, *, behind: bool) -> None: ...


@frozen
class FileViews:
    """MEMORY.md, the history files and the log of each session."""

    folder: Folder
    project: str
    sessions: SessionWriting
    memory: MemoryFile
    projects: ProjectFolders

    def on_messages(self, event: MessagesStored) -> None:
        """Appends new messages to the log of their session. Takes a fraction of a millisecond; does not sync.

        A file that cannot be written does not fail the message: it is stored, and consolidation writes the file later.
        """
        stored = [message_of(answer.memory) for answer in event.answers if answer.memory is not None]
        with suppress(InvalidFile):
            self.log(event.session).append(lambda: LogHeader.of(self._state(event.session)), stored)

    def restore(self, *, logs: bool) -> None:
        """Writes history entries, and session logs if the settings keep them, that the files lack."""
        self.refresh_history()
        if logs:
            self.restore_logs()

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

    def remove(self, memories: Sequence[Memory], gone: GoneMemories) -> None:
        """Removes forgotten memories from the files at once, and from the titles of their sessions."""
        for session in {memory.session for memory in memories if memory.session}:
            self._clean_title(session, gone.removal.clean)
        clean_folder(self.folder, gone)
        self.memory.leave_out(gone.clean_page)
        if self.folder.is_present and self.folder.read(NAME) is not None:
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
        names = self.folder.subfolder(SESSIONS).names()
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
        self._catch_up()
        entries = self.sessions.history(self.project)
        return HistoryFiles(self.folder, self.memory.memories.forgotten_texts).add(entries) if entries else 0

    def _catch_up(self) -> None:
        """Removes what was forgotten while the files were away: in a worktree that was not mounted, or is new here."""
        root = str(self.folder.root)
        if not self.projects.folders(self.project).get(root):
            return
        if self.folder.is_present:
            known = self.memory.memories
            gone = GoneMemories(set(known.forgotten_messages()), SentenceRemoval(known.forgotten_texts()))
            clean_logs(self.folder, gone)
            with self.folder.locked():
                for name in self.folder.names():
                    if name.startswith("HISTORY"):
                        self.folder.remove(name)
        self.projects.mark_folder(self.project, root, behind=False)

    def log(self, session: str) -> SessionLog:
        """The log of a session."""
        return SessionLog(self.folder.subfolder(SESSIONS), session)

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
