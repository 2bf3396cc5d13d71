"""Parses many files in worker processes, while this process writes to the database."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import fields
from operator import attrgetter
from typing import Any

from holdfast.core.document import Chunk
from holdfast.documents.document_files import DiscoveredFile
from holdfast.documents.file_reader import FileReader, ParsedFile
from holdfast.system.worker_process import cores as _cores
from holdfast.system.worker_process import serve, worker

# A worker costs as much to start as parsing 1 MB; beyond three, workers wait for the writer.
_BYTES_PER_WORKER = 1_000_000
_MOST_WORKERS = 3
_FIELDS = attrgetter(*(field.name for field in fields(Chunk)))


def read_all(reader: FileReader, files: Sequence[DiscoveredFile], known: Collection[str]) -> Iterator[ParsedFile]:
    """Yields each file in order, parsed unless its hash is among the `known`.

    Many files are parsed by workers if there is more than one core; few files, and files that a worker fails to
    return, are parsed in this process.
    """
    cores = _cores()
    # One worker per core, although this process needs a core too: it and the workers often wait for each other.
    count = min(cores, _MOST_WORKERS, sum(file.size for file in files) // _BYTES_PER_WORKER) if cores > 1 else 0
    task = reader.root, reader.project, reader.moment, reader.largest
    with ExitStack() as stack:
        workers = [stack.enter_context(worker(__name__, (*task, files[n::count], known))) for n in range(count)]
        for place, file in enumerate(files):
            reading = next(workers[place % count], None) if workers else None
            yield reading or reader.read(file, known)


def _parse(task: Any) -> Iterable[ParsedFile]:
    root, project, moment, largest, files, known = task
    reader = FileReader(root, project, moment, largest)
    return (reader.read(file, known) for file in files)


if __name__ == "__main__":
    # Faster than the default, which pickles a frozen dataclass field by field by name.
    serve(_parse, {Chunk: lambda chunk: (Chunk, _FIELDS(chunk))})
