"""Indexes the documents and the code of a project, once or whenever files change."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Protocol

from holdfast.core.frozen import frozen
from holdfast.indexing.watch import changes, settled
from holdfast.system.git import run_git

if TYPE_CHECKING:
    from holdfast.codegraph.code_index import CodeIndexer
    from holdfast.core.code import CodeReport
    from holdfast.documents.document_index import Indexer, IndexReport, Progress
    from holdfast.documents.library import Library

_GIT_SECONDS = 5.0
# A lock that git left behind when it was killed.
_ABANDONED_SECONDS = 60.0


@frozen
class IndexRequest:
    """What to index: the documents, the code or both; only the `paths` named, if any."""

    paths: Sequence[str] | None = None
    rehash: bool = False
    preset: str | None = None
    docs: bool = True
    code: bool = True


class IndexParts(Protocol):
    """What indexing needs."""

    root: str
    project: str
    library: Library
    code_indexer: CodeIndexer

    def document_indexer(self, preset: str | None) -> Indexer: ...


@frozen
class ProjectIndexer:
    """Indexes one project. `finished` is called after every run."""

    parts: IndexParts
    finished: Callable[[IndexReport], IndexReport]

    def index(
        self, request: IndexRequest, watch: Callable[[IndexReport], None] | None, progress: Progress
    ) -> IndexReport:
        """Indexes files; with `watch` continues until interrupted and reports every run."""
        report = self.run(request, progress)
        if watch is not None:
            watch(report)
            for report in self.follow(request, Event()):
                watch(report)
        return report

    def run(self, request: IndexRequest, progress: Progress = lambda done, total, path: None) -> IndexReport:
        """Indexes new and changed files once."""
        from holdfast.documents.document_index import IndexReport

        documents, code = IndexReport(), None
        if request.docs:
            documents = self._documents(request).run(request.paths, request.rehash, progress)
        if request.code:
            within = [self.parts.library.inside(path) for path in request.paths or ()]
            code = self.parts.code_indexer.run(within, request.rehash, progress)
        return self.finished(replace(documents, code=code, seconds=documents.seconds + _seconds(code)))

    def follow(self, request: IndexRequest, stop: Event) -> Iterator[IndexReport]:
        """Indexes again after every burst of changes, until `stop` is set; yields the runs that changed something.

        Code files are stale from the first notice of a change on, so that no answer relies on them.
        """
        again = replace(request, rehash=False)
        for _ in settled(self._changes(request, stop), partial(_git_is_busy, _git_lock(self.parts.root))):
            report = self.run(again)
            if report.changed or report.problems:
                yield report

    def _changes(self, request: IndexRequest, stop: Event) -> Iterator[frozenset[str]]:
        # Nobody watched between the run before and the first notice: the first one asks for another run.
        unwatched = frozenset({""})
        for changed in changes(self.parts.root, partial(self._snapshot, request), partial(_matters, request), stop):
            if changed and request.code:
                self.parts.code_indexer.graph.mark_stale(self.parts.project, changed)
            yield changed | unwatched
            unwatched = frozenset()

    def _snapshot(self, request: IndexRequest) -> dict[str, object]:
        within = [self.parts.library.inside(path) for path in request.paths or ()]
        documents = self._documents(request).discover(within).files if request.docs else {}
        return {**documents, **(self.parts.code_indexer.snapshot() if request.code else {})}

    def _documents(self, request: IndexRequest) -> Indexer:
        return self.parts.document_indexer(request.preset)


def _matters(request: IndexRequest, path: str) -> bool:
    """Can a change of this file matter? A name without an extension may be a folder."""
    from holdfast.codegraph.code_files import may_be_code
    from holdfast.documents.index_rules import kind_of

    *folders, name = path.split("/")
    if any(folder.startswith(".") for folder in folders):
        return False
    wanted = (request.docs and kind_of(name) is not None) or (request.code and may_be_code(name))
    return wanted or name == ".gitignore" or "." not in name


def _seconds(code: CodeReport | None) -> float:
    return code.seconds if code is not None else 0.0


def _git_lock(root: str) -> str | None:
    """Returns the file that exists while git changes the files of a project."""
    path = run_git(root, "rev-parse", "--git-path", "index.lock", seconds=_GIT_SECONDS)
    return os.path.join(root, os.fsdecode(path.rstrip(b"\n"))) if path else None


def _git_is_busy(lock: str | None) -> bool:
    """Is git switching branches or merging? Then the files are a mixture of both."""
    import time

    with suppress(OSError):
        return lock is not None and time.time() - os.stat(lock).st_mtime < _ABANDONED_SECONDS
    return False
