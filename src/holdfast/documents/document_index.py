"""Updates the index of a project's documents from its files, reading only files that may have changed."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from holdfast.core.document import CODE_LABEL
from holdfast.core.frozen import frozen
from holdfast.core.reason import Reason
from holdfast.documents.document_files import Discovered, DiscoveredFile, IndexProblem, discover, is_within
from holdfast.documents.document_reasons import DocumentCode
from holdfast.documents.file_reader import FileReader, ParsedFile
from holdfast.documents.index_rules import DocumentRules, kind_of
from holdfast.documents.parse_workers import read_all
from holdfast.store.writing.links import UnparsedDocument

if TYPE_CHECKING:
    from holdfast.core.code import CodeReport
    from holdfast.core.document import DocumentReport, FileStat
    from holdfast.documents.document_references import Reference
    from holdfast.documents.library import Library
    from holdfast.documents.prepare import PreparedDocument
    from holdfast.store.writing.links import LinkWriting

# The size of one transaction: small, so that other writers wait little and a killed process loses little.
_BATCH_FILES, _BATCH_BYTES = 100, 2_000_000

# Called as files are read with the number done, the total and the path.
Progress = Callable[[int, int, str], None]


@frozen
class IndexReport:
    """The number of documents by what happened to them, and the files that were not indexed completely.

    `bytes` is the size of the new and changed documents, `seconds` the duration of the run. `code` is the report on the
    code files, None if only documents were indexed.
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
    code: CodeReport | None = None

    @property
    def changed(self) -> bool:
        """Did the run change the index?"""
        in_code = self.code is not None and self.code.changed
        return in_code or bool(self.added or self.updated or self.removed or self.renamed or self.relabelled)


@frozen
class Indexer:
    """Indexes the documents of one project. `refresh` updates links and ranks after a run with changes."""

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
        """Indexes new and changed files, removes deleted ones and recognises renamed ones.

        `paths` limits the run to some files and folders. A file with unchanged size and time is not read, unless
        `rehash`. Each batch is one transaction: after a kill the next run continues where this one stopped.
        """
        begun = time.perf_counter()
        within = [self.library.inside(path) for path in paths or ()]
        found = self.discover(within)
        known = self.library.documents.stats(self.library.project)
        reader = FileReader(self.library.root, self.library.project, self.library.now(), self.largest, self.library.ids)
        run = _Run(self.library, self.links, reader, found, known, within)
        run.read(run.candidates(rehash), progress)
        run.finish()
        # Unread documents are left by a run that was killed before it could refresh.
        if run.report(0).changed or self.links.unread(self.library.project, 1):
            self.refresh()
        return run.report(time.perf_counter() - begun)

    def discover(self, within: Sequence[str] = ()) -> Discovered:
        """Finds the documents on disk without reading them; `within` are paths relative to the project."""
        return discover(self.library.root, self.rules, within, self.largest)


class _Run:
    """The state of one run: indexed documents, files on disk, pending writes and counts."""

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
        self._gone_by_content = _by_content(self._gone)
        self._batch: list[tuple[PreparedDocument, Sequence[Reference]]] = []
        self._restat: dict[str, tuple[int, int]] = {}
        self._relabel: dict[str, tuple[str | None, str | None]] = {}
        self._problems = [*found.problems, *(_missing(path) for path in within if not self._exists(path))]
        self._done: Counter[str] = Counter()
        self._has_written = False

    def candidates(self, rehash: bool) -> list[DiscoveredFile]:
        """Returns the files that may have changed and must be read; counts the others as unchanged."""
        candidates = []
        for file in self._found.files.values():
            stat = self._known.get(file.path)
            if stat is None or rehash or (stat.size, stat.mtime_ns) != (file.size, file.mtime_ns):
                candidates.append(file)
            else:
                self._count_unchanged(file, stat)
        return sorted(candidates)

    def read(self, files: Sequence[DiscoveredFile], progress: Progress) -> None:
        """Reads files and stores new and changed documents, batch by batch."""
        hashes = {self._known[path].hash for path in (*self._gone, *(f.path for f in files)) if path in self._known}
        for done, reading in enumerate(read_all(self._reader, files, hashes)):
            progress(done, len(files), reading.file.path)
            self._handle(reading)
            size = sum(prepared.document.bytes for prepared, _ in self._batch)
            if len(self._batch) >= _BATCH_FILES or size >= _BATCH_BYTES:
                self._write()
        if self._batch:
            self._write()

    def finish(self) -> None:
        """Removes deleted documents that were not renamed, and writes changed times and labels."""
        documents, project = self._library.documents, self._library.project
        if self._gone:
            self._done["removed"] += documents.remove_all(project, list(self._gone))
        if self._restat:
            documents.restat(project, self._restat)
        if self._relabel:
            self._done["relabelled"] += documents.relabel(project, self._relabel)

    def report(self, seconds: float) -> IndexReport:
        problems = sorted(self._problems, key=attrgetter("order"))
        counts: dict[str, Any] = dict(self._done)
        return IndexReport(**counts, problems=tuple(problems), seconds=seconds)

    def _is_gone(self, path: str, stat: FileStat, within: Sequence[str]) -> bool:
        """Was the document's file deleted? A document that was added as a text has no `mtime_ns` and is kept.

        Code is indexed by itself (`code_files`).
        """
        if stat.label == CODE_LABEL:
            return False
        hidden = any(is_within(path, [folder]) for folder in self._found.unseen)
        return path not in self._found.files and stat.mtime_ns is not None and is_within(path, within) and not hidden

    def _exists(self, path: str) -> bool:
        """Does the path exist, or was it indexed? A path named by mistake is reported."""
        on_disk = os.path.lexists(os.path.join(self._library.root, path))
        return on_disk or any(is_within(known, [path]) for known in self._known)

    def _handle(self, reading: ParsedFile) -> None:
        file, stat = reading.file, self._known.get(reading.file.path)
        if reading.problem is not None:
            self._problems.append(IndexProblem(file.path, reading.problem))
        if not reading.hash:
            if stat is not None and stat.mtime_ns is not None and not reading.unseen:
                self._gone[file.path] = stat
        elif stat is not None and stat.hash == reading.hash and stat.mtime_ns is not None:
            self._restat[file.path] = (file.size, self._reader.stamp(file))
            self._count_unchanged(file, stat)
        elif not (stat is None and self._rename(reading)):
            self._put(reading if reading.prepared else self._reader.read(file), "updated" if stat else "added")

    def _count_unchanged(self, file: DiscoveredFile, stat: FileStat) -> None:
        self._done["unchanged"] += 1
        self._label(file, stat)

    def _label(self, file: DiscoveredFile, stat: FileStat) -> None:
        if (stat.label, stat.doc_type) != (file.rule.label, file.rule.doc_type):
            self._relabel[file.path] = (file.rule.label, file.rule.doc_type)

    def _rename(self, reading: ParsedFile) -> bool:
        """Renames a deleted document with the same content, if any; it keeps its id, its usage and its vectors."""
        file = reading.file
        old_paths = self._gone_by_content.get((reading.hash, kind_of(file.path)))
        if not old_paths or not self._library.documents.rename(self._library.project, old_paths[-1], file.path):
            return False
        stat = self._gone.pop(old_paths.pop())
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
        reports = self._library.documents.put_all([(prepared.document, prepared.chunks) for prepared, _ in self._batch])
        written = zip(reports, self._batch, strict=True)
        # A document with chunks hidden by gc stays unread: its references are later read from its visible chunks.
        complete = [(report.document, refs) for report, (prepared, refs) in written if _is_complete(report, prepared)]
        read = [(UnparsedDocument(document.id, document.hash, {}, ""), refs) for document, refs in complete]
        # The first document stays unread until the refresh, so that a run after a kill knows it must refresh.
        self._links.put(self._library.project, read if self._has_written else read[1:])
        self._has_written = True
        self._batch.clear()


def _is_complete(report: DocumentReport, prepared: PreparedDocument) -> bool:
    return report.added + report.kept == len(prepared.chunks)


def _by_content(documents: Mapping[str, FileStat]) -> dict[tuple[str, str | None], list[str]]:
    """Returns paths by the hash of their text and their format; `pop` takes the first by name."""
    paths: dict[tuple[str, str | None], list[str]] = {}
    for path in sorted(documents, reverse=True):
        paths.setdefault((documents[path].hash, kind_of(path)), []).append(path)
    return paths


def _missing(path: str) -> IndexProblem:
    return IndexProblem(path, Reason.of(DocumentCode.MISSING))
