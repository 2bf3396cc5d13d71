"""Keeps the code of a project searchable: each file is a document with a label of its own, cut at its definitions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol

from holdfast.core.document import CODE_LABEL
from holdfast.core.frozen import frozen
from holdfast.documents.chunk import ChunkSpan, chunk_code
from holdfast.documents.prepare import DocumentInfo, PreparedDocument, prepare
from holdfast.intake.junk import why_unreadable

if TYPE_CHECKING:
    from holdfast.core.code import CodeSpan, CodeText
    from holdfast.core.document import FileStat
    from holdfast.documents.library import Library

# The size of one transaction: small, so that other writers wait little and a killed process loses little.
_BATCH_FILES, _BATCH_CHARACTERS = 100, 1_000_000

Progress = Callable[[int, int, str], None]


class CodeFiles(Protocol):
    """The code of a project. The container passes it in; codegraph implements it."""

    def files(self) -> Mapping[str, tuple[int, int]]:
        """Returns the size and time of every file, by path."""
        ...

    def read(self, path: str) -> CodeText | None:
        """Reads a file; None if it is no readable code."""
        ...


@frozen
class CodeDocuments:
    """Stores the chunks of one project's code as passages."""

    library: Library
    code: CodeFiles

    def refresh(self, progress: Progress = lambda done, total, path: None) -> int:
        """Stores new and changed files and removes deleted ones; returns how many. A renamed file keeps its vectors.

        After a kill the next run continues where this one stopped.
        """
        run = _CodeRefresh(self.library, self.code)
        return run.store(progress) + run.remove()

    def clear(self) -> int:
        """Removes all code from the searchable passages; returns the number of files."""
        return self.library.documents.remove_all(self.library.project, list(_stored(self.library)))


class _CodeRefresh:
    """The state of one run."""

    def __init__(self, library: Library, code: CodeFiles) -> None:
        self._library = library
        self._code = code
        self._files = code.files()
        self._known = _stored(library)
        self._gone = {stat.hash: path for path, stat in self._known.items() if path not in self._files}

    def store(self, progress: Progress) -> int:
        """Stores the files that changed, batch by batch."""
        changed = [path for path, stamp in self._files.items() if self._may_have_changed(path, stamp)]
        batch: list[PreparedDocument] = []
        stored = 0
        for done, path in enumerate(changed):
            progress(done, len(changed), path)
            prepared = self._prepared(path)
            batch += [prepared] if prepared else []
            size = sum(one.document.bytes for one in batch)
            if len(batch) >= _BATCH_FILES or size >= _BATCH_CHARACTERS or done == len(changed) - 1:
                self._library.documents.put_all([(one.document, one.chunks) for one in batch])
                stored += len(batch)
                batch = []
        return stored

    def remove(self) -> int:
        """Removes the files that no longer exist."""
        gone = list(self._gone.values())
        return self._library.documents.remove_all(self._library.project, gone) if gone else 0

    def _prepared(self, path: str) -> PreparedDocument | None:
        code, stat = self._code.read(path), self._known.get(path)
        if code is None or why_unreadable(code.text):
            if stat is not None:
                self._gone[stat.hash] = path
            return None
        documents, project = self._library.documents, self._library.project
        if stat is not None and stat.hash == code.hash:
            documents.restat(project, {path: (code.size, code.mtime_ns)})
            return None
        old = self._gone.get(code.hash) if stat is None else None
        if old is not None and documents.rename(project, old, path):
            del self._gone[code.hash]
            documents.restat(project, {path: (code.size, code.mtime_ns)})
            return None
        return self._document(code)

    def _document(self, code: CodeText) -> PreparedDocument:
        modified = datetime.fromtimestamp(code.mtime_ns / 1e9, UTC)
        stored = (None, CODE_LABEL, None, modified, code.size, code.mtime_ns)
        about = DocumentInfo(self._library.project, code.path, "code", self._library.now(), *stored)

        def cut(clean: str) -> Sequence[ChunkSpan]:
            # A removed secret of several lines moves the lines below it.
            moved = clean.count("\n") != code.text.count("\n")
            return chunk_code(clean) if code.spans is None or moved else spans_of(clean, code.spans)

        return prepare(code.text, about, self._library.ids, code.hash, cut)

    def _may_have_changed(self, path: str, stamp: tuple[int, int]) -> bool:
        stat = self._known.get(path)
        return stat is None or (stat.size, stat.mtime_ns) != stamp


def spans_of(text: str, spans: Sequence[CodeSpan]) -> tuple[ChunkSpan, ...]:
    """Converts spans of lines to spans of characters, without blank lines at both ends."""
    lines = [f"{line}\n" for line in text.split("\n")]
    starts = [0, *accumulate(map(len, lines))]
    found = []
    for span in spans:
        first, last = min(span.line - 1, len(lines)), min(span.end_line, len(lines))
        while first < last and not lines[first].strip():
            first += 1
        end = starts[last] - _blank_end(text, starts[first], starts[last])
        if starts[first] < end:
            found.append(ChunkSpan(starts[first], end, span.heading))
    return tuple(found)


def _blank_end(text: str, start: int, end: int) -> int:
    return (end - start) - len(text[start:end].rstrip())


def _stored(library: Library) -> dict[str, FileStat]:
    """The indexed code files. Code that was added as a text has no label and is left alone."""
    known = library.documents.stats(library.project)
    return {path: stat for path, stat in known.items() if stat.label == CODE_LABEL}
