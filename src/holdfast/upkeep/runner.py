"""Runs background jobs in this process, or starts the background process when there is work."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core import settings as settings_
from holdfast.core.errors import InvalidInput
from holdfast.core.frozen import frozen
from holdfast.upkeep import background

if TYPE_CHECKING:
    from holdfast.core.settings import Settings
    from holdfast.models.protocols import Embedder
    from holdfast.store.reading import JobReading, PendingReading
    from holdfast.store.writing.jobs import JobWriting
    from holdfast.upkeep.jobs import Job

    class BackgroundReading(JobReading, PendingReading, Protocol):
        """Reads whether there is work, and whether a process is doing it."""


_LINGER_SECONDS = 3.0
_PATIENCE = 60  # Seconds. A batch of vectors takes a few at most, other jobs seldom more than this.
_RETRY_AFTER = timedelta(minutes=1)


@frozen
class Background:
    """Starts the background process when there is work, or a job is overdue, and none is running.

    `embedder` returns None when nothing is to be embedded.
    """

    settings: Settings
    reading: BackgroundReading
    any_session_due: Callable[[], bool]
    embedder: Callable[[], Embedder | None]
    any_names_pending: Callable[[], bool]
    any_code_stale: Callable[[], bool]
    any_journal_due: Callable[[], bool]
    any_overdue: Callable[[], bool]
    any_erasure: Callable[[], bool]
    now: Callable[[], datetime]
    environment: Mapping[str, str]
    started: list[bool] = field(default_factory=list)  # One for each process that was started here.

    def wake(self, sessions: bool = False, vectors: bool = True, names: bool = False, code: bool = False) -> None:
        """Starts the process for passages that need vectors; with `sessions`, for sessions due for consolidation.

        With `names`, for names that older memories are not linked to yet; with `code`, for code files that changed.
        Never waits.
        """
        if not self.settings.background:
            return
        due = (names and self.any_names_pending()) or (code and self.any_code_stale())
        due = due or (sessions and (self.any_session_due() or self.any_journal_due())) or self.any_erasure()
        # Not while a conversation goes on: its messages are stored as fast as possible.
        if not due and not (vectors and (self._vectors_pending() or self.any_overdue())):
            return
        if not background.is_running(self.reading, self.now()):
            self._start()
        elif due and self._gives_way() and not background.is_awaited(self.reading, self.now()):
            self._start(_PATIENCE)

    def revive(self) -> None:
        """Starts the process again if one was killed: a process that ended by itself leaves no lease."""
        if not self.settings.background or self.started:
            return  # One that was started here takes the lease as soon as it has begun.
        if self.reading.lease(background.LEASE) is not None and not background.is_running(self.reading, self.now()):
            self._start()

    def _gives_way(self) -> bool:
        """Is the process at work past what is urgent? Then it has passed new work by, and may go on for an hour."""
        lease = self.reading.lease(background.LEASE)
        return lease is not None and bool(lease.progress.get(background.GIVES_WAY))

    def _start(self, patience: int = 0) -> None:
        self.started.append(True)
        # One thread: on a busy machine the threads of a small matrix product wait for each other for seconds.
        one_thread = {"OPENBLAS_NUM_THREADS": "1"}
        environment = {**one_thread, **os.environ, **settings_.changed(self.settings), **self.environment}
        # -P: without it Python imports modules from the working directory first, and so runs a project's files.
        # The process keeps the working directory because settings such as `embedder` may name a relative path.
        with suppress(OSError):  # No process can be started now; the next call that finds work tries again.
            command = [sys.executable, "-P", "-m", "holdfast", "upkeep", "--background", "--patience", str(patience)]
            background.start(command, environment)

    def _vectors_pending(self) -> bool:
        if self.settings.embedder == "none":
            return False
        embedder = self.embedder()
        if embedder is None:
            return False
        wanted = (embedder.id, embedder.size)
        pending = self.reading.any_pending(*wanted) or self.reading.any_pending_sentences(*wanted)
        return pending and not self._has_just_failed(embedder.id)

    def _has_just_failed(self, model: str) -> bool:
        """Did this model fail a moment ago? Then the next call that finds work tries again later."""
        run = self.reading.last_run("embed")
        # A run with a later date comes from a clock that was corrected since.
        is_recent = run is not None and timedelta() <= self.now() - run.finished_at < _RETRY_AFTER
        return run is not None and is_recent and run.failure_of(model) is not None


@frozen
class JobRunner:
    """Runs jobs in this process, one process at a time."""

    table: Sequence[Job]
    schedule: str
    reading: JobReading
    writing: JobWriting
    now: Callable[[], datetime]
    project: str

    def run(self, job: str | None = None, linger: float = 0.0) -> Mapping[str, Any]:
        """Runs one job by name, or all that are due. With `linger`, waits that many seconds for more work."""
        chosen = [entry for entry in self.table if entry.name == job] if job else self._due()
        if job and not chosen:
            raise InvalidInput(f"job {job!r}", hint=f"Use one of: {', '.join(entry.name for entry in self.table)}.")
        return background.run(chosen, self.reading, self.writing, self.now, linger)

    def run_in_background(self, patience: float = 0.0) -> Mapping[str, Any]:
        """Runs all due jobs at low priority and waits a few seconds for more work.

        `patience` is how many seconds to wait while another process is at work: it may have passed the new work by. If
        it makes vectors, it stops, and this process makes the rest.
        """
        background.lower_priority()
        until = time.monotonic() + patience
        while "skipped" in (done := self.run(linger=_LINGER_SECONDS)) and time.monotonic() < until:
            background.ask_for_turn(self.writing)
            time.sleep(0.5)
        return done

    def _due(self) -> Sequence[Job]:
        from holdfast.upkeep import schedule

        return schedule.due(self.table, schedule.read(self.schedule), self.reading.last_runs(self.project), self.now())
