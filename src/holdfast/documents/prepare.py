"""Turns a text into a document: without secrets, cut into chunks with their exact positions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from holdfast.core.document import Chunk, Document
from holdfast.documents.chunk import LONGEST_HEADING, ChunkSpan, chunk_code, chunk_markdown, chunk_text, line_numbers
from holdfast.documents.front_matter import FrontMatter, read_front
from holdfast.documents.rst import chunk_restructured
from holdfast.intake.secrets import redact, scan
from holdfast.text.words import chunk_terms

if TYPE_CHECKING:
    from holdfast.core.admission import Redaction
    from holdfast.core.ids import Ids
    from holdfast.core.reason import Reason

_CHUNKERS: dict[str, Callable[[str], tuple[ChunkSpan, ...]]] = {
    "markdown": chunk_markdown,
    "restructured": chunk_restructured,
    "text": chunk_text,
    "code": chunk_code,
}


class DocumentInfo(NamedTuple):
    """The fields of a document that do not come from its text: path, format, time of reading and so on."""

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
    """A document and its chunks, ready to be stored, and the problem of its front matter, if any."""

    document: Document
    chunks: list[Chunk]
    problem: Reason | None = None


def prepare(
    text: str,
    about: DocumentInfo,
    ids: Ids,
    digest: str = "",
    cut: Callable[[str], Sequence[ChunkSpan]] | None = None,
) -> PreparedDocument:
    """Builds the document of a readable text (see `why_unreadable`). `digest` is the text's hash, if known.

    `cut` cuts the text without secrets; by default as its format requires.
    """
    clean, redactions = scan(text)
    front = read_front(clean) if about.kind != "code" else FrontMatter()
    # An unknown kind is cut as text here and refused by Document below.
    spans = _titled((cut or _CHUNKERS.get(about.kind, chunk_text))(clean), front.title)
    title = redact(about.title) if about.title else front.title or _first_heading(about.kind, spans)
    document = Document(
        id=ids.document(),
        hash=digest or hash_of(text),
        bytes=len(text) if text.isascii() else len(text.encode()),
        redacted=bool(redactions),
        status=front.status,
        front=front.fields,
        **about._replace(title=title[:LONGEST_HEADING] if title else None)._asdict(),
    )
    placed = _in_original(spans, redactions)
    return PreparedDocument(
        document, list(_chunks(about.path, text, clean, placed, ids, about.kind == "code")), front.problem
    )


def hash_of(text: str) -> str:
    """Returns the hash by which unchanged texts are recognised."""
    return hashlib.sha256(text.encode()).hexdigest()


def _titled(spans: Sequence[ChunkSpan], title: str | None) -> Sequence[ChunkSpan]:
    """Makes the title of the front matter the first heading of every chunk, unless it is already."""
    if not title:
        return spans
    first = title[:LONGEST_HEADING]
    return [s if s.heading[:1] == (first,) else ChunkSpan(s.start, s.end, (first, *s.heading)) for s in spans]


def _first_heading(kind: str, spans: Sequence[ChunkSpan]) -> str | None:
    """Returns the first heading as title; none for code, whose headings are single definitions."""
    return None if kind == "code" else next((span.heading[0] for span in spans if span.heading), None)


def _chunks(
    path: str, text: str, clean: str, placed: Sequence[tuple[ChunkSpan, int, int]], ids: Ids, is_code: bool
) -> Iterator[Chunk]:
    lines = line_numbers(text, (at for _, start, end in placed for at in (start, end - 1)))
    for ordinal, (span, start, end) in enumerate(placed):
        body = clean[span.start : span.end]
        place = (start, end, next(lines), next(lines))
        terms = chunk_terms(body, span.heading, path)
        yield Chunk(ids.chunk(), path, ordinal, span.heading, body, *place, terms, is_code)


def _in_original(spans: Sequence[ChunkSpan], redactions: Sequence[Redaction]) -> list[tuple[ChunkSpan, int, int]]:
    """Returns each span with its start and end in the original text, before secrets were removed."""
    if not redactions:
        return [(span, span.start, span.end) for span in spans]
    return [(s, _original(s.start, redactions, 0), _original(s.end, redactions, 1)) for s in spans]


def _original(offset: int, redactions: Sequence[Redaction], side: int) -> int:
    """Converts an offset in the text without secrets to an offset in the original text.

    An offset inside a placeholder becomes the start of the secret, or its end for side 1.
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
