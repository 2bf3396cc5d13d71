"""Documents: files of the project, and the chunks they are split into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Any, NamedTuple

from holdfast.core.errors import InvalidInput
from holdfast.core.frozen import frozen
from holdfast.core.memory import empty_mapping

# The label of the project's own code, which follows its files: it is never cleaned up, and not listed as a document.
CODE_LABEL = "source code"
# Format of a document -> type of its passages.
DOCUMENT_KINDS = {"markdown": "document", "restructured": "document", "text": "document", "code": "code"}


@frozen
class Document:
    """A file as it was when it was last read: markdown, reStructuredText, plain text or source code.

    `path` is relative to the project, with forward slashes. `hash` is the SHA-256 of the text in the file, `bytes` the
    length of that text; `size` and `mtime_ns` are those of the file when it was read. `front` is its front matter or
    header, `status` the status given there. `superseded_by` is the path of its successor. `deprecated` marks a document
    that upkeep excluded from search; it stays excluded until its text changes.
    """

    id: str
    project: str
    path: str
    kind: str
    hash: str
    bytes: int
    indexed_at: datetime
    title: str | None = None
    label: str | None = None
    doc_type: str | None = None
    modified: datetime | None = None
    confidence: float = 0.8
    access_count: int = 0
    last_accessed_at: datetime | None = None
    pagerank: float = 0.0
    redacted: bool = False
    deprecated: bool = False
    mtime_ns: int | None = None
    size: int | None = None
    status: str | None = None
    front: Mapping[str, Any] = field(default_factory=empty_mapping, hash=False)
    superseded_by: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in DOCUMENT_KINDS:
            known = ", ".join(DOCUMENT_KINDS)
            raise InvalidInput(f"a document's kind must be one of {known}, not {self.kind!r}", hint="")

    @property
    def type(self) -> str:
        """The type of its passages: `document` or `code`."""
        return DOCUMENT_KINDS[self.kind]


@frozen
class Chunk:
    """A chunk of a document: its text, its headings and its place in the file.

    `start` and `end` count characters, lines count from 1, in the file as it was read. A placeholder in `text` marks
    a removed secret. `terms` are the search terms of `holdfast.text`, if they are known already. The headings of
    code are the definitions around it, as in `method: Client.get`.
    """

    id: str
    document: str
    ordinal: int
    heading: tuple[str, ...]
    text: str
    start: int
    end: int
    line: int
    end_line: int
    terms: str | None = field(default=None, compare=False, repr=False)
    is_code: bool = field(default=False, compare=False)

    @property
    def hash(self) -> str:
        """Identifies chunks with the same text. Differs from the hash of a document with that text."""
        import hashlib

        return hashlib.sha256(b"chunk\0" + self.text.encode()).hexdigest()


class DocumentChunk(NamedTuple):
    """A chunk and its document."""

    document: Document
    chunk: Chunk

    @property
    def id(self) -> str:
        return self.chunk.id

    @property
    def type(self) -> str:
        return self.document.type

    @property
    def files(self) -> tuple[str, ...]:
        return (self.document.path,)

    @property
    def place(self) -> str:
        """Its place as editors write it: `docs/a.md:12-30`, or `docs/a.md:12`."""
        line, last = self.chunk.line, self.chunk.end_line
        return f"{self.document.path}:{line}" + (f"-{last}" if last > line else "")


class FileStat(NamedTuple):
    """The state of an indexed file: enough to tell without reading it whether it changed."""

    id: str
    size: int | None
    mtime_ns: int | None
    hash: str
    label: str | None
    doc_type: str | None


@frozen
class DocumentReport:
    """The result of storing a document: how many chunks were added, kept and removed."""

    document: Document
    added: int
    kept: int
    removed: int


class RestoredDocuments(NamedTuple):
    """The result of undoing a cleaning run. Chunks and documents that changed since are not restored."""

    run: str
    at: datetime
    chunks: int
    documents: int
