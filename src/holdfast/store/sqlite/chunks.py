"""The pieces of documents on SQLite: rows to values and back, and the passages by which they are found."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import count
from types import MappingProxyType
from typing import Any

from holdfast.core.clock import unstamp
from holdfast.core.document import Chunk, Document, DocumentChunk
from holdfast.core.memory import EMPTY
from holdfast.store.sqlite.statements import statements
from holdfast.text.bags import bag
from holdfast.text.words import piece_terms


def document_of(row: sqlite3.Row) -> Document:
    """The document of a row."""
    return Document(
        id=row["document_id"],
        project=row["project_id"],
        path=row["path"],
        kind=row["kind"],
        hash=row["content_hash"],
        bytes=row["bytes"],
        indexed_at=unstamp(row["indexed_at"]),
        title=row["title"],
        label=row["label"],
        doc_type=row["doc_type"],
        modified=unstamp(row["modified"]) if row["modified"] else None,
        confidence=row["confidence"],
        access_count=row["access_count"],
        last_accessed_at=unstamp(row["last_accessed_at"]) if row["last_accessed_at"] else None,
        pagerank=row["pagerank"],
        redacted=bool(row["redacted"]),
        deprecated=bool(row["deprecated"]),
        mtime_ns=row["mtime_ns"],
        size=row["size"],
        status=row["status"],
        front=EMPTY if row["front"] == "{}" else MappingProxyType(json.loads(row["front"])),
        superseded_by=row["superseded_by"],
    )


def chunk_of(row: sqlite3.Row, path: str) -> Chunk:
    """The chunk of a row."""
    heading = tuple(json.loads(row["heading"]))
    place = (row["start_at"], row["end_at"], row["line"], row["end_line"])
    return Chunk(row["chunk_id"], path, row["ordinal"], heading, row["text"], *place)


def part_of(row: sqlite3.Row) -> DocumentChunk:
    """The chunk of a row, with its document."""
    return DocumentChunk(document_of(row), chunk_of(row, row["path"]))


def add_chunks(connection: sqlite3.Connection, parts: Sequence[DocumentChunk]) -> None:
    """Keeps chunks and makes them findable. Their words are counted when their vectors are made."""
    _arrive(connection, parts, ("insert_chunks", "insert_chunk_passages", "insert_chunk_files"))


def add_missing_passages(connection: sqlite3.Connection) -> int:
    """Makes every chunk findable that is not; returns how many."""
    sql = statements("documents")
    ids = [row["id"] for row in connection.execute(sql["without_passage"])]
    parts = [part_of(row) for row in connection.execute(sql["chunks"], {"ids": json.dumps(ids)})]
    _arrive(connection, parts, ("insert_chunk_passages", "insert_chunk_files"))
    return len(parts)


def drop(connection: sqlite3.Connection, chunks: Iterable[str]) -> None:
    ids = {"ids": dump(list(chunks))}
    connection.execute(statements("documents")["delete_passages_of"], ids)
    connection.execute(statements("documents")["delete_chunks"], ids)


def chunk_row(document: Document, chunk: Chunk) -> dict[str, Any]:
    return {
        "id": chunk.id,
        "document_id": document.id,
        "ordinal": chunk.ordinal,
        "heading": _headings(chunk.heading),
        "text": chunk.text,
        "start_at": chunk.start,
        "end_at": chunk.end,
        "line": chunk.line,
        "end_line": chunk.end_line,
    }


def put_bags(connection: sqlite3.Connection, numbered: Sequence[tuple[int, DocumentChunk]]) -> None:
    """Counts the words of passages whose vectors stay."""
    bags = [{"passage": number, "bag": bag(_said(part))} for number, part in numbered]
    connection.executemany(statements("writing")["put_bag"], bags)


def _arrive(connection: sqlite3.Connection, parts: Sequence[DocumentChunk], ways: Sequence[str]) -> None:
    """Brings chunks in by statements that each take all of them.

    Why not row by row: the full-text index writes out what it has gathered after each statement.
    """
    if not parts:
        return
    sql = statements("documents")
    # Why numbered here: what speaks of the file needs the number, and asking for it row by row takes as long again.
    last = connection.execute(sql["last_passage"]).fetchone()[0]
    connection.execute(sql["make_arriving"])
    connection.executemany(sql["arrive"], map(_arriving, count(last + 1), parts))
    for way in ways:
        connection.execute(sql[way])
    connection.execute(sql["clear_arriving"])


def _arriving(number: int, part: DocumentChunk) -> tuple[Any, ...]:
    """The columns of `arriving`. Why in order: bound by name, they take half as long again."""
    document, chunk = part
    terms = piece_terms(chunk.text, chunk.heading, document.path) if chunk.terms is None else chunk.terms
    return (
        number,
        document.project,
        document.type,
        document.path,
        document.id,
        chunk.id,
        chunk.ordinal,
        _headings(chunk.heading),
        chunk.text,
        " ".join(chunk.heading),
        terms,
        chunk.start,
        chunk.end,
        chunk.line,
        chunk.end_line,
    )


def _said(part: DocumentChunk) -> str:
    return f"{part.chunk.text} {' '.join(part.chunk.heading)} {part.document.path}"


@lru_cache(maxsize=64)
def _headings(heading: tuple[str, ...]) -> str:
    # Why kept: the pieces of one section follow each other.
    return dump(heading)


def dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
