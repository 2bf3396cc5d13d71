"""Learns from the sessions of a project and keeps the files that people read current."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import InvalidFile, StoreBusy
from holdfast.core.frozen import frozen
from holdfast.core.reason import Reason
from holdfast.learn.compress import compressor
from holdfast.learn.consolidate import ConsolidationReport
from holdfast.learn.learn_reasons import LearnCode
from holdfast.sessions import session as sessions_

if TYPE_CHECKING:
    from holdfast.core.progress import Progress
    from holdfast.learn.consolidate import Consolidation
    from holdfast.learn.reflect import Reflector
    from holdfast.learn.window import PromptWindow
    from holdfast.models.protocols import Chat
    from holdfast.sessions.memory_files.views import FileViews
    from holdfast.store.writing.sessions import SessionWriting


@frozen
class Learner:
    """Consolidates and reflects. `views` is None when the settings keep no files; `chat` shortens the memory page.

    `store_messages` stores what agents' sessions said so far, which otherwise waits until they are over.
    """

    consolidation: Consolidation
    reflector: Reflector
    window: PromptWindow
    sessions: SessionWriting
    views: FileViews | None
    chat: Callable[[], Chat | None]
    store_messages: Callable[[], object]
    now: Callable[[], datetime]
    project: str

    def consolidate(self, session: str | None = None) -> ConsolidationReport:
        """Learns from one session, or from all that have new messages, and updates the files."""
        self.store_messages()
        if session is not None:
            ids = [sessions_.find(self.sessions, self.project, session).id]
        else:
            ids = [state.id for state in self.sessions.due(self.project, self.now(), switched=True)]
        return self._with_files(self.consolidation.consolidate(ids))

    def end(self, session: str) -> ConsolidationReport:
        """Ends a session: all of it is consolidated, and none of it stays in the prompt."""
        self.store_messages()
        ended = sessions_.find(self.sessions, self.project, session).id
        return self._with_files(self.window.end(ended, self.consolidation), ended)

    def consolidate_due(self, progress: Progress) -> Mapping[str, Any]:
        """The background job: consolidates sessions that ended, and those too long for a prompt."""
        due = self.window.due()
        done = list(self.consolidation.consolidate(due, progress=progress).sessions) if due else []
        for session in self.window.overflowing():
            if not progress({"job": "consolidate", "sessions": len(done)}):
                break
            done += filter(None, [self.window.trim(session, self.consolidation)])
        report = self._with_files(ConsolidationReport(tuple(done)))
        return {**report.counts(), **({"files": report.files} if report.files else {})}

    def reflect_when_due(self, progress: Progress) -> Mapping[str, Any]:
        """The background job: reflects if the project and its last reflection are old enough."""
        report = self.reflector.reflect_when_due()
        return {"reflections": int(report.memory is not None), "why": report.reason}

    def _with_files(self, report: ConsolidationReport, ended: str | None = None) -> ConsolidationReport:
        """Updates the files after consolidation. The database is authoritative: a file error is only reported."""
        sessions = [session.session for session in report.sessions if session.pages]
        if self.views is None or not (sessions or ended):
            return report
        chat = self.chat()
        try:
            self.views.refresh(sessions, compressor(chat) if chat else None)
            if ended is not None:
                self.views.archive_log(ended)
        except (InvalidFile, StoreBusy) as error:
            why = Reason.of(LearnCode.FILES_NOT_WRITTEN, error=f"{error.what}: {error.detail}")
            return replace(report, files=why)
        return report
