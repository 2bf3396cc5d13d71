"""Reads and parses files. A file that cannot be read is reported and never stops the run."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import field
from datetime import UTC, datetime
from typing import NamedTuple

from holdfast.core.frozen import frozen
from holdfast.core.ids import Ids
from holdfast.core.reason import Reason
from holdfast.documents.document_files import DiscoveredFile
from holdfast.documents.document_reasons import DocumentCode
from holdfast.documents.document_references import Reference, references
from holdfast.documents.index_rules import kind_of
from holdfast.documents.prepare import DocumentInfo, PreparedDocument, hash_of, prepare
from holdfast.intake.junk import why_unreadable
from holdfast.system.files import NO_LINK

# A file that changed this recently may change again without a new time stamp, because file systems round times.
_RECENT_NS = 2_000_000_000


class ParsedFile(NamedTuple):
    """The result of reading a file: its hash and, unless that hash was known, the document and its references.

    The hash is empty if the file could not be read. `unseen` means that it may be readable later, so its document is
    kept.
    """

    file: DiscoveredFile
    hash: str = ""
    prepared: PreparedDocument | None = None
    references: tuple[Reference, ...] = ()
    problem: Reason | None = None
    unseen: bool = False


@frozen
class FileReader:
    """Reads the files of a project. `moment` is the time of the run, `largest` the limit in bytes; 0 means none."""

    root: str
    project: str
    moment: datetime
    largest: int = 0
    ids: Ids = field(default_factory=Ids)

    def read(self, file: DiscoveredFile, known: Collection[str] = ()) -> ParsedFile:
        """Reads one file, and parses it unless its hash is among the `known`."""
        try:
            data = self._bytes(file)
        except FileNotFoundError:
            return ParsedFile(file, problem=Reason.of(DocumentCode.VANISHED))
        except OSError as error:
            return ParsedFile(file, problem=Reason.of(DocumentCode.UNREADABLE, error=error.strerror), unseen=True)
        if self.largest and len(data) > self.largest:
            return ParsedFile(file, problem=Reason.of(DocumentCode.GREW, limit=self.largest))
        text, damaged = _decode(data)
        digest = hash_of(text)
        if digest in known:
            return ParsedFile(file, digest)
        try:
            return self._parse(file, text, digest, damaged)
        except (ValueError, RecursionError, OverflowError) as error:  # One strange file must not end the run.
            what = f"{type(error).__name__}: {error}"[:200]
            return ParsedFile(file, problem=Reason.of(DocumentCode.UNREADABLE, error=what))

    def stamp(self, file: DiscoveredFile) -> int:
        """Returns the time to store for a file: 0, which no file has, if a later change might not alter its time."""
        return 0 if file.mtime_ns > self.moment.timestamp() * 1e9 - _RECENT_NS else file.mtime_ns

    def _bytes(self, file: DiscoveredFile) -> bytes:
        # O_NOFOLLOW: since it was discovered, the file may have been replaced by a link out of the project.
        # Or by a pipe, which would block for ever.
        flags = os.O_RDONLY | NO_LINK | getattr(os, "O_NONBLOCK", 0)
        with os.fdopen(os.open(os.path.join(self.root, file.path), flags), "rb") as opened:
            return opened.read(self.largest + 1 if self.largest else -1)

    def _parse(self, file: DiscoveredFile, text: str, digest: str, damaged: Reason | None) -> ParsedFile:
        if unreadable := why_unreadable(text):
            return ParsedFile(file, problem=unreadable)
        modified = datetime.fromtimestamp(file.mtime_ns / 1e9, UTC)
        stored = (None, file.rule.label, file.rule.doc_type, modified, file.size, self.stamp(file))
        about = DocumentInfo(self.project, file.path, kind_of(file.path) or "text", self.moment, *stored)
        prepared = prepare(text, about, self.ids, digest)
        visible = "\n".join(chunk.text for chunk in prepared.chunks)
        refers = references(visible, prepared.document.front)
        return ParsedFile(file, digest, prepared, refers, damaged or prepared.problem)


def _decode(data: bytes) -> tuple[str, Reason | None]:
    """Decodes UTF-8. Invalid bytes are replaced and reported."""
    try:
        return data.decode("utf-8-sig"), None
    except UnicodeDecodeError as error:
        text = data.decode("utf-8-sig", errors="replace")
        return text, Reason.of(DocumentCode.NOT_UTF8, byte=error.start + 1)
