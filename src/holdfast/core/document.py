"""A text that lies in a file of the project, and the pieces it is cut into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from holdfast.core.errors import InvalidInput
from holdfast.core.memory import nothing

# What a document is written in, and the type under which its pieces are found.
DOCUMENT_KINDS = {"markdown": "document", "restructured": "document", "text": "document", "code": "code"}
DOCUMENT_PASSAGE_TYPES = ("document", "code")


@dataclass(frozen=True, slots=True)
class Document:
    """A file as it was when it was last read: markdown, reStructuredText, plain text or source code.

    `path` is relative to the project, with forward slashes; `hash` is the SHA-256 of the text as it stood in the
    file, `size` and `mtime_ns` what the file system said of it then. `front` is its front matter or header, `status`
    what that says it is. `superseded_by` is the path of its successor. `deprecated` marks what upkeep took out of
    sight; it stays so while the text is the same.
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
    front: Mapping[str, Any] = field(default_factory=nothing, hash=False)
    superseded_by: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in DOCUMENT_KINDS:
            known = ", ".join(DOCUMENT_KINDS)
            raise InvalidInput(f"a document's kind is one of {known}; not {self.kind!r}", hint="Name one of them.")

    @property
    def type(self) -> str:
        """The type under which its pieces are found: `document` or `code`."""
        return DOCUMENT_KINDS[self.kind]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document: what it says, under which headings, and where in the file it stands.

    `start` and `end` count characters, lines count from 1, all in the file as it was read. Where a secret was left
    out, `text` says so in its place. `terms` are what `store.text` makes of it, where that was done already.
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

    @property
    def hash(self) -> str:
        """By which a chunk is known to say the same. Never that of a whole text."""
        import hashlib

        return hashlib.sha256(b"chunk\0" + self.text.encode()).hexdigest()


class DocumentChunk(NamedTuple):
    """A chunk and the document it is a piece of."""

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
        """Where it stands, as editors and people name it: `docs/a.md:12-30`, or `docs/a.md:12`."""
        line, last = self.chunk.line, self.chunk.end_line
        return f"{self.document.path}:{line}" + (f"-{last}" if last > line else "")


class FileStat(NamedTuple):
    """By what a file is known to be unchanged without reading it, and as what it is kept."""

    id: str
    size: int | None
    mtime_ns: int | None
    hash: str
    label: str | None
    doc_type: str | None


@dataclass(frozen=True, slots=True)
class DocumentReport:
    """What became of a document: how many of its chunks are new, stayed as they were, and went."""

    document: Document
    added: int
    kept: int
    removed: int


class RestoredDocuments(NamedTuple):
    """What came back with a run of cleaning that was undone. What changed or went since is not among it."""

    run: str
    at: datetime
    chunks: int
    documents: int
