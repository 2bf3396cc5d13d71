"""Erases memories for good: from tables, indexes, the files of projects, journals of hooks, and backups.

What is to be erased is recorded in the database first, then worked off in these steps:

    rows → files of every folder → journals → forget the texts → write the database again → empty its log → backups

Each step may be repeated. An erasure that was killed, or that met a file it could not change, stays recorded; the next
command or background run goes on with it. The rows come first, because the files are written from them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.errors import StoreBusy
from holdfast.core.frozen import frozen
from holdfast.core.ids import short
from holdfast.core.memory import ERASED, SUPERSEDES
from holdfast.store.writing.erasure import LOCK
from holdfast.text.removal import SentenceRemoval
from holdfast.upkeep.clean_journals import clean_journals

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from holdfast.core.progress import Progress
    from holdfast.store.protocol import Store
    from holdfast.store.writing.erasure import RecordedErasure

    # Removes the memories with these ids, and their text, from the memory files of a project in all of its folders.
    # Returns what could not be cleaned, and why.
    CleanFiles = Callable[[str, Sequence[str], SentenceRemoval], Sequence[str]]

_PATIENCE = 600.0  # Seconds to wait for another process that erases or makes a backup.


@frozen
class ErasureReport:
    """What was erased: the memories, other memories that repeated their text, and the backups that were deleted.

    `earlier` are memories that the erased ones had replaced and that say something else, so that their text stays.
    `log_emptied` is False while another process reads: the text may be in the database's log until it has finished.
    `unfinished` names files that could not be cleaned, and why. In both cases the erasure goes on later by itself.
    """

    memories: tuple[str, ...]
    cleaned: tuple[str, ...] = ()
    backups: tuple[str, ...] = ()
    log_emptied: bool = True
    unfinished: tuple[str, ...] = ()
    earlier: tuple[str, ...] = ()

    @property
    def is_finished(self) -> bool:
        """Is nothing left of it?"""
        return self.log_emptied and not self.unfinished


@frozen
class Eraser:
    """Erases memories of one project, and finishes erasures of all projects.

    `without_learning` waits this number of seconds for whoever learns from messages, and keeps them from learning: they
    would store again what they have just read.
    """

    store: Store
    project: str
    now: Callable[[], datetime]
    clean_files: CleanFiles
    without_learning: Callable[[float], AbstractContextManager[object]]

    def erase(self, ids: Sequence[str]) -> ErasureReport:
        """Erases the memories with these ids. When it has begun, it will be finished, even if it is killed."""
        erasure = self.store.erasure
        projects = erasure.projects(self.project, ids)
        found = [m for m in erasure.connected(projects, ids) if m.id in ids and not m.is_erased]
        texts = [text for memory in found for text in (memory.content, *memory.questions)]
        erasure.record(self.project, ids, texts)
        with self.store.exclusive(LOCK, _PATIENCE):
            report = _joined([self._work(recorded, _PATIENCE) for recorded in erasure.recorded()], ids)
        return replace(report, earlier=self._earlier(projects, ids))

    def _earlier(self, projects: Sequence[str], ids: Sequence[str]) -> tuple[str, ...]:
        """The memories that these had replaced and whose text stays."""
        connected = self.store.erasure.connected(projects, ids)
        links = (link for memory in connected if memory.id in ids for link in memory.relations)
        replaced = {link.memory for link in links if link.kind == SUPERSEDES and link.memory}
        found = self.store.erasure.connected(projects, sorted(replaced))
        return tuple(memory.id for memory in found if memory.id in replaced and not memory.is_erased)

    def resume(self) -> ErasureReport | None:
        """Goes on with erasures that are not finished; None if there are none, or if another process is at work."""
        if not self.store.erasure.recorded():
            return None
        with suppress(StoreBusy), self.store.exclusive(LOCK, 0):
            reports = [self._work(recorded, 0) for recorded in self.store.erasure.recorded()]
            return _joined(reports, [id for report in reports for id in report.memories]) if reports else None
        return None

    def job(self, progress: Progress) -> Mapping[str, Any]:
        """The background job."""
        progress({"job": "erase"})
        report = self.resume()
        return {"erased": len(report.memories) if report else 0}

    def _work(self, recorded: RecordedErasure, patience: float) -> ErasureReport:
        """Does what is left of an erasure."""
        erasure = self.store.erasure
        cleaned: tuple[str, ...] = ()
        if recorded.texts is not None:
            with self.without_learning(patience):
                cleaned, unfinished = self._remove_texts(recorded, recorded.texts)
            if unfinished:
                return ErasureReport(recorded.memories, cleaned, unfinished=unfinished)
            erasure.forget_texts(recorded.id)
        if not recorded.compacted:
            erasure.compact()
            erasure.mark_compacted(recorded.id)
        emptied = erasure.empty_log()
        backups = erasure.delete_copies()
        if emptied:
            erasure.finish(recorded.id)
        return ErasureReport(recorded.memories, cleaned, backups, emptied)

    def _remove_texts(self, recorded: RecordedErasure, texts: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Returns the other memories that were changed, and what could not be cleaned."""
        ids, anchors = recorded.memories, tuple(map(short, recorded.memories))
        projects = self.store.erasure.projects(recorded.project, ids)
        marking = SentenceRemoval(texts, ERASED, anchors)
        changed = self.store.erasure.erase(projects, ids, marking, self.now())
        cleaned = tuple(memory.id for memory in changed if memory.id not in ids)
        gone = (*ids, *(memory.id for memory in changed if memory.is_erased))
        plain = SentenceRemoval(texts, anchors=map(short, gone))
        unfinished: list[str] = []
        for project in projects:
            unfinished += self.clean_files(project, gone, plain)
            unfinished += clean_journals(self.store.data_folder.journals(project), plain)
        return cleaned, tuple(unfinished)


def _joined(reports: Sequence[ErasureReport], ids: Sequence[str]) -> ErasureReport:
    return ErasureReport(
        tuple(ids),
        tuple(dict.fromkeys(id for report in reports for id in report.cleaned)),
        tuple(dict.fromkeys(path for report in reports for path in report.backups)),
        all(report.log_emptied for report in reports),
        tuple(dict.fromkeys(what for report in reports for what in report.unfinished)),
    )
