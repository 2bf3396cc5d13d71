"""Turns the messages of sessions into memories, page by page and each page exactly once.

A page has at most thirty messages after the watermark. The memories learned from it, the memories they replace, its
history entry and the new watermark are stored in one transaction; models are asked before it begins. An interrupted
page is processed again from its beginning, and a page that another process finished first is left to that process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from holdfast.core.admission import Admission, Candidate, Outcome
from holdfast.core.conversation import ConsolidatedPage, HistoryEntry, Message
from holdfast.core.errors import NotFound, Overtaken
from holdfast.core.frozen import frozen
from holdfast.core.memory import BACKGROUND
from holdfast.core.progress import Progress
from holdfast.learn.page import MAX_MESSAGES, Page
from holdfast.learn.page_taint import with_taint
from holdfast.sessions.session import message_of

if TYPE_CHECKING:
    from holdfast.core.ids import Ids
    from holdfast.core.memory import Memory
    from holdfast.core.reason import Reason
    from holdfast.learn.consolidation_lock import ConsolidationLock
    from holdfast.learn.llm_extractor import LlmExtractor
    from holdfast.learn.page_extractor import ExtractedPage, PageExtractor
    from holdfast.store.writing.sessions import SessionWriting


class CandidateIntake(Protocol):
    """The part of intake that consolidation needs."""

    def admit_all(
        self,
        candidates: Iterable[Candidate],
        closing: ConsolidatedPage | None = None,
        similar: Sequence[tuple[Memory, ...]] | None = None,
        undoable: str = "",
    ) -> tuple[Admission, ...]: ...


@frozen
class SessionReport:
    """The result of consolidating one session: counts of pages, messages and admitted memories.

    `how` says for each page how it was extracted; `failures` say why the model was not used.
    """

    session: str
    pages: int = 0
    messages: int = 0
    stored: int = 0
    known: int = 0
    superseded: int = 0
    refused: int = 0
    how: tuple[str, ...] = ()
    failures: tuple[Reason, ...] = ()


@frozen
class ConsolidationReport:
    """The result of consolidating sessions. `files` says why the memory files could not be written."""

    sessions: tuple[SessionReport, ...] = ()
    files: Reason | None = None

    def counts(self) -> Mapping[str, int]:
        """The sums over all sessions, and the number of sessions with at least one page."""
        names = ("pages", "messages", "stored", "known", "superseded", "refused")
        sums = {name: sum(getattr(session, name) for session in self.sessions) for name in names}
        return {"sessions": sum(session.pages > 0 for session in self.sessions), **sums}


@frozen
class Consolidation:
    """Consolidates the sessions of one project. `llm` is the language model, if there is one."""

    sessions: SessionWriting
    intake: CandidateIntake
    lock: ConsolidationLock
    extractor: PageExtractor
    ids: Ids
    now: Callable[[], datetime]
    project: str
    redact: Callable[[str], str]
    llm: LlmExtractor | None = None

    def consolidate(
        self, sessions: Iterable[str], leave: int = 0, progress: Progress = lambda _: True
    ) -> ConsolidationReport:
        """Learns from the new messages of these sessions, except the last `leave` messages of each.

        Only one session is consolidated at a time, over all threads and processes. A model that does not answer or has
        reached its daily ceiling is not asked again in this run. `progress` is called after each page and may stop the
        run there. Raises NotFound for an unknown session.
        """
        reports: list[SessionReport] = []
        llm = self.llm
        for session in sessions:
            with self.lock.acquire() as extend_lease:
                report, llm, continues = self._session(session, leave, llm, _both(extend_lease, progress))
            reports.append(report)
            if not continues:
                break
        return ConsolidationReport(tuple(reports))

    def summarise(self, messages: Sequence[Message]) -> str:
        """A summary of messages by rules."""
        return self.extractor.rules.summarise(messages)

    def _session(
        self, session: str, leave: int, llm: LlmExtractor | None, progress: Progress
    ) -> tuple[SessionReport, LlmExtractor | None, bool]:
        """The report, the model if it may be asked again, and whether the run may continue."""
        report = SessionReport(session)
        while (page := self._next_page(session, leave)) is not None:
            extracted = self.extractor.extract(page, llm)
            llm = extracted.llm
            candidates = with_taint(extracted.candidates, page)
            try:
                answers = self.intake.admit_all(
                    candidates, self._closing(extracted), extracted.similar, undoable=BACKGROUND
                )
            except Overtaken:
                continue
            report = _counted(report, extracted, answers)
            if not progress({"job": "consolidate", "session": session, "pages": report.pages}):
                return report, llm, False
        return report, llm, True

    def _next_page(self, session: str, leave: int) -> Page | None:
        state = self.sessions.state(self.project, session)
        if state is None:
            raise NotFound(f"session {session}", hint="`holdfast session list` shows the sessions.")
        since = state.consolidated_to
        count = self.sessions.count_messages(self.project, session, after=since) - leave
        if count <= 0:
            return None
        found = self.sessions.messages(self.project, session, after=since, limit=min(MAX_MESSAGES, count))
        return Page(session, since, tuple(map(message_of, found)), self._before(session, since))

    def _before(self, session: str, since: str | None) -> tuple[Message, ...]:
        """The messages of the previous page: an answer is unclear without its question."""
        if since is None:
            return ()
        history = self.sessions.history(self.project, session=session)
        ends = [entry.last for entry in history]
        place = ends.index(since) if since in ends else len(ends)
        found = self.sessions.messages(
            self.project, session, after=ends[place - 1] if place else None, limit=MAX_MESSAGES
        )
        messages = tuple(map(message_of, found))
        last = next((place for place, message in enumerate(messages) if message.id == since), -1)
        return messages[: last + 1]

    def _closing(self, extracted: ExtractedPage) -> ConsolidatedPage:
        page = extracted.page
        first, last = page.messages[0], page.messages[-1]
        entry = None
        if extracted.entry:
            tools = tuple(dict.fromkeys(tool for message in page.messages for tool in message.tools))
            text = self.redact(extracted.entry)
            entry = HistoryEntry(
                f"hist_{self.ids.new()}", page.session, last.at, text, tools, extracted.how, first.id, last.id
            )
        return ConsolidatedPage(page.session, page.since, last.id, self.now(), entry)


def _both(first: Progress, second: Progress) -> Progress:
    return lambda progress: first(progress) and second(progress)


def _counted(report: SessionReport, extracted: ExtractedPage, answers: Sequence[Admission]) -> SessionReport:
    outcomes = [answer.outcome for answer in answers]
    known, refused = outcomes.count(Outcome.DUPLICATE), outcomes.count(Outcome.REFUSED)
    return replace(
        report,
        pages=report.pages + 1,
        messages=report.messages + len(extracted.page.messages),
        stored=report.stored + len(outcomes) - known - refused,
        known=report.known + known,
        superseded=report.superseded + sum(len(answer.superseded) for answer in answers),
        refused=report.refused + refused,
        how=(*report.how, extracted.how),
        failures=(*report.failures, extracted.failure) if extracted.failure else report.failures,
    )
