"""Reads documents and their chunks from SQLite."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.core.clock import unstamp
from holdfast.store.reading.documents import DocumentStanding
from holdfast.store.sqlite.reading.reader import SqliteReader
from holdfast.store.sqlite.statements import statements

if TYPE_CHECKING:
    from holdfast.core.document import Chunk, Document


class SqliteDocumentReading(SqliteReader):
    """`DocumentReading` on SQLite."""

    def document(self, project: str, path: str) -> Document | None:
        from holdfast.store.rows.documents import document_of

        rows = self._of_documents("document", {"project": project, "path": path})
        return document_of(rows[0]) if rows else None

    def documents(self, project: str) -> tuple[Document, ...]:
        from holdfast.store.rows.documents import document_of

        return tuple(map(document_of, self._of_documents("documents", {"project": project})))

    def count_documents(self, project: str) -> Mapping[str, int]:
        return dict(self._rows("count_documents", {"project": project})[0])

    def chunks(self, ids: Sequence[str]) -> Mapping[str, Chunk]:
        from holdfast.store.rows.documents import document_chunk_of

        rows = self._of_documents("chunks", {"ids": json.dumps(list(ids))})
        return {found.chunk.id: found.chunk for found in map(document_chunk_of, rows)}

    def standing(self, project: str, passages: Sequence[int]) -> Mapping[int, DocumentStanding]:
        rows = self._of_documents("standing", {"project": project, "ids": json.dumps(list(passages))})
        return {
            passage: DocumentStanding(document, path, rank, confidence, unstamp(since), successor)
            for passage, document, path, rank, confidence, since, successor in rows
        }

    def _of_documents(self, name: str, parameters: Mapping[str, Any]) -> list[Any]:
        return self._database.read(statements("documents")[name], parameters)
