"""Runs a module as a worker process on a pipe: it receives one task and sends one result after another.

A worker is a separate program, not a fork: it starts in every host program and shares neither its threads nor its open
files.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    import subprocess

_PIPE = 1 << 20


def cores() -> int:
    """Returns the number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def worker(module: str, task: object) -> Iterator[Iterator[Any]]:
    """Runs a worker and yields an iterator of its results; empty if no process can be started.

    The iterator ends early if the worker does. At the end the worker is killed.
    """
    process = _started(module)
    if process is None:
        yield iter(())
        return
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        with suppress(OSError), process.stdin as pipe:  # If the worker has already ended, it returns nothing.
            pickle.dump(task, pipe)
        yield _received(process.stdout)
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


def serve(handle: Callable[[Any], Iterable[object]], table: dict[type, Callable[[Any], Any]] | None = None) -> None:
    """Runs this process as a worker: reads its task from standard input and sends every result of `handle`.

    `table` says how to pickle values of some types, for types that are slow to pickle.
    """
    gc.disable()  # This process is short-lived and creates hardly any cycles; collecting takes a tenth of its time.
    with suppress(BrokenPipeError, KeyboardInterrupt):
        task = pickle.load(sys.stdin.buffer)  # noqa: S301 # written by the process that started this one
        for result in handle(task):
            pickler = pickle.Pickler(sys.stdout.buffer, protocol=pickle.HIGHEST_PROTOCOL)
            pickler.dispatch_table = table or {}
            pickler.dump(result)
        sys.stdout.buffer.flush()


def _started(module: str) -> subprocess.Popen[bytes] | None:
    import subprocess  # Imported here because a worker does not need it and should start quickly.

    # -P: otherwise Python would import modules from the working directory first and so run a project's files.
    argv = [sys.executable, "-P", "-m", module]
    try:
        # The pipe is large, so that workers need not wait while a batch is written.
        return subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, pipesize=_PIPE
        )
    except OSError:
        return None


def _received(pipe: IO[bytes]) -> Iterator[Any]:
    while True:
        try:
            yield pickle.load(pipe)  # noqa: S301 # written by our own worker on a private pipe
        except (EOFError, pickle.UnpicklingError):
            return
