"""Observes the journals that hooks wrote: when a session has ended, when nothing was added to it for a while, and after
each completed task of a long plan."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from holdfast.core import event as kinds
from holdfast.core import journal
from holdfast.core.files import replace_file
from holdfast.core.frozen import frozen
from holdfast.core.plans import completes_subtask
from holdfast.observer.stored_after import stored_after

if TYPE_CHECKING:
    from holdfast.core.event import Event
    from holdfast.core.progress import Progress
    from holdfast.observer.observer import Observer, ObserverReport, Recorded

# An ended session has its last event at the end of the file; a session without one is taken up after this time.
_TAIL = 4_096
# Journals are kept for a while after they were observed, so that evidence can be looked up.
_KEPT_SECONDS = 30 * 86_400
_DONE = journal.OBSERVED


@frozen
class JournalObserver:
    """Observes the journals of one project. `idle_seconds` without an event end a session that was abandoned."""

    observer: Callable[[], Observer]
    folder: str
    idle_seconds: float

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

    def observe_all(self, dry_run: bool = False) -> tuple[ObserverReport, ...]:
        """Observes every journal of the project, also those of sessions that go on."""
        if dry_run:
            return self.observer().rehearse(map(self._recorded, self._journals()))
        observer = self.observer().follow_renames()
        return tuple(self.observe(file, observer) for file in self._journals())

    def observe(self, file: str, observer: Observer | None = None) -> ObserverReport:
        """Observes one journal, and marks how much of it was observed."""
        size, one = os.path.getsize(file), self._recorded(file)
        report = (observer or self.observer().follow_renames()).observe(one.session, one.events, so_far=one.so_far)
        kept = one.so_far.kept + sum(answer.memory is not None for answer in report.answers)
        replace_file(file + _DONE, f"{size} {kept}".encode())
        return report

    def _recorded(self, file: str) -> Recorded:
        from holdfast.observer.observer import Recorded, SoFar

        events = [event for _, event in journal.read(file)]
        ended = self._is_idle(file) or _has_ended(file)
        return Recorded(_session(file, events), events, SoFar(ended, _observed(file)[1]))

    def observe_session(self, session: str) -> ObserverReport | None:
        """Observes the journal of a session that goes on, when a unit of its work is done; None if it has none."""
        file = self._file_of(session)
        return self.observe(file) if file else None

    def taint_stored(self, session: str) -> None:
        """Taints what the agent of a session that goes on stored after it had read what strangers can write."""
        if file := self._file_of(session):
            self.observer().distrust(stored_after(event for _, event in journal.read(file)))

    def _file_of(self, session: str) -> str | None:
        for file in self._journals():
            first = next((event for _, event in journal.read(file)), None)
            if first is not None and _session(file, [first]) == session:
                return file
        return None

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


def _session(file: str, events: list[Event]) -> str:
    named = (
        str(event.args["session"]) for event in events if event.kind == kinds.SESSION and event.args.get("session")
    )
    return next(named, os.path.basename(file).removesuffix(".jsonl"))
