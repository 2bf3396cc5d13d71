"""The background jobs that keep the code graph of a project, and the memories about its code, up to date."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.job import CODE as CHANGED_CODE
from holdfast.core.job import DAILY, Job

if TYPE_CHECKING:
    from holdfast.codegraph.anchors.code_memory import CodeMemory
    from holdfast.codegraph.code_index import CodeIndexer
    from holdfast.core.progress import Progress
    from holdfast.store.protocol import Store
    from holdfast.store.reading.graph_reading import GraphReading

# Progress is a write to the database, so that it is not reported for every file.
_REPORT_SECONDS = 1.0


class CodeIndexing:
    """Updates a code graph that exists; a project that was never indexed is left alone.

    The first run in a process looks for changed files, which takes a while in a large project. Later runs only work
    when files are marked as stale.
    """

    def __init__(self, reading: GraphReading, indexer: Callable[[], CodeIndexer], project: str) -> None:
        self._reading = reading
        self._indexer = indexer
        self._project = project
        self._has_looked = False

    def is_due(self) -> bool:
        """Do files wait to be resolved?"""
        return bool(self._reading.stale_code(self._project))

    def __call__(self, progress: Progress) -> Mapping[str, Any]:
        if not self._reading.code_generation(self._project) or (self._has_looked and not self.is_due()):
            return {"resolved": 0}
        self._has_looked = True
        last = time.monotonic()

        def report(done: int, total: int, path: str) -> None:
            nonlocal last
            if time.monotonic() - last >= _REPORT_SECONDS:
                last = time.monotonic()
                # Another process may have taken over; both may continue, because every batch is complete in itself.
                progress({"job": "code", "done": done, "of": total})

        done = self._indexer().run(progress=report)
        counts = {"added": done.added, "updated": done.updated, "removed": done.removed, "resolved": done.resolved}
        return {name: count for name, count in counts.items() if count or name == "resolved"}


class CodeParts(Protocol):
    """What the jobs need."""

    store: Store
    project: str
    code_indexing: CodeIndexing
    code_memory: CodeMemory


def _check_memories(parts: CodeParts, progress: Progress) -> Mapping[str, Any]:
    return {**parts.code_memory.check_all(), "dropped": parts.store.memories.drop_unused_code(parts.project)}


# No period: files may change at any time.
CODE: Job[CodeParts] = Job(
    "code",
    lambda parts, progress: parts.code_indexing(progress),
    is_due=lambda parts: parts.code_indexing.is_due(),
    after=CHANGED_CODE,
    of_project=True,
)
ANCHORS: Job[CodeParts] = Job("anchors", _check_memories, DAILY, of_project=True)
