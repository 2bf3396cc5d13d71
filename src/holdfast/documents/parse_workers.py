"""Parses many files in worker processes, while this process writes to the database.

A worker is a separate program on a pipe, not a fork: it starts in every host program and shares neither its threads
nor its open files.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import fields
from operator import attrgetter
from typing import IO, TYPE_CHECKING

from holdfast.core.document import Chunk
from holdfast.documents.discover import DiscoveredFile
from holdfast.documents.file_reader import FileReader, ParsedFile

if TYPE_CHECKING:
    import subprocess

# A worker costs as much to start as parsing 1 MB; beyond three, workers wait for the writer.
_BYTES_PER_WORKER = 1_000_000
_MOST_WORKERS = 3
_PIPE = 1 << 20
_FIELDS = attrgetter(*(field.name for field in fields(Chunk)))


def read_all(reader: FileReader, files: Sequence[DiscoveredFile], known: Collection[str]) -> Iterator[ParsedFile]:
    """Yields each file in order, parsed unless its hash is among the `known`.

    Many files are parsed by workers if there is more than one core; few files, and files that a worker fails to
    return, are parsed in this process.
    """
    cores = _cores()
    # One worker per core, although this process needs a core too: it and the workers often wait for each other.
    count = min(cores, _MOST_WORKERS, sum(file.size for file in files) // _BYTES_PER_WORKER) if cores > 1 else 0
    with ExitStack() as stack:
        workers = [stack.enter_context(_worker(reader, files[n::count], known)) for n in range(count)]
        for place, file in enumerate(files):
            reading = next(workers[place % count], None) if workers else None
            yield reading or reader.read(file, known)


def _cores() -> int:
    """Returns the number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _worker(
    reader: FileReader, files: Sequence[DiscoveredFile], known: Collection[str]
) -> Iterator[Iterator[ParsedFile]]:
    """Runs a worker for these files and yields an iterator of its results; empty if no process can be started."""
    process = _started()
    if process is None:
        yield iter(())
        return
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        with suppress(OSError), process.stdin as task:  # If the worker has already ended, it returns nothing.
            pickle.dump((reader.root, reader.project, reader.moment, reader.largest, files, known), task)
        yield _received(process.stdout)
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


def _started() -> subprocess.Popen[bytes] | None:
    import subprocess  # Imported here because a worker does not need it and should start quickly.

    # -P: otherwise Python would import modules from the working directory first and so run a project's files.
    argv = [sys.executable, "-P", "-m", __name__]
    try:
        # The pipe is large, so that workers need not wait while a batch is written.
        return subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, pipesize=_PIPE
        )
    except OSError:
        return None


def _received(pipe: IO[bytes]) -> Iterator[ParsedFile]:
    while True:
        try:
            reading: ParsedFile = pickle.load(pipe)  # noqa: S301 # written by our own worker on a private pipe
        except (EOFError, pickle.UnpicklingError):
            return
        yield reading


def _send(reading: ParsedFile, pipe: IO[bytes]) -> None:
    pickler = pickle.Pickler(pipe, protocol=pickle.HIGHEST_PROTOCOL)
    # Faster than the default, which pickles a frozen dataclass field by field by name.
    pickler.dispatch_table = {Chunk: lambda chunk: (Chunk, _FIELDS(chunk))}
    pickler.dump(reading)


def main() -> None:
    """Runs the worker: reads its task from standard input and writes one result per file."""
    gc.disable()  # This process is short-lived and creates hardly any cycles; collecting takes a tenth of its time.
    task = pickle.load(sys.stdin.buffer)  # noqa: S301 # written by the process that started this one
    root, project, moment, largest, files, known = task
    reader = FileReader(root, project, moment, largest)
    for file in files:
        _send(reader.read(file, known), sys.stdout.buffer)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    with suppress(BrokenPipeError, KeyboardInterrupt):
        main()
