"""Makes a text ready to be kept as a document: without secrets, cut into pieces that know their exact place."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from holdfast.core.document import Chunk, Document
from holdfast.core.errors import InvalidInput
from holdfast.documents.chunk import LONGEST_HEADING, ChunkSpan, chunk_code, chunk_markdown, chunk_text, line_numbers
from holdfast.documents.front_matter import FrontMatter, read_front
from holdfast.documents.rst import chunk_restructured
from holdfast.intake.junk import why_unreadable
from holdfast.intake.secrets import redact, scan
from holdfast.text.words import piece_terms

if TYPE_CHECKING:
    from holdfast.core.admission import Redaction
    from holdfast.core.ids import Ids

_CUTTERS: dict[str, Callable[[str], tuple[ChunkSpan, ...]]] = {
    "markdown": chunk_markdown,
    "restructured": chunk_restructured,
    "text": chunk_text,
    "code": chunk_code,
}


class DocumentInfo(NamedTuple):
    """What is known of a text beside what it says: where it lies, what it is written in, when it was read."""

    project: str
    path: str
    kind: str
    indexed_at: datetime
    title: str | None = None
    label: str | None = None
    doc_type: str | None = None
    modified: datetime | None = None
    size: int | None = None
    mtime_ns: int | None = None


class PreparedDocument(NamedTuple):
    """A document and its pieces, ready to be kept, and what could not be read of its front matter."""

    document: Document
    chunks: list[Chunk]
    problem: str = ""


def prepare(text: str, about: DocumentInfo, ids: Ids, digest: str = "") -> PreparedDocument:
    """The document of a text. Raises InvalidInput for what is no text. `digest` is its hash, where it is known."""
    unreadable = why_unreadable(text)
    if unreadable:
        raise InvalidInput(f"{about.path}: {unreadable}", hint="Only text can be read.")
    clean, redactions = scan(text)
    front = read_front(clean) if about.kind != "code" else FrontMatter()
    # Why also for a kind that nobody knows: the document below says what is wrong with it.
    pieces = _titled(_CUTTERS.get(about.kind, chunk_text)(clean), front.title)
    title = redact(about.title) if about.title else front.title or _first_heading(about.kind, pieces)
    document = Document(
        id=ids.document(),
        hash=digest or hash_of(text),
        bytes=len(text) if text.isascii() else len(text.encode()),
        redacted=bool(redactions),
        status=front.status,
        front=front.fields,
        **about._replace(title=title[:LONGEST_HEADING] if title else None)._asdict(),
    )
    placed = _in_original(pieces, redactions)
    return PreparedDocument(document, list(_chunks(about.path, text, clean, placed, ids)), front.problem)


def hash_of(text: str) -> str:
    """By which a text is known to be unchanged."""
    return hashlib.sha256(text.encode()).hexdigest()


def _titled(pieces: Sequence[ChunkSpan], title: str | None) -> Sequence[ChunkSpan]:
    """The pieces with the title that stands before the text as their first heading, unless it is that already."""
    if not title:
        return pieces
    first = title[:LONGEST_HEADING]
    return [p if p.heading[:1] == (first,) else ChunkSpan(p.start, p.end, (first, *p.heading)) for p in pieces]


def _first_heading(kind: str, pieces: Sequence[ChunkSpan]) -> str | None:
    """What a text without a title calls itself. The headings of code are definitions, and name only a part of it."""
    return None if kind == "code" else next((piece.heading[0] for piece in pieces if piece.heading), None)


def _chunks(
    path: str, text: str, clean: str, pieces: Sequence[tuple[ChunkSpan, int, int]], ids: Ids
) -> Iterator[Chunk]:
    lines = line_numbers(text, (at for _, start, end in pieces for at in (start, end - 1)))
    for ordinal, (piece, start, end) in enumerate(pieces):
        said = clean[piece.start : piece.end]
        place = (start, end, next(lines), next(lines))
        yield Chunk(ids.chunk(), path, ordinal, piece.heading, said, *place, piece_terms(said, piece.heading, path))


def _in_original(pieces: Sequence[ChunkSpan], redactions: Sequence[Redaction]) -> list[tuple[ChunkSpan, int, int]]:
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
