"""Reads many code files in worker processes, while this process writes to the database."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

from holdfast.codegraph.code_files import FoundFile
from holdfast.codegraph.read_files import ReadFile, read_file
from holdfast.system.worker_process import cores as _cores
from holdfast.system.worker_process import serve, worker

# A worker takes as long to start as reading 500 kB.
_BYTES_PER_WORKER = 1_000_000
_MOST_WORKERS = 4


def read_code(root: str, files: Sequence[FoundFile], known: Collection[str]) -> Iterator[ReadFile]:
    """Yields each file in order; one whose hash is among the `known` is not parsed."""
    count = min(_cores(), _MOST_WORKERS, sum(file.size for file in files) // _BYTES_PER_WORKER) if _cores() > 1 else 0
    with ExitStack() as stack:
        workers = [stack.enter_context(worker(__name__, (root, files[n::count], known))) for n in range(count)]
        for place, file in enumerate(files):
            read = next(workers[place % count], None) if workers else None
            yield read or read_file(root, file, known)


def _read_all(task: Any) -> Iterable[ReadFile]:
    root, files, known = task
    return (read_file(root, file, known) for file in files)


if __name__ == "__main__":
    serve(_read_all)
