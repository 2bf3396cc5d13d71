"""Reads many files in processes of their own, so that they are cut while others are written.

Why a program of ours at the end of a pipe: it starts anywhere, whatever the program is that uses Holdfast, and it has
no part in that program's threads and files.
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

# Starting one takes as long as cutting so many bytes; more than a few wait for the one that writes.
_WORTHWHILE = 1_000_000
_MOST = 3
_PIPE = 1 << 20
_FIELDS = attrgetter(*(field.name for field in fields(Chunk)))


def read_all(reader: FileReader, files: Sequence[DiscoveredFile], known: Collection[str]) -> Iterator[ParsedFile]:
    """Each file in turn; one whose hash is among the `known` is not made ready.

    Few files are read here; many are read apart where there is a core for it, and what does not come back from there
    is read here after all.
    """
    cores = _cores()
    # Why as many as cores: the one that writes waits for them now and then, and they for it.
    count = min(cores, _MOST, sum(file.size for file in files) // _WORTHWHILE) if cores > 1 else 0
    with ExitStack() as stack:
        others = [stack.enter_context(_apart(reader, files[n::count], known)) for n in range(count)]
        for place, file in enumerate(files):
            reading = next(others[place % count], None) if others else None
            yield reading or reader.read(file, known)


def _cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _apart(
    reader: FileReader, files: Sequence[DiscoveredFile], known: Collection[str]
) -> Iterator[Iterator[ParsedFile]]:
    """A process that reads these files, while it is wanted; gives what it reads, nothing when it cannot be had."""
    process = _started()
    if process is None:
        yield iter(())
        return
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        with suppress(OSError), process.stdin as task:  # Why let go: it ended already, and then nothing comes back.
            pickle.dump((reader.root, reader.project, reader.moment, reader.largest, files, known), task)
        yield _received(process.stdout)
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


def _started() -> subprocess.Popen[bytes] | None:
    import subprocess  # Why here: the process that reads starts none, and should start quickly.

    # Why -P: without it Python imports modules from the working directory first, and so runs a project's files.
    argv = [sys.executable, "-P", "-m", __name__]
    try:
        # Why so large a pipe: while a batch is written nobody takes from it, and the reader should not have to wait.
        return subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, pipesize=_PIPE
        )
    except OSError:
        return None


def _received(pipe: IO[bytes]) -> Iterator[ParsedFile]:
    while True:
        try:
            reading: ParsedFile = pickle.load(pipe)  # noqa: S301 # what our own process wrote, on a pipe nobody else has
        except (EOFError, pickle.UnpicklingError):
            return
        yield reading


def _send(reading: ParsedFile, pipe: IO[bytes]) -> None:
    pickler = pickle.Pickler(pipe, protocol=pickle.HIGHEST_PROTOCOL)
    # Why told how: a frozen value is otherwise taken apart and put together field by field, by name.
    pickler.dispatch_table = {Chunk: lambda chunk: (Chunk, _FIELDS(chunk))}
    pickler.dump(reading)


def main() -> None:
    """What the process does: takes its task from standard input and writes a reading for each file."""
    gc.disable()  # Why: it lives briefly and makes hardly any circles; looking for them takes a tenth of its time.
    task = pickle.load(sys.stdin.buffer)  # noqa: S301 # what the process that started this one wrote
    root, project, moment, largest, files, known = task
    reader = FileReader(root, project, moment, largest)
    for file in files:
        _send(reader.read(file, known), sys.stdout.buffer)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    with suppress(BrokenPipeError, KeyboardInterrupt):
        main()
