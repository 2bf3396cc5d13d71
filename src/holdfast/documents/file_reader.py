"""Reads files and makes them ready to be kept; what cannot be read says why, and never stops the others."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from holdfast.core.errors import InvalidInput
from holdfast.core.ids import Ids
from holdfast.documents.discover import DiscoveredFile
from holdfast.documents.prepare import DocumentInfo, PreparedDocument, hash_of, prepare
from holdfast.documents.references import Reference, references
from holdfast.documents.rules import kind_of

# A file that changed less than this before it was read may change again without its time telling.
_RECENT_NS = 2_000_000_000


class ParsedFile(NamedTuple):
    """What came of reading a file: its hash, and the document and what it refers to, unless that hash was known.

    Without a hash it could not be read. `unseen`: it may well be readable another time, so what was known stays.
    """

    file: DiscoveredFile
    hash: str = ""
    prepared: PreparedDocument | None = None
    references: tuple[Reference, ...] = ()
    problem: str = ""
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class FileReader:
    """Reads the files of a project as they are at a moment. `largest` bounds the bytes of one; 0: no bound."""

    root: str
    project: str
    moment: datetime
    largest: int = 0
    ids: Ids = field(default_factory=Ids)

    def read(self, file: DiscoveredFile, known: Collection[str] = ()) -> ParsedFile:
        """One file. It is not made ready where its hash is among the `known`."""
        try:
            data = self._bytes(file)
        except FileNotFoundError:
            return ParsedFile(file, problem="it went away while it was read")
        except OSError as error:
            return ParsedFile(file, problem=f"it cannot be read ({error.strerror})", unseen=True)
        if self.largest and len(data) > self.largest:
            return ParsedFile(
                file, problem=f"it grew beyond {self.largest:,} bytes (index_max_bytes) while it was read"
            )
        text, damaged = _decoded(data)
        digest = hash_of(text)
        return ParsedFile(file, digest) if digest in known else self._made_ready(file, text, digest, damaged)

    def stamp(self, file: DiscoveredFile) -> int:
        """The time to keep for a file: 0, which no file has, where its own cannot tell whether it changes again."""
        return 0 if file.mtime_ns > self.moment.timestamp() * 1e9 - _RECENT_NS else file.mtime_ns

    def _bytes(self, file: DiscoveredFile) -> bytes:
        # Why not following: between finding and reading, a file may have been replaced by a link out of the project.
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(os.path.join(self.root, file.path), flags), "rb") as opened:
            return opened.read(self.largest + 1 if self.largest else -1)

    def _made_ready(self, file: DiscoveredFile, text: str, digest: str, damaged: str) -> ParsedFile:
        modified = datetime.fromtimestamp(file.mtime_ns / 1e9, UTC)
        kept = (None, file.rule.label, file.rule.doc_type, modified, file.size, self.stamp(file))
        about = DocumentInfo(self.project, file.path, kind_of(file.path) or "text", self.moment, *kept)
        try:
            prepared = prepare(text, about, self.ids, digest)
        except InvalidInput as error:
            return ParsedFile(file, problem=error.detail.removeprefix(f"{file.path}: "))
        said = "\n".join(chunk.text for chunk in prepared.chunks)
        refers = references(said, prepared.document.front)
        return ParsedFile(file, digest, prepared, refers, damaged or prepared.problem)


def _decoded(data: bytes) -> tuple[str, str]:
    """The text, and what is wrong with it: bytes that are not UTF-8 are each replaced by a mark."""
    try:
        return data.decode("utf-8-sig"), ""
    except UnicodeDecodeError as error:
        text = data.decode("utf-8-sig", errors="replace")
        return text, f"byte {error.start + 1:,} is not UTF-8; such bytes were replaced"
