"""Maps documents and their chunks to rows and back."""

from __future__ import annotations

import json
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from holdfast.core.clock import stamp, stored_time
from holdfast.core.document import Chunk, Document, DocumentChunk
from holdfast.core.memory import EMPTY
from holdfast.store.rows.row import Row, stored_json


def document_row(document: Document) -> dict[str, Any]:
    """The row of a document, by column name."""
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
        "mtime_ns": document.mtime_ns,
        "size": document.size,
        "status": document.status,
        "front": dump(dict(document.front)) if document.front else "{}",
        "superseded_by": document.superseded_by,
    }


def document_of(row: Row) -> Document:
    """The document of a row."""
    return Document(
        id=row["document_id"],
        project=row["project_id"],
        path=row["path"],
        kind=row["kind"],
        hash=row["content_hash"],
        bytes=row["bytes"],
        indexed_at=stored_time(row["indexed_at"]),
        title=row["title"],
        label=row["label"],
        doc_type=row["doc_type"],
        modified=stored_time(row["modified"]) if row["modified"] else None,
        confidence=row["confidence"],
        access_count=row["access_count"],
        last_accessed_at=stored_time(row["last_accessed_at"]) if row["last_accessed_at"] else None,
        pagerank=row["pagerank"],
        redacted=bool(row["redacted"]),
        deprecated=bool(row["deprecated"]),
        mtime_ns=row["mtime_ns"],
        size=row["size"],
        status=row["status"],
        front=EMPTY if row["front"] == "{}" else MappingProxyType(stored_json(row["front"], {})),
        superseded_by=row["superseded_by"],
    )


def chunk_of(row: Row, path: str, is_code: bool = False) -> Chunk:
    """The chunk of a row."""
    heading = stored_json(row["heading"], ())
    place = (row["start_at"], row["end_at"], row["line"], row["end_line"])
    return Chunk(row["chunk_id"], path, row["ordinal"], heading, row["text"], *place, is_code=is_code)


def document_chunk_of(row: Row) -> DocumentChunk:
    """The chunk of a row, with its document."""
    return DocumentChunk(document_of(row), chunk_of(row, row["path"], row["kind"] == "code"))


def chunk_row(document: Document, chunk: Chunk) -> dict[str, Any]:
    """The row of a chunk, by column name."""
    return {
        "id": chunk.id,
        "document_id": document.id,
        "ordinal": chunk.ordinal,
        "heading": headings_of(chunk.heading),
        "text": chunk.text,
        "start_at": chunk.start,
        "end_at": chunk.end,
        "line": chunk.line,
        "end_line": chunk.end_line,
    }


@lru_cache(maxsize=64)
def headings_of(heading: tuple[str, ...]) -> str:
    """The headings above a chunk as JSON. Cached, because the chunks of one section come one after the other."""
    return dump(heading)


def dump(value: Any) -> str:
    """A value as JSON text."""
    return json.dumps(value, ensure_ascii=False)
