"""Runs all background work in one detached, low-priority process; a lease prevents a second one."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from holdfast.core.health import FAILED
from holdfast.core.reason import Reason
from holdfast.system.kept_lease import Keep, kept
from holdfast.system.lease_holder import is_gone, this_process
from holdfast.upkeep.upkeep_reasons import UpkeepCode

if TYPE_CHECKING:
    from holdfast.core.job import Job
    from holdfast.core.progress import Progress
    from holdfast.store.reading import JobReading
    from holdfast.store.writing.jobs import JobWriting

Parts = TypeVar("Parts")
LEASE = "upkeep"
GIVES_WAY = "gives_way"  # In the progress of a lease: whether its holder stops for a process that waits.
_LEASE_SECONDS = 30.0
# Held by a process that waits for the other lease: jobs that give way stop for it.
_TURN, _TURN_SECONDS = "upkeep-turn", 5.0
# Niceness. Not the lowest: on a busy machine, a process with niceness 19 gets a hundredth of a core or less, and others
# wait for the database while it writes a batch.
_LOW = 10
_LOW_FOR_FILES = 2 << 13 | 7  # The lowest level of the usual class: the idle class may wait for ever with the lock.


def start(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Starts a detached process that outlives this one and returns its process id. Its output is discarded."""
    import subprocess  # Imported here: most commands start nothing.

    options: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        options = {"creationflags": subprocess.DETACHED_PROCESS | subprocess.BELOW_NORMAL_PRIORITY_CLASS}
    # Do not wait for it: it outlives this process, and its lease shows its progress.
    process = subprocess.Popen(
        list(command), env=dict(environment), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, close_fds=True, **options,
    )  # fmt: skip
    process.returncode = 0  # Silences the warning that it was not waited for.
    if sys.platform != "win32":
        import threading

        threading.Thread(target=_reap, args=(process.pid,), daemon=True).start()
    return process.pid


def _reap(pid: int) -> None:
    """Waits for a child process to end. Until it is reaped, a killed child still looks alive."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


def is_running(reading: JobReading, now: datetime) -> bool:
    """Does a living process hold the lease of background work?"""
    lease = reading.lease(LEASE)
    return lease is not None and lease.expires_at > now and not is_gone(lease.holder)


def is_awaited(reading: JobReading, now: datetime) -> bool:
    """Does another living process wait for its turn?"""
    turn = reading.lease(_TURN)
    return turn is not None and turn.holder != this_process() and turn.expires_at > now and not is_gone(turn.holder)


def ask_for_turn(writing: JobWriting) -> None:
    """Makes the process at work stop a job that gives way. Holds for a few seconds, so a waiting process repeats it."""
    writing.take(_TURN, this_process(), _TURN_SECONDS)


def run(
    jobs: Sequence[Job[Parts]],
    parts: Parts,
    project: str,
    reading: JobReading,
    writing: JobWriting,
    now: Callable[[], datetime],
    linger: float = 0.0,
    sleep: Callable[[float], None] = time.sleep,
) -> Mapping[str, Any]:
    """Takes the lease, runs the jobs on the parts and frees the lease. Returns `skipped` if another process holds it.

    Then repeats the jobs without a period for `linger` seconds, so that new work starts at once. Ends early if a job
    gave way to another process.
    """
    holder = this_process()
    lease = reading.lease(LEASE)
    if lease is not None and is_gone(lease.holder):
        writing.free(LEASE, lease.holder)
    if not writing.take(LEASE, holder, _LEASE_SECONDS):
        return {"skipped": Reason.of(UpkeepCode.ALREADY_RUNNING)}
    try:
        writing.free(_TURN, holder)
        with kept(lambda done: writing.keep(LEASE, holder, _LEASE_SECONDS, done), _LEASE_SECONDS) as keep:
            return _work(jobs, parts, project, reading, writing, keep, now, linger, sleep)
    finally:
        writing.free(LEASE, holder)


def lower_priority() -> None:
    """Gives this process a low CPU priority, and on Linux also a low one for reading and writing files."""
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, 0, max(_LOW, os.getpriority(os.PRIO_PROCESS, 0)))
    if sys.platform == "linux":
        # The kernel shares CPU time first among sessions, then by niceness. Not in a session with other processes, such
        # as a terminal's: all of them would become slow.
        if os.getsid(0) == os.getpid():
            with contextlib.suppress(OSError), open("/proc/self/autogroup", "w", encoding="ascii") as group:
                group.write(str(_LOW))
        _lower_io_priority()


def _lower_io_priority() -> None:
    """Reads and writes after other processes. Python has no function for this system call."""
    import ctypes
    import platform

    number = {"x86_64": 251, "aarch64": 30}.get(platform.machine())
    if number is not None:
        this_process_only = 1
        ctypes.CDLL(None).syscall(number, this_process_only, 0, _LOW_FOR_FILES)


def _work(
    jobs: Sequence[Job[Parts]],
    parts: Parts,
    project: str,
    reading: JobReading,
    writing: JobWriting,
    keep: Keep,
    now: Callable[[], datetime],
    linger: float,
    sleep: Callable[[float], None],
) -> Mapping[str, Any]:
    results: dict[str, Any] = {}
    until: float | None = None
    while True:
        for job in jobs:
            started = now()
            result = job.run(parts, _progress(job, reading, keep, now))
            gave_way = job.gives_way and is_awaited(reading, now())
            # A job with a period that gave way must not count as done: it would be due much later.
            is_done = not (gave_way and job.period is not None)
            if is_done and (job.period is not None or "failed" in result or _did_work(result)):
                outcome = FAILED if "failed" in result else "ok"
                of = project if job.of_project else None
                writing.record(job.name, started, now(), outcome, _storable(result), of)
            results[job.name] = _sum(results.get(job.name), result)
            if gave_way:
                return results
        if until is None:
            # Counted from here, because the first pass may take long; the next one finds what was stored during it.
            until = time.monotonic() + linger
        if time.monotonic() >= until:
            return results
        # Jobs with a period have just run, and a failed job would most likely fail again.
        jobs = [job for job in jobs if job.period is None and "failed" not in results[job.name]]
        sleep(0.5)
        if not keep({}):
            return results


def _progress(job: Job[Any], reading: JobReading, keep: Keep, now: Callable[[], datetime]) -> Progress:
    """What a job calls while it works: stores the progress and says whether the job may go on."""

    def may_continue(done: Mapping[str, Any]) -> bool:
        is_ours = keep({**done, GIVES_WAY: True} if job.gives_way else done)
        return is_ours and not (job.gives_way and is_awaited(reading, now()))

    return may_continue


def _did_work(result: Mapping[str, Any]) -> bool:
    """Is any count above zero? A lingering run repeats jobs often; runs without work are not recorded."""
    return any(value for value in result.values() if isinstance(value, int))


def _sum(before: Mapping[str, Any] | None, result: Mapping[str, Any]) -> Mapping[str, Any]:
    if before is None:
        return result
    return {k: before.get(k, 0) + v if isinstance(v, int) else v for k, v in result.items()}


def _storable(value: Any) -> Any:
    """Converts a result for JSON: a reason becomes its code and values."""
    if isinstance(value, Reason):
        return {"code": str(value.code), "values": _storable(value.values)}
    if isinstance(value, Mapping):
        return {name: _storable(inner) for name, inner in value.items()}
    return [_storable(inner) for inner in value] if isinstance(value, tuple | list) else value
