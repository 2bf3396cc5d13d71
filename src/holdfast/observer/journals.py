"""Observes the journals that hooks wrote: when a session is over, and after each completed task of a long plan."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from holdfast.agents import event as kinds
from holdfast.agents import journal
from holdfast.agents.plans import completes_subtask
from holdfast.agents.session_journals import SessionJournals, position, set_position
from holdfast.core.frozen import frozen
from holdfast.observer.session_kinds import BUILD
from holdfast.observer.stored_after import stored_after

if TYPE_CHECKING:
    from holdfast.agents.event import Event
    from holdfast.core.progress import Progress
    from holdfast.observer.observe import Observer, ObserverReport, Recorded

# Journals are kept for a while after they were observed, so that evidence can be looked up.
_KEPT_SECONDS = 30 * 86_400
_DONE = journal.OBSERVED
# Texts that begin alike are the same message.
_BEGINNING = 200


@frozen
class JournalObserver:
    """Observes the journals of one project.

    `said` reads what the agent thought and said in a session from the transcript that its program writes: hooks see
    only what it did and its last message.
    """

    observer: Callable[[], Observer]
    journals: SessionJournals
    said: Callable[[str, str], Iterable[Event]] = lambda transcript, session: ()

    def __call__(self, progress: Progress) -> Mapping[str, Any]:
        """The background job: observes journals that are due, and removes old ones."""
        reports: list[ObserverReport] = []
        due = list(self._due())
        observer = self.observer().follow_renames() if due else None
        for file in due:
            progress({"observed": len(reports)})
            reports.append(self.observe(file, observer))
        kept = sum(answer.memory is not None for report in reports for answer in report.answers)
        return {"observed": len(reports), "kept": kept, "removed": self._remove_old()}

    def is_due(self) -> bool:
        """Is there a journal to observe?"""
        return next(self._due(), None) is not None

    def observe_all(self, dry_run: bool = False, kind: str = BUILD) -> tuple[ObserverReport, ...]:
        """Observes every journal of the project, also those of sessions that go on.

        `kind` is that of sessions that do not say theirs.
        """
        over = self.journals.over()
        if dry_run:
            return self.observer().rehearse((self._recorded(file, over) for file in self.journals.files()), kind)
        observer = self.observer().follow_renames()
        return tuple(self.observe(file, observer, kind, over) for file in self.journals.files())

    def observe(
        self, file: str, observer: Observer | None = None, kind: str = BUILD, over: Collection[str] | None = None
    ) -> ObserverReport:
        """Observes one journal, and marks how much of it was observed. `over` are those of sessions that are over."""
        size, one = os.path.getsize(file), self._recorded(file, self.journals.over() if over is None else over)
        observer = observer or self.observer().follow_renames()
        report = observer.observe(one.session, one.events, kind, so_far=one.so_far)
        kept = one.so_far.kept + sum(answer.memory is not None for answer in report.answers)
        set_position(file, _DONE, size, kept)
        return report

    def _recorded(self, file: str, over: Collection[str]) -> Recorded:
        from holdfast.observer.observe import Recorded, SoFar

        events, session = [event for _, event in journal.read(file)], journal.session_of(file)
        transcript = str(events[0].args.get("transcript") or "") if events else ""
        said = self.said(transcript, session) if transcript else ()
        return Recorded(session, with_texts(events, said), SoFar(file in over, position(file, _DONE)[1]))

    def observe_session(self, session: str) -> ObserverReport | None:
        """Observes the journal of a session that goes on, when a unit of its work is done; None if it has none."""
        file = self._file_of(session)
        return self.observe(file) if file else None

    def taint_stored(self, session: str) -> None:
        """Taints what the agent of a session that goes on stored after it had read what strangers can write."""
        if file := self._file_of(session):
            self.observer().distrust(stored_after(event for _, event in journal.read(file)))

    def _file_of(self, session: str) -> str | None:
        """The journal of a session; of several programs that use the same id, the one that was written to last."""
        return next(reversed(journal.of_session(self.journals.folder, session)), None)

    def _due(self) -> Iterator[str]:
        grown = self.journals.grown(_DONE)
        over = self.journals.over() if grown else frozenset()
        for file in grown:
            if file in over or _completed_subtask(file, position(file, _DONE)[0]):
                yield file

    def _remove_old(self) -> int:
        old = [file for file in self.journals.files() if time.time() - os.path.getmtime(file) > _KEPT_SECONDS]
        for file in old:
            if position(file, _DONE)[0] >= os.path.getsize(file):
                journal.remove(file)
        return len(old)


def _completed_subtask(file: str, observed: int) -> bool:
    """Was a task of a long plan completed since the journal was last observed?"""
    calls = (event for _, event in journal.read(file, observed) if event.kind == kinds.TOOL_CALL)
    return any(completes_subtask(event.tool, event.args) for event in calls)


def with_texts(events: list[Event], said: Iterable[Event]) -> list[Event]:
    """The events of a journal with the texts that came between them, by their time.

    Without those from before the journal began, which a resumed session repeats, and those that the journal has.
    """
    if not events:
        return events
    known = {event.text[:_BEGINNING].strip() for event in events if event.kind == kinds.ASSISTANT}
    began = min(event.at for event in events)
    texts = [e for e in said if e.at >= began and e.text[:_BEGINNING].strip() not in known]
    # The order of the journal is right, whatever the clock did.
    joined: list[Event] = []
    for event in events:
        while texts and texts[0].at < event.at:
            joined.append(texts.pop(0))
        joined.append(event)
    return [*joined, *texts]
