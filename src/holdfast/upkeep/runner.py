"""Runs background jobs in this process, or starts the background process when there is work."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core import settings as settings_
from holdfast.core.errors import InvalidInput, InvalidSettings
from holdfast.core.frozen import frozen
from holdfast.upkeep import background

if TYPE_CHECKING:
    from holdfast.core.job import Job
    from holdfast.core.settings import Settings
    from holdfast.store.reading import JobReading
    from holdfast.store.writing.jobs import JobWriting

_LINGER_SECONDS = 3.0
_PATIENCE = 60  # Seconds. A batch of vectors takes a few at most, other jobs seldom more than this.


@frozen
class Background:
    """Starts the background process when a job has work or is overdue, and none is running.

    `parts` are those that the jobs work with.
    """

    settings: Settings
    jobs: Sequence[Job[Any]]
    parts: object
    reading: JobReading
    now: Callable[[], datetime]
    project: str
    environment: Mapping[str, str]
    started: list[bool] = field(default_factory=list)  # One for each process that was started here.

    def wake(self, *changed: str, only_urgent: bool = False) -> None:
        """Starts the process if there is work for it, as far as that is known at once. Never waits.

        Jobs that have work only after certain changes are asked if the caller `changed` that (`core/job.py`). With
        `only_urgent`, jobs that give way and jobs with a period do not count: while a conversation goes on, its
        messages are stored as fast as possible.
        """
        if not self.settings.background:
            return
        is_urgent = self._any_due(changed, gives_way=False)
        if not is_urgent and (only_urgent or not (self._any_due(changed, gives_way=True) or self._any_overdue())):
            return
        if not background.is_running(self.reading, self.now()):
            self._start()
        elif is_urgent and self._gives_way() and not background.is_awaited(self.reading, self.now()):
            self._start(_PATIENCE)

    def _any_due(self, changed: Sequence[str], *, gives_way: bool) -> bool:
        asked = (job for job in self.jobs if job.gives_way == gives_way and (not job.after or job.after in changed))
        return any(job.is_due(self.parts) for job in asked)

    def _any_overdue(self) -> bool:
        from holdfast.upkeep import schedule

        times = {}
        with suppress(InvalidSettings):  # What was stored is stored; `holdfast upkeep` reports the setting.
            times = schedule.read(self.settings.schedule, self.jobs)
        tried = self.reading.last_runs(self.project, outcome=None)
        return schedule.any_overdue(self.jobs, times, self.reading.last_runs(self.project), tried, self.now())

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


@frozen
class JobRunner:
    """Runs jobs in this process, one process at a time."""

    jobs: Sequence[Job[Any]]
    parts: object
    schedule: str
    reading: JobReading
    writing: JobWriting
    now: Callable[[], datetime]
    project: str

    def run(self, job: str | None = None, linger: float = 0.0) -> Mapping[str, Any]:
        """Runs one job by name, or all that are due. With `linger`, waits that many seconds for more work."""
        chosen = [entry for entry in self.jobs if entry.name == job] if job else self._due()
        if job and not chosen:
            raise InvalidInput(f"job {job!r}", hint=f"Use one of: {', '.join(entry.name for entry in self.jobs)}.")
        return background.run(chosen, self.parts, self.project, self.reading, self.writing, self.now, linger)

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

    def _due(self) -> Sequence[Job[Any]]:
        from holdfast.upkeep import schedule

        times = schedule.read(self.schedule, self.jobs)
        return schedule.due(self.jobs, times, self.reading.last_runs(self.project), self.now())
