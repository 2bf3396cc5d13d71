"""Updates the code graph of a project from its files: reads what changed and resolves what depends on it."""

from __future__ import annotations

import gc
import hashlib
import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from holdfast.codegraph import new_files
from holdfast.codegraph.changed_names import DECLARATIONS, changed_names
from holdfast.codegraph.code_files import LARGEST, FoundCode, FoundFile, discover_code, is_within
from holdfast.codegraph.code_reasons import UNREAD, CodeGraphCode
from holdfast.codegraph.code_records import FileRecord
from holdfast.codegraph.encoding import decode
from holdfast.codegraph.languages import Resolver
from holdfast.codegraph.languages.language_registry import configuration_names, language, language_name
from holdfast.codegraph.moved_lines import moved_lines
from holdfast.codegraph.named_parts import changed_parts
from holdfast.codegraph.read_files import ReadFile, version_of, why_failed
from holdfast.codegraph.read_workers import read_code
from holdfast.codegraph.resolved import resolved_file
from holdfast.codegraph.stored_files import StoredFiles
from holdfast.core.code import CodeFile, CodeReport, FileStamp, ResolvedFile
from holdfast.core.errors import HoldfastError
from holdfast.core.frozen import frozen
from holdfast.system.files import read_file as read_bytes

if TYPE_CHECKING:
    from holdfast.store.writing.graph import GraphWriting

# The size of one transaction: small, so that other writers wait little and a killed process loses little.
_BATCH = 200
_COLLECT_AFTER = 50_000

Progress = Callable[[int, int, str], None]


@frozen
class CodeIndexer:
    """Indexes the code of one project, without files that match a pattern of `ignored`.

    `finish` is called after a run over the whole project, with a function for its progress. It returns what happened to
    memories, as counts by verb.
    """

    graph: GraphWriting
    now: Callable[[], datetime]
    project: str
    root: str
    ignored: Sequence[str] = ()
    finish: Callable[[Progress], Mapping[str, int]] = lambda progress: {}

    def run(
        self,
        within: Sequence[str] = (),
        rehash: bool = False,
        progress: Progress = lambda done, total, path: None,
    ) -> CodeReport:
        """Reads new and changed files, removes deleted ones, and resolves everything that depends on a change.

        `within` limits reading to some files and folders. A file with unchanged size and time is not read, unless
        `rehash`. After a kill the next run continues where this one stopped.
        """
        begun, listed_at = time.perf_counter(), new_files.begin()
        with _rare_collection():
            run = _CodeRun(self, discover_code(self.root, within, self.ignored), within)
            run.remove()
            run.read(rehash, progress)
            run.configure()
            run.resolve(progress)
            if not within:
                run.keep_folders(listed_at)
        memories = self.finish(progress) if not within else {}
        return run.report(time.perf_counter() - begun, memories)

    def find(self, within: Sequence[str]) -> tuple[str, ...]:
        """The code files of the project within some files and folders, without reading them."""
        return tuple(discover_code(self.root, within, self.ignored).files) if within else ()

    def count_files(self) -> int:
        """The number of code files of the project, without reading them."""
        return len(discover_code(self.root, (), self.ignored).files)

    def snapshot(self) -> dict[str, object]:
        """Returns all files that matter, each with a value that reveals a change."""
        found = discover_code(self.root, (), self.ignored)
        return {**found.files, **{path: _stat(self.root, path) for path in found.configuration}}


class _CodeRun:
    """The state of one run."""

    def __init__(self, indexer: CodeIndexer, found: FoundCode, within: Sequence[str]) -> None:
        self._graph = indexer.graph
        self._indexer = indexer
        self._project = indexer.project
        self._found = found
        self._within = tuple(within)
        self._known = dict(self._graph.stamps(self._project))
        self._skipped: dict[str, CodeGraphCode] = dict(found.skipped)
        self._done: Counter[str] = Counter()
        self._texts: dict[str, str | None] = {}

    def remove(self) -> None:
        """Removes the files that no longer exist."""
        self._remove([path for path in self._known if path not in self._found.files and is_within(path, self._within)])

    def read(self, rehash: bool, progress: Progress) -> None:
        """Reads the files that may have changed and stores those that did, batch by batch."""
        changed = [file for file in self._found.files.values() if rehash or self._may_have_changed(file)]
        self._done["unchanged"] = len(self._found.files) - len(changed)
        # Contents that are stored under the same path and made by the same version need not be parsed again.
        stamps = ((file.path, self._known.get(file.path)) for file in changed)
        known = {stamp.hash for path, stamp in stamps if stamp is not None and self._is_current(path, stamp)}
        batch: list[CodeFile] = []
        for done, read in enumerate(read_code(self._indexer.root, changed, known)):
            progress(done, len(changed), read.file.path)
            self._take(read, batch)
            if len(batch) >= _BATCH:
                self._put(batch)
        self._put(batch)

    def configure(self) -> None:
        """Makes everything stale that resolves differently because a configuration file changed."""
        hash = hashlib.blake2b(digest_size=16)
        for path in sorted(self._found.configuration):
            hash.update(f"{path}\0".encode())
            hash.update((self._text(path) or "").encode() + b"\0")
        known, new = self._graph.configuration(self._project), hash.hexdigest()
        if known != new:
            if known:
                self._graph.invalidate(self._project)
            self._graph.configure(self._project, new)

    def resolve(self, progress: Progress) -> None:
        """Resolves all stale files, also those that an earlier run left.

        A file that cannot be resolved is left out, and those that depend on it are resolved again.
        """
        stale = self._graph.stale(self._project)
        failed: dict[str, CodeGraphCode] = {}
        files = StoredFiles(self._known.keys(), partial(self._graph.record, self._project), self._text)
        batch: list[ResolvedFile] = []
        resolvers: dict[str, Resolver] = {}
        for done, path in enumerate(stale):
            progress(done, len(stale), path)
            name = language_name(path)
            if name is None:
                continue
            resolver = resolvers.get(name) or resolvers.setdefault(name, language(name).resolver(files))
            try:
                batch.append(resolved_file(files, resolver.resolve(path)))
            except HoldfastError:
                raise
            except Exception as error:  # noqa: BLE001 # Why: one hostile file must not keep the others out.
                failed[path] = why_failed(error)
            if len(batch) >= _BATCH:
                self._settle(batch)
        self._settle(batch)
        if failed:
            self._skipped |= failed
            self._remove(failed)
            self.resolve(progress)

    def keep_folders(self, listed_at: int) -> None:
        """Keeps where files were found, so that new ones are noticed."""
        self._graph.keep_folders(self._project, new_files.listing(self._indexer.root, self._found.listed, listed_at))

    def report(self, seconds: float, memories: Mapping[str, int]) -> CodeReport:
        skipped = Counter(str(why) for why in self._skipped.values())
        return CodeReport(
            **self._done,
            files=len(self._known),
            skipped=dict(sorted(skipped.items())),
            unread={path: str(why) for path, why in sorted(self._skipped.items()) if why in UNREAD},
            seconds=seconds,
            memories=memories,
        )

    def _text(self, path: str) -> str | None:
        """Returns the text of a configuration file; a resolver may ask for one in every folder."""
        if path not in self._texts:
            exists = path in self._found.configuration or path.rpartition("/")[2] not in configuration_names()
            self._texts[path] = read_text(self._indexer.root, path) if exists else None
        return self._texts[path]

    def _take(self, read: ReadFile, batch: list[CodeFile]) -> None:
        path, stamp = read.file.path, self._known.get(read.file.path)
        if read.skipped is not None:
            self._skipped[path] = read.skipped
            if stamp is not None:
                self._remove([path])
        elif stamp is not None and stamp.hash == read.hash and self._is_current(path, stamp):
            moved = stamp._replace(size=read.file.size, mtime_ns=read.file.mtime_ns)
            self._graph.restat(self._project, {path: moved})
            self._done["unchanged"] += 1
        else:
            code = read.code or next(read_code(self._indexer.root, [read.file], ())).code
            if code is not None:
                self._done["updated" if stamp is not None else "added"] += 1
                if not self._move(code):
                    batch.append(code)

    def _move(self, code: CodeFile) -> bool:
        """Stores a file whose code only moved, and returns whether this is so."""
        stamp = self._known.get(code.path)
        if stamp is None or stamp.interface != code.stamp.interface or not self._is_current(code.path, stamp):
            return False
        before = self._stored(code.path)
        lines = moved_lines(before, decode(code.record)) if before is not None else None
        if lines is None:
            return False
        self._graph.move(self._project, code, lines)
        self._known[code.path] = code.stamp
        return True

    def _put(self, batch: list[CodeFile]) -> None:
        if batch:
            new = [file.path for file in batch if file.path not in self._known]
            names = changed_names(new, self._known.keys())
            for file in batch:
                names |= self._changed_parts(file)
            self._graph.put(self._project, batch, names)
            self._known.update((file.path, file.stamp) for file in batch)
            batch.clear()

    def _changed_parts(self, file: CodeFile) -> set[str]:
        """Returns the lookups in a file that have another result now.

        A new file matters to those that looked for its path, and a new declaration file to all others.
        """
        stamp = self._known.get(file.path)
        if stamp is None:
            is_seen = file.path.endswith(DECLARATIONS)
            return changed_parts(file.path, None, decode(file.record)) if is_seen else set()
        # Everything that an older version read is read again, and so resolved again.
        if stamp.interface == file.stamp.interface or not self._is_current(file.path, stamp):
            return set()
        return changed_parts(file.path, self._stored(file.path), decode(file.record))

    def _remove(self, paths: Collection[str]) -> None:
        if paths:
            names: set[str] = set()
            for path in paths:
                if self._is_current(path, self._known.pop(path)):
                    names |= changed_parts(path, self._stored(path), None)
            names |= changed_names(paths, self._known.keys())
            self._graph.remove(self._project, paths, names)
            self._done["removed"] += len(paths)

    def _stored(self, path: str) -> FileRecord | None:
        record = self._graph.record(self._project, path)
        return decode(record) if record is not None else None

    def _settle(self, batch: list[ResolvedFile]) -> None:
        if batch:
            self._graph.resolve(self._project, batch, self._indexer.now())
            self._done["resolved"] += len(batch)
            batch.clear()

    def _may_have_changed(self, file: FoundFile) -> bool:
        stamp = self._known.get(file.path)
        return (
            stamp is None
            or (stamp.size, stamp.mtime_ns) != (file.size, file.mtime_ns)
            or not self._is_current(file.path, stamp)
        )

    @staticmethod
    def _is_current(path: str, stamp: FileStamp) -> bool:
        """Was a file read as it would be now?"""
        name = language_name(path)
        return name is not None and version_of(name) == stamp.version


@contextmanager
def _rare_collection() -> Iterator[None]:
    """Collects garbage more rarely: indexing makes millions of values without cycles, and keeps many of them."""
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], _COLLECT_AFTER), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _stat(root: str, path: str) -> tuple[int, int] | None:
    try:
        status = os.lstat(os.path.join(root, path))
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def read_text(root: str, path: str, most: int = 200_000) -> str | None:
    """Returns the start of a text file of the project, or None if it cannot be read. Links are not followed."""
    try:
        return read_bytes(os.path.join(root, path), LARGEST).decode("utf-8", "replace")[:most]
    except OSError:
        return None
