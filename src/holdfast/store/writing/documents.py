"""Changing documents: held by the room of documents, by nobody else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.document import Chunk, Document, DocumentReport


class DocumentWriting(Protocol):
    """The writing face for documents and their chunks."""

    def put(self, document: Document, chunks: Sequence[Chunk]) -> DocumentReport:
        """A document as it is now, in the place of what was known at its path: all of it, or nothing.

        A chunk that says the same under the same headings keeps its id, its passage and its vector. The document
        keeps the id and the usage it had; the report says how it is kept.
        """
        ...

    def remove(self, project: str, path: str) -> int | None:
        """Takes a document out, with its chunks; returns how many those were, or None where there was no document."""
        ...
