"""Keeps documents: without secrets, cut into pieces that know their exact place in the file."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.document import Chunk, Document, DocumentReport
from holdfast.core.errors import InvalidInput
from holdfast.core.project import relative
from holdfast.documents.chunk import Lines, Piece, chunk_code, chunk_markdown, chunk_text, title_of
from holdfast.intake.junk import why_unreadable
from holdfast.intake.secrets import redact, scan

if TYPE_CHECKING:
    from holdfast.core.admission import Redaction
    from holdfast.core.ids import Ids
    from holdfast.store.writing.documents import DocumentWriting

_CUTTERS: dict[str, Callable[[str], tuple[Piece, ...]]] = {
    "markdown": chunk_markdown,
    "text": chunk_text,
    "code": chunk_code,
}


@dataclass(frozen=True, slots=True)
class Library:
    """The documents of one project."""

    documents: DocumentWriting
    ids: Ids
    now: Callable[[], datetime]
    project: str
    root: str

    def add(
        self,
        path: str,
        text: str,
        kind: str = "markdown",
        *,
        title: str | None = None,
        label: str | None = None,
        doc_type: str | None = None,
        modified: datetime | None = None,
    ) -> DocumentReport:
        """Puts a text in the place of what was known at its path. Raises InvalidInput for what is no text."""
        unreadable = why_unreadable(text)
        if unreadable:
            raise InvalidInput(f"{path}: {unreadable}", hint="Only text can be read.")
        clean, redactions = scan(text)
        document = Document(
            id=self.ids.document(),
            project=self.project,
            path=self.inside(path),
            kind=kind,
            hash=hash_of(text),
            bytes=len(text.encode()),
            indexed_at=self.now(),
            title=redact(title) if title else None,
            label=label,
            doc_type=doc_type,
            modified=modified,
            redacted=bool(redactions),
        )
        pieces = _CUTTERS[kind](clean)
        if kind == "markdown" and not title:
            document = replace(document, title=title_of(clean, pieces))
        placed = _in_original(pieces, redactions)
        return self.documents.put(document, list(self._chunks(document.path, text, clean, placed)))

    def remove(self, path: str) -> int | None:
        """Takes a document out; returns how many pieces it had, or None where none was known."""
        return self.documents.remove(self.project, self.inside(path))

    def inside(self, path: str) -> str:
        """The path as the project writes it."""
        inside = relative(path, self.root)
        if inside is None:
            raise InvalidInput(f"{path} lies outside the project {self.root}", hint="Name a file of the project.")
        return inside

    def _chunks(self, path: str, text: str, clean: str, pieces: Sequence[tuple[Piece, int, int]]) -> Iterator[Chunk]:
        lines = Lines(text)
        for ordinal, (piece, start, end) in enumerate(pieces):
            said = clean[piece.start : piece.end]
            place = (start, end, lines.number(start), lines.number(end - 1))
            yield Chunk(self.ids.chunk(), path, ordinal, piece.heading, said, *place)


def hash_of(text: str) -> str:
    """By which a text is known to be unchanged."""
    return hashlib.sha256(text.encode()).hexdigest()


def _in_original(pieces: Sequence[Piece], redactions: Sequence[Redaction]) -> list[tuple[Piece, int, int]]:
    """Each piece with where it starts and ends in the text as it was before secrets were taken out."""
    if not redactions:
        return [(piece, piece.start, piece.end) for piece in pieces]
    return [(p, _before(p.start, redactions, 0), _before(p.end, redactions, 1)) for p in pieces]


def _before(offset: int, redactions: Sequence[Redaction], side: int) -> int:
    """An offset in the text without secrets, as an offset in the text with them.

    Inside a placeholder it is the secret's start or, for side 1, its end.
    """
    grown = 0
    for redaction in redactions:
        start = redaction.start + grown
        end = start + len(redaction.placeholder)
        if offset <= start:
            break
        if offset < end:
            return redaction.start + side * redaction.length
        grown += len(redaction.placeholder) - redaction.length
    return offset - grown
