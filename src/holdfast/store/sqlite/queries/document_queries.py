"""Reads documents and their chunks from SQLite."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.core.clock import stored_time
from holdfast.store.reading.document_reading import DocumentStanding
from holdfast.store.sqlite.queries.query_parts import SqliteReader
from holdfast.store.sqlite.queries.word_queries import NO_VARIANTS
from holdfast.store.sqlite.sqlite_statements import statements
from holdfast.store.sqlite.vocabulary import any_of

if TYPE_CHECKING:
    from holdfast.core.answer import Filters
    from holdfast.core.document import Chunk, Document
    from holdfast.store.reading.word_reading import Variants

# Titles read per result wanted, because they may belong to another project.
_MORE = 4


class SqliteDocumentReading(SqliteReader):
    """`DocumentReading` on SQLite."""

    def document(self, project: str, path: str) -> Document | None:
        from holdfast.store.rows.document_rows import document_of

        rows = self._of_documents("document", {"project": project, "path": path})
        return document_of(rows[0]) if rows else None

    def documents(self, project: str) -> tuple[Document, ...]:
        from holdfast.store.rows.document_rows import document_of

        return tuple(map(document_of, self._of_documents("documents", {"project": project})))

    def count_documents(self, project: str) -> Mapping[str, int]:
        return dict(self._rows("count_documents", {"project": project})[0])

    def chunks(self, ids: Sequence[str]) -> Mapping[str, Chunk]:
        from holdfast.store.rows.document_rows import document_chunk_of

        rows = self._of_documents("chunks", {"ids": json.dumps(list(ids))})
        return {found.chunk.id: found.chunk for found in map(document_chunk_of, rows)}

    def standing(self, project: str, passages: Sequence[int]) -> Mapping[int, DocumentStanding]:
        rows = self._of_documents("standing", {"project": project, "ids": json.dumps(list(passages))})
        return {
            passage: DocumentStanding(document, path, rank, confidence, stored_time(since), successor)
            for passage, document, path, rank, confidence, since, successor in rows
        }

    def find_titles(
        self, project: str, words: Sequence[str], filters: Filters, limit: int, variants: Variants = NO_VARIANTS
    ) -> tuple[tuple[int, float], ...]:
        if not words:
            return ()
        match = any_of(dict.fromkeys(form for word in words for form in (word, *variants.get(word, ()))))
        parameters = {**self._partition(project, filters), "match": match, "more": _MORE * limit, "limit": limit}
        return tuple((passage, -rank) for passage, rank in self._of_documents("titles_found", parameters))

    def titles(self, passages: Sequence[int]) -> Mapping[int, tuple[str, str]]:
        rows = self._of_documents("titles", {"ids": json.dumps(list(passages))})
        return {passage: (title, path) for passage, title, path in rows}

    def _of_documents(self, name: str, parameters: Mapping[str, Any]) -> list[Any]:
        return self._database.read(statements("documents")[name], parameters)
