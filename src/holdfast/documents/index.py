"""Brings what is known of a project's documents in step with its files, reading only what may have changed."""

from __future__ import annotations

import gc
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING

from holdfast.documents.discover import Discovered, DiscoveredFile, IndexProblem, discover, is_within
from holdfast.documents.file_reader import FileReader, ParsedFile
from holdfast.documents.parse_workers import read_all
from holdfast.documents.rules import DocumentRules, kind_of
from holdfast.documents.watch import changes
from holdfast.store.writing.links import UnparsedDocument

if TYPE_CHECKING:
    from holdfast.core.document import DocumentReport, FileStat
    from holdfast.documents.library import Library
    from holdfast.documents.prepare import PreparedDocument
    from holdfast.documents.references import Reference
    from holdfast.store.writing.links import LinkWriting

# What is written at once: small enough that other writers are not kept waiting, and little is lost by a kill.
_BATCH_FILES, _BATCH_BYTES = 100, 2_000_000

# Told as files are read: how many so far, of how many, and which.
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class IndexReport:
    """How many documents were new, changed and so on, and what could not be indexed as it should be.

    `bytes` were read and cut anew; `seconds` is how long everything took.
    """

    added: int = 0
    updated: int = 0
    removed: int = 0
    unchanged: int = 0
    renamed: int = 0
    relabelled: int = 0
    problems: tuple[IndexProblem, ...] = ()
    seconds: float = 0.0
    bytes: int = 0

    @property
    def changed(self) -> bool:
        """Is anything known differently from before?"""
        return bool(self.added or self.updated or self.removed or self.renamed or self.relabelled)


@dataclass(frozen=True, slots=True)
class Indexer:
    """Indexes the documents of one project. `refresh` follows on a run that changed any: successors and ranks."""

    library: Library
    links: LinkWriting
    rules: DocumentRules
    largest: int
    refresh: Callable[[], object]

    def run(
        self,
        paths: Sequence[str] | None = None,
        rehash: bool = False,
        progress: Progress = lambda done, total, path: None,
    ) -> IndexReport:
        """Indexes what is new or changed, takes out what is gone, follows what was renamed.

        `paths` keeps to some files and folders. A file whose size and time are the same is not read, unless `rehash`.
        Every batch is complete in itself: after a kill the next run goes on where this one ended.
        """
        with _uncollected():
            return self._run(paths, rehash, progress)

    def _run(self, paths: Sequence[str] | None, rehash: bool, progress: Progress) -> IndexReport:
        begun = time.perf_counter()
        within = [self.library.inside(path) for path in paths or ()]
        found = self.discover(within)
        known = self.library.documents.stats(self.library.project)
        reader = FileReader(self.library.root, self.library.project, self.library.now(), self.largest, self.library.ids)
        run = _Run(self.library, self.links, reader, found, known, within)
        run.read(run.doubtful(rehash), progress)
        run.finish()
        # Why unread ones too: a run that was killed before this has left one.
        if run.report(0).changed or self.links.unread(self.library.project, 1):
            self.refresh()
        return run.report(time.perf_counter() - begun)

    def discover(self, within: Sequence[str] = ()) -> Discovered:
        """The documents there are, without reading any; `within` are paths as the project writes them."""
        return discover(self.library.root, self.rules, within, self.largest)

    def follow(
        self,
        paths: Sequence[str] | None,
        first: IndexReport,
        report_to: Callable[[IndexReport], object],
        stop: Event | None = None,
    ) -> None:
        """Reports the first run, then indexes again whenever files change and reports each run, until `stop` is set."""
        report_to(first)
        stop = stop or Event()
        within = [self.library.inside(path) for path in paths or ()]
        for _ in changes(self.library.root, lambda: self.discover(within).files, stop):
            report = self.run(paths)
            if report.changed or report.problems:
                report_to(report)


class _Run:
    """One run: what is known and what is there, what is to be written, and what was done so far."""

    def __init__(
        self,
        library: Library,
        links: LinkWriting,
        reader: FileReader,
        found: Discovered,
        known: Mapping[str, FileStat],
        within: Sequence[str],
    ) -> None:
        self._library = library
        self._links = links
        self._reader = reader
        self._found = found
        self._known = known
        self._gone = {path: stat for path, stat in known.items() if self._is_gone(path, stat, within)}
        self._lost = _by_content(self._gone)
        self._batch: list[tuple[PreparedDocument, Sequence[Reference]]] = []
        self._restat: dict[str, tuple[int, int]] = {}
        self._relabel: dict[str, tuple[str | None, str | None]] = {}
        self._problems = [*found.problems, *(_missing(path) for path in within if not self._is_there(path))]
        self._done: Counter[str] = Counter()
        self._has_written = False

    def doubtful(self, rehash: bool) -> list[DiscoveredFile]:
        """The files that must be read to know whether they changed; the others are done with here."""
        doubtful = []
        for file in self._found.files.values():
            stat = self._known.get(file.path)
            if stat is None or rehash or (stat.size, stat.mtime_ns) != (file.size, file.mtime_ns):
                doubtful.append(file)
            else:
                self._same(file, stat)
        return sorted(doubtful)

    def read(self, files: Sequence[DiscoveredFile], progress: Progress) -> None:
        """Reads files and keeps what is new in them, batch by batch."""
        hashes = {self._known[path].hash for path in (*self._gone, *(f.path for f in files)) if path in self._known}
        for done, reading in enumerate(read_all(self._reader, files, hashes)):
            progress(done, len(files), reading.file.path)
            self._take(reading)
            if len(self._batch) >= _BATCH_FILES or sum(made.document.bytes for made, _ in self._batch) >= _BATCH_BYTES:
                self._write()
        if self._batch:
            self._write()

    def finish(self) -> None:
        """Takes out what is gone and was not found again, and writes what changed beside texts."""
        documents, project = self._library.documents, self._library.project
        if self._gone:
            self._done["removed"] += documents.remove_all(project, list(self._gone))
        if self._restat:
            documents.restat(project, self._restat)
        if self._relabel:
            self._done["relabelled"] += documents.relabel(project, self._relabel)

    def report(self, seconds: float) -> IndexReport:
        return IndexReport(**self._done, problems=tuple(sorted(self._problems)), seconds=seconds)

    def _is_gone(self, path: str, stat: FileStat, within: Sequence[str]) -> bool:
        """Was it indexed from a file that is no more? What was given as a text never had a file to lose."""
        hidden = any(is_within(path, [folder]) for folder in self._found.unseen)
        return path not in self._found.files and stat.mtime_ns is not None and is_within(path, within) and not hidden

    def _is_there(self, path: str) -> bool:
        """Is it, or was it, anything? What is named by mistake should be told."""
        here = os.path.lexists(os.path.join(self._library.root, path))
        return here or any(is_within(known, [path]) for known in self._known)

    def _take(self, reading: ParsedFile) -> None:
        file, stat = reading.file, self._known.get(reading.file.path)
        if reading.problem:
            self._problems.append(IndexProblem(file.path, reading.problem))
        if not reading.hash:
            if stat is not None and stat.mtime_ns is not None and not reading.unseen:
                self._gone[file.path] = stat
        elif stat is not None and stat.hash == reading.hash and stat.mtime_ns is not None:
            self._restat[file.path] = (file.size, self._reader.stamp(file))
            self._same(file, stat)
        elif not (stat is None and self._followed(reading)):
            self._put(reading if reading.prepared else self._reader.read(file), "updated" if stat else "added")

    def _same(self, file: DiscoveredFile, stat: FileStat) -> None:
        self._done["unchanged"] += 1
        self._label(file, stat)

    def _label(self, file: DiscoveredFile, stat: FileStat) -> None:
        if (stat.label, stat.doc_type) != (file.rule.label, file.rule.doc_type):
            self._relabel[file.path] = (file.rule.label, file.rule.doc_type)

    def _followed(self, reading: ParsedFile) -> bool:
        """Was a document that is gone found again under this new name? It keeps its id, its usage and its vectors."""
        file = reading.file
        olds = self._lost.get((reading.hash, kind_of(file.path)))
        if not olds or not self._library.documents.rename(self._library.project, olds[-1], file.path):
            return False
        stat = self._gone.pop(olds.pop())
        self._done["renamed"] += 1
        self._restat[file.path] = (file.size, self._reader.stamp(file))
        self._label(file, stat)
        return True

    def _put(self, reading: ParsedFile, how: str) -> None:
        if reading.prepared is not None:
            self._batch.append((reading.prepared, reading.references))
            self._done[how] += 1
            self._done["bytes"] += reading.prepared.document.bytes

    def _write(self) -> None:
        reports = self._library.documents.put_all([(made.document, made.chunks) for made, _ in self._batch])
        kept = zip(reports, self._batch, strict=True)
        # Why not where a piece was left out: what it refers to is left out with it, and read from what is kept.
        whole = [(report.document, refers) for report, (made, refers) in kept if _is_whole(report, made)]
        read = [(UnparsedDocument(one.id, one.hash, {}, ""), refers) for one, refers in whole]
        # Why without the first: while it is unread, the next run knows what this one could not finish.
        self._links.put(self._library.project, read if self._has_written else read[1:])
        self._has_written = True
        self._batch.clear()


@contextmanager
def _uncollected() -> Iterator[None]:
    """Why: thousands of pieces pass through, none of them in circles, and to look for circles takes a tenth of it."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _is_whole(report: DocumentReport, made: PreparedDocument) -> bool:
    return report.added + report.kept == len(made.chunks)


def _by_content(documents: Mapping[str, FileStat]) -> dict[tuple[str, str | None], list[str]]:
    """The paths of documents by the hash of their text and what they are written in; `pop` gives the first by name."""
    found: dict[tuple[str, str | None], list[str]] = {}
    for path in sorted(documents, reverse=True):
        found.setdefault((documents[path].hash, kind_of(path)), []).append(path)
    return found


def _missing(path: str) -> IndexProblem:
    return IndexProblem(path, "there is no such file or folder")
