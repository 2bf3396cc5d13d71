"""Writes document chunks and their passages on SQLite."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

from holdfast.core.document import DocumentChunk
from holdfast.store.rows.document_rows import document_chunk_of, dump, headings_of
from holdfast.store.sqlite.passage_vectors import add_vectors, mark_of_all
from holdfast.store.sqlite.sqlite_statements import statements
from holdfast.text.bags import bag
from holdfast.text.words import chunk_terms

if TYPE_CHECKING:
    from holdfast.store.writing.memories import EmbedNow


def add_chunks(connection: sqlite3.Connection, chunks: Sequence[DocumentChunk], embed: EmbedNow) -> None:
    """Stores chunks with their passages and vectors. The background makes their word bags."""
    _write_all(connection, chunks, ("insert_chunks", "insert_chunk_passages", "insert_chunk_files"), embed)


def add_missing_passages(connection: sqlite3.Connection, embed: EmbedNow) -> int:
    """Adds the missing passages of chunks; returns how many."""
    sql = statements("documents")
    ids = [row["id"] for row in connection.execute(sql["without_passage"])]
    chunks = [document_chunk_of(row) for row in connection.execute(sql["chunks"], {"ids": json.dumps(ids)})]
    _write_all(connection, chunks, ("insert_chunk_passages", "insert_chunk_files"), embed)
    return len(chunks)


def drop(connection: sqlite3.Connection, chunks: Iterable[str]) -> None:
    """Deletes chunks and their passages."""
    ids = {"ids": dump(list(chunks))}
    connection.execute(statements("documents")["delete_passages_of"], ids)
    connection.execute(statements("documents")["delete_chunks"], ids)


def put_bags(connection: sqlite3.Connection, numbered: Sequence[tuple[int, DocumentChunk]]) -> None:
    """Makes the word bags of passages that keep their vectors."""
    bags = [{"passage": number, "bag": bag(_text(part))} for number, part in numbered]
    connection.executemany(statements("writing")["put_bag"], bags)


def _write_all(
    connection: sqlite3.Connection, chunks: Sequence[DocumentChunk], names: Sequence[str], embed: EmbedNow
) -> None:
    """Writes all chunks with each statement.

    Row by row would be slow: the full-text index flushes its pending words after each statement.
    """
    if not chunks:
        return
    sql = statements("documents")
    # Numbered here: the table of files needs the numbers, and reading them back row by row doubles the time.
    last = connection.execute(sql["last_passage"]).fetchone()[0]
    connection.execute(sql["make_arriving"])
    connection.executemany(sql["arrive"], map(_arriving, count(last + 1), chunks))
    embeddings = embed([part.chunk for part in chunks])
    mark = mark_of_all(connection, embeddings)
    for name in names:
        connection.execute(sql[name], mark)
    connection.execute(sql["clear_arriving"])
    add_vectors(connection, range(last + 1, last + 1 + len(embeddings)), embeddings)


def _arriving(number: int, part: DocumentChunk) -> tuple[Any, ...]:
    """The columns of `arriving`, in order: binding them by name takes half as long again."""
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


def _text(part: DocumentChunk) -> str:
    return f"{part.chunk.text} {' '.join(part.chunk.heading)} {part.document.path}"
