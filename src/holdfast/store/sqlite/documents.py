"""Documents on SQLite: the file, its chunks and their passages in one transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from holdfast.core.clock import stamp, unstamp
from holdfast.core.document import Chunk, Document, DocumentReport, Part
from holdfast.store.sqlite.statements import statements
from holdfast.store.sqlite.traits import put_bag
from holdfast.store.text import terms

if TYPE_CHECKING:
    from holdfast.store.sqlite.database import Database

# Why last: bulk text must not make what was taught or said wait for its vector.
_PRIORITY = 3


class SqliteDocuments:
    """The writing face for documents."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, document: Document, chunks: Sequence[Chunk]) -> DocumentReport:
        sql = statements("documents")
        with self._database.write(durable=False) as connection:
            known = _known(connection, document.project, document.path)
            if known is None:
                connection.execute(sql["insert_document"], _row_of(document))
            else:
                document = _as_used(document, known)
                connection.execute(sql["update_document"], _row_of(document))
            same_type = known is not None and known.type == document.type
            return _replace_chunks(connection, document, chunks, same_type=same_type)

    def remove(self, project: str, path: str) -> int | None:
        with self._database.write(durable=False) as connection:
            known = _known(connection, project, path)
            if known is None:
                return None
            chunks = _chunks(connection, known)
            _drop(connection, chunks)
            connection.execute(statements("documents")["delete_document"], {"id": known.id})
            return len(chunks)


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
    )


def part_of(row: sqlite3.Row) -> Part:
    """The chunk of a row, with its document."""
    heading = tuple(json.loads(row["heading"]))
    place = (row["start_at"], row["end_at"], row["line"], row["end_line"])
    chunk = Chunk(row["chunk_id"], row["path"], row["ordinal"], heading, row["text"], *place)
    return Part(document_of(row), chunk)


def add_missing_passages(connection: sqlite3.Connection) -> int:
    """Makes every chunk findable that is not; returns how many."""
    sql = statements("documents")
    ids = [row["id"] for row in connection.execute(sql["without_passage"])]
    parts = [part_of(row) for row in connection.execute(sql["chunks"], {"ids": json.dumps(ids)})]
    for document, chunk in parts:
        _add_passage(connection, document, chunk)
    return len(parts)


def _known(connection: sqlite3.Connection, project: str, path: str) -> Document | None:
    given = {"project": project, "path": path}
    row = connection.execute(statements("documents")["document"], given).fetchone()
    return document_of(row) if row else None


def _chunks(connection: sqlite3.Connection, document: Document) -> list[Chunk]:
    rows = connection.execute(statements("documents")["chunks_of"], {"document": document.id})
    return [part_of(row).chunk for row in rows]


def _as_used(document: Document, known: Document) -> Document:
    """The document as it is now, with the id and the usage it had."""
    return replace(
        document,
        id=known.id,
        confidence=known.confidence,
        access_count=known.access_count,
        last_accessed_at=known.last_accessed_at,
        pagerank=known.pagerank,
    )


def _replace_chunks(
    connection: sqlite3.Connection, document: Document, chunks: Sequence[Chunk], *, same_type: bool
) -> DocumentReport:
    old = _chunks(connection, document)
    free: dict[tuple[tuple[str, ...], str], list[Chunk]] = {}
    for chunk in reversed(old if same_type else ()):
        free.setdefault((chunk.heading, chunk.text), []).append(chunk)
    new, stay = [], set()
    for chunk in chunks:
        twins = free.get((chunk.heading, chunk.text))
        if twins:
            twin = twins.pop()
            stay.add(twin.id)
            _move(connection, document, replace(chunk, id=twin.id))
        else:
            new.append(chunk)
    gone = [chunk for chunk in old if chunk.id not in stay]
    _drop(connection, gone)
    for chunk in new:
        connection.execute(statements("documents")["insert_chunk"], _chunk_row(document, chunk))
        _add_passage(connection, document, chunk)
    return DocumentReport(document, len(new), len(stay), len(gone))


def _move(connection: sqlite3.Connection, document: Document, chunk: Chunk) -> None:
    connection.execute(statements("documents")["move_chunk"], _chunk_row(document, chunk))


def _drop(connection: sqlite3.Connection, chunks: Sequence[Chunk]) -> None:
    for chunk in chunks:
        connection.execute(statements("documents")["delete_passage"], {"id": chunk.id})
        connection.execute(statements("documents")["delete_chunk"], {"id": chunk.id})


def _add_passage(connection: sqlite3.Connection, document: Document, chunk: Chunk) -> None:
    sql = statements("writing")
    heading = " ".join(chunk.heading)
    passage = {
        "project": document.project,
        "kind": document.type,
        "owner": chunk.id,
        "body": chunk.text,
        "tags": heading,
        "files": document.path,
        "terms": terms(f"{chunk.text} {heading} {document.path}"),
        "priority": _PRIORITY,
    }
    added = connection.execute(sql["insert_passage"], passage).lastrowid
    assert added is not None
    put_bag(connection, added, passage)
    file = {"project": document.project, "path": document.path, "passage": added}
    connection.execute(sql["insert_passage_file"], file)


def _row_of(document: Document) -> dict[str, Any]:
    return {
        "id": document.id,
        "project_id": document.project,
        "path": document.path,
        "kind": document.kind,
        "title": document.title,
        "label": document.label,
        "doc_type": document.doc_type,
        "content_hash": document.hash,
        "bytes": document.bytes,
        "modified": stamp(document.modified) if document.modified else None,
        "indexed_at": stamp(document.indexed_at),
        "confidence": document.confidence,
        "access_count": document.access_count,
        "last_accessed_at": stamp(document.last_accessed_at) if document.last_accessed_at else None,
        "pagerank": document.pagerank,
        "redacted": int(document.redacted),
        "deprecated": int(document.deprecated),
    }


def _chunk_row(document: Document, chunk: Chunk) -> dict[str, Any]:
    return {
        "id": chunk.id,
        "document_id": document.id,
        "ordinal": chunk.ordinal,
        "heading": json.dumps(chunk.heading, ensure_ascii=False),
        "text": chunk.text,
        "start_at": chunk.start,
        "end_at": chunk.end,
        "line": chunk.line,
        "end_line": chunk.end_line,
    }
