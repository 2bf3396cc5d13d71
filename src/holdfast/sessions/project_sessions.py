"""The sessions of one project."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.arguments import check_text
from holdfast.core.errors import InvalidInput
from holdfast.core.frozen import frozen
from holdfast.intake.secrets import redact
from holdfast.sessions import session as sessions_
from holdfast.sessions.session import Session

if TYPE_CHECKING:
    from holdfast.agents.transcripts.entry import IsOurs
    from holdfast.core.conversation import SessionState
    from holdfast.intake.message_intake import MessageIntake
    from holdfast.sessions.session import SessionWork
    from holdfast.sessions.session_import import ImportReport
    from holdfast.store.protocol import Store

# Seconds to wait for another import: longer than any transcript takes.
_IMPORT_PATIENCE = 600.0


@frozen
class ProjectSessions:
    """Opens, finds, imports and ends sessions."""

    store: Store
    messages: MessageIntake
    now: Callable[[], datetime]
    project: str
    work: Callable[[], SessionWork]

    def session(self, id: str, kind: str) -> Session:
        """A handle on a session. Raises InvalidInput for an empty id."""
        check_text(id, "the id of a session")
        if not id.strip():
            raise InvalidInput("a session needs an id", hint="Give it any text that no other conversation has.")
        store = self.store
        return Session(
            redact(id), redact(kind), self.project, self.messages, store.reading, store.sessions, self.now, redact,
            self.work,
        )  # fmt: skip

    def find(self, id: str) -> SessionState:
        """The session with that id or beginning of an id."""
        return sessions_.find(self.store.sessions, self.project, redact(id))

    def import_transcripts(self, path: str, format: str | None, is_ours: IsOurs | None = None) -> ImportReport:
        """Imports a transcript file or a folder of them; from a folder, only sessions that `is_ours` accepts."""
        from holdfast.sessions.session_import import import_transcripts

        return import_transcripts(os.path.expanduser(path), self.session, format, is_ours, self._import_lock)

    def end(self, session: str) -> None:
        """Marks a session as ended, if it has messages."""
        if session.strip() and self.store.sessions.state(self.project, session) is not None:
            self.store.sessions.archive(self.project, session, self.now())

    def _import_lock(self) -> AbstractContextManager[None]:
        """A lock on importing: two imports at once would each find a message new before the other has stored it."""
        return self.store.exclusive("import", _IMPORT_PATIENCE)
