"""One low-priority process for all background work: leased, so never two; detached, so never in the way (R-J5)."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.lease_holder import is_gone, this_process

if TYPE_CHECKING:
    from holdfast.store.reading import Reading
    from holdfast.store.writing.jobs import JobWriting
    from holdfast.upkeep.jobs import Job

LEASE = "upkeep"
_LEASE_SECONDS = 30.0


def start(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Starts a detached process that outlives this one, and returns its number. Its output goes nowhere."""
    options: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        options = {"creationflags": subprocess.DETACHED_PROCESS | subprocess.BELOW_NORMAL_PRIORITY_CLASS}
    # Why not waited for: it is meant to go on when we are gone; the lease tells how it fares.
    process = subprocess.Popen(
        list(command), env=dict(environment), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, close_fds=True, **options,
    )  # fmt: skip
    process.returncode = 0  # Why: silences the warning that it was not waited for.
    if sys.platform != "win32":
        import threading

        threading.Thread(target=_bury, args=(process.pid,), daemon=True).start()
    return process.pid


def _bury(pid: int) -> None:
    """Takes note of the end of a process of ours. Why: until then a killed one would still look alive."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


def is_running(reading: Reading, now: datetime) -> bool:
    """Does a living process hold the lease?"""
    lease = reading.lease(LEASE)
    return lease is not None and lease.expires_at > now and not is_gone(lease.holder)


def run(
    jobs: Sequence[Job],
    reading: Reading,
    writing: JobWriting,
    now: Callable[[], datetime],
    linger: float = 0.0,
    sleep: Callable[[float], None] = time.sleep,
) -> Mapping[str, Any]:
    """Takes the lease, runs the jobs, frees it. Says so when another process is at it already.

    With `linger`, looks again for new work for so many seconds before it ends.
    """
    holder = this_process()
    lease = reading.lease(LEASE)
    if lease is not None and is_gone(lease.holder):
        writing.free(LEASE, lease.holder)
    if not writing.take(LEASE, holder, _LEASE_SECONDS):
        return {"skipped": "another process is at it"}
    try:
        return _work(jobs, writing, holder, now, linger, sleep)
    finally:
        writing.free(LEASE, holder)


def be_polite() -> None:
    """Gives way to everything else on the machine."""
    if hasattr(os, "nice"):
        os.nice(19)


def _work(
    jobs: Sequence[Job],
    writing: JobWriting,
    holder: str,
    now: Callable[[], datetime],
    linger: float,
    sleep: Callable[[float], None],
) -> Mapping[str, Any]:
    results: dict[str, Any] = {}
    until = time.monotonic() + linger
    while True:
        for job in jobs:
            started = now()
            result = job.run(lambda done: writing.keep(LEASE, holder, _LEASE_SECONDS, done))
            if job.period is not None or _got_done(result):
                writing.record(job.name, started, now(), "ok", result)
            results[job.name] = _added(results.get(job.name), result)
        if time.monotonic() >= until:
            return results
        # Why: what has its hour was just done.
        jobs = [job for job in jobs if job.period is None]
        sleep(0.5)
        if not writing.keep(LEASE, holder, _LEASE_SECONDS, {}):
            return results


def _got_done(result: Mapping[str, Any]) -> bool:
    """Is anything counted? A word on why nothing was done is not worth a record, each time a lingering run looks."""
    return any(value for value in result.values() if isinstance(value, int))


def _added(before: Mapping[str, Any] | None, result: Mapping[str, Any]) -> Mapping[str, Any]:
    if before is None:
        return result
    return {k: before.get(k, 0) + v if isinstance(v, int) else v for k, v in result.items()}
