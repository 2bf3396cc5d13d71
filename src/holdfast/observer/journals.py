"""Observes the journals that hooks wrote: when a session has ended, when nothing was added to it for a while, and after
each completed task of a long plan."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from holdfast.agents import event as kinds
from holdfast.agents import journal
from holdfast.agents.plans import completes_subtask
from holdfast.core.frozen import frozen
from holdfast.observer.session_kinds import BUILD
from holdfast.observer.stored_after import stored_after
from holdfast.system.files import replace_file

if TYPE_CHECKING:
    from holdfast.agents.event import Event
    from holdfast.core.progress import Progress
    from holdfast.observer.observe import Observer, ObserverReport, Recorded

# An ended session has its last event at the end of the file; a session without one is taken up after this time.
_TAIL = 4_096
# Journals are kept for a while after they were observed, so that evidence can be looked up.
_KEPT_SECONDS = 30 * 86_400
_DONE = journal.OBSERVED
# Texts that begin alike are the same message.
_BEGINNING = 200


@frozen
class JournalObserver:
    """Observes the journals of one project. `idle_seconds` without an event end a session that was abandoned.

    `said` reads what the agent thought and said in a session from the transcript that its program writes: hooks see
    only what it did and its last message.
    """

    observer: Callable[[], Observer]
    folder: str
    idle_seconds: float
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
        if dry_run:
            return self.observer().rehearse(map(self._recorded, self._journals()), kind)
        observer = self.observer().follow_renames()
        return tuple(self.observe(file, observer, kind) for file in self._journals())

    def observe(self, file: str, observer: Observer | None = None, kind: str = BUILD) -> ObserverReport:
        """Observes one journal, and marks how much of it was observed."""
        size, one = os.path.getsize(file), self._recorded(file)
        observer = observer or self.observer().follow_renames()
        report = observer.observe(one.session, one.events, kind, so_far=one.so_far)
        kept = one.so_far.kept + sum(answer.memory is not None for answer in report.answers)
        replace_file(file + _DONE, f"{size} {kept}".encode())
        return report

    def _recorded(self, file: str) -> Recorded:
        from holdfast.observer.observe import Recorded, SoFar

        events, session = [event for _, event in journal.read(file)], journal.session_of(file)
        transcript = str(events[0].args.get("transcript") or "") if events else ""
        ended = self._is_idle(file) or _has_ended(file)
        said = self.said(transcript, session) if transcript else ()
        return Recorded(session, with_texts(events, said), SoFar(ended, _observed(file)[1]))

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
        return next(reversed(journal.of_session(self.folder, session)), None)

    def _due(self) -> Iterator[str]:
        for file in self._journals():
            observed, _ = _observed(file)
            if os.path.getsize(file) > observed and (
                self._is_idle(file) or _has_ended(file) or _completed_subtask(file, observed)
            ):
                yield file

    def _journals(self) -> list[str]:
        try:
            with os.scandir(self.folder) as entries:
                return sorted(e.path for e in entries if e.name.endswith(".jsonl") and e.is_file(follow_symlinks=False))
        except FileNotFoundError:
            return []

    def _is_idle(self, file: str) -> bool:
        return time.time() - os.path.getmtime(file) >= self.idle_seconds

    def _remove_old(self) -> int:
        old = [file for file in self._journals() if time.time() - os.path.getmtime(file) > _KEPT_SECONDS]
        for file in old:
            if _observed(file)[0] >= os.path.getsize(file):
                journal.remove(file)
        return len(old)


def _observed(file: str) -> tuple[int, int]:
    """How many bytes of a journal were observed, and how many memories were kept of it."""
    try:
        with open(file + _DONE, encoding="ascii") as marker:
            size, _, kept = marker.read().partition(" ")
            return int(size or 0), int(kept or 0)
    except (OSError, ValueError):
        return 0, 0


def _completed_subtask(file: str, observed: int) -> bool:
    """Was a task of a long plan completed since the journal was last observed?"""
    calls = (event for _, event in journal.read(file, observed) if event.kind == kinds.TOOL_CALL)
    return any(completes_subtask(event.tool, event.args) for event in calls)


def _has_ended(file: str) -> bool:
    return any(event.kind == kinds.END for event in journal.tail(file, _TAIL))


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
