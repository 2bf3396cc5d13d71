"""The pieces of documents on SQLite: rows to values and back, and the passages by which they are found."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any

from holdfast.core.document import DocumentChunk
from holdfast.store.rows.documents import document_chunk_of, dump, headings_of
from holdfast.store.sqlite.statements import statements
from holdfast.text.bags import bag
from holdfast.text.words import chunk_terms


def add_chunks(connection: sqlite3.Connection, parts: Sequence[DocumentChunk]) -> None:
    """Keeps chunks and makes them findable. Their words are counted when their vectors are made."""
    _arrive(connection, parts, ("insert_chunks", "insert_chunk_passages", "insert_chunk_files"))


def add_missing_passages(connection: sqlite3.Connection) -> int:
    """Makes every chunk findable that is not; returns how many."""
    sql = statements("documents")
    ids = [row["id"] for row in connection.execute(sql["without_passage"])]
    parts = [document_chunk_of(row) for row in connection.execute(sql["chunks"], {"ids": json.dumps(ids)})]
    _arrive(connection, parts, ("insert_chunk_passages", "insert_chunk_files"))
    return len(parts)


def drop(connection: sqlite3.Connection, chunks: Iterable[str]) -> None:
    ids = {"ids": dump(list(chunks))}
    connection.execute(statements("documents")["delete_passages_of"], ids)
    connection.execute(statements("documents")["delete_chunks"], ids)


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
    terms = chunk_terms(chunk.text, chunk.heading, document.path) if chunk.terms is None else chunk.terms
    return (
        number,
        document.project,
        document.type,
        document.path,
        document.id,
        chunk.id,
        chunk.ordinal,
        headings_of(chunk.heading),
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
