"""Changing documents: used by the documents package only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.document import Chunk, Document, DocumentReport, FileStat


class DocumentWriting(Protocol):
    """Writes documents and their chunks."""

    def put(self, document: Document, chunks: Sequence[Chunk]) -> DocumentReport:
        """Stores a document in place of the one at its path, all or nothing.

        A chunk with the same text and headings keeps its id, passage and vector. The document keeps its id and usage;
        the report contains it as stored. Chunks that cleaning removed stay removed while their text is the same.
        """
        ...

    def put_all(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> tuple[DocumentReport, ...]:
        """Stores documents of one project with different paths as `put` does, all or nothing.

        Much faster than one by one. Other writers wait, so pass a few hundred at a time.
        """
        ...

    def remove(self, project: str, path: str) -> int | None:
        """Removes a document with its chunks; returns how many chunks, or None if there is no such document."""
        ...

    def remove_all(self, project: str, paths: Sequence[str]) -> int:
        """Removes the documents at these paths, all or nothing; returns how many there were."""
        ...

    def rename(self, project: str, old: str, new: str) -> bool:
        """Moves a document to another path; it keeps its id, usage and vectors.

        Returns False and does nothing if there is no document at the old path, or one at the new path.
        """
        ...

    def relabel(self, project: str, labels: Mapping[str, tuple[str | None, str | None]]) -> int:
        """Sets label and doc type by path; nothing else changes. Returns how many documents there were."""
        ...

    def restat(self, project: str, stats: Mapping[str, tuple[int, int]]) -> int:
        """Sets size and modification time in nanoseconds, by path, of files whose text did not change."""
        ...

    def stats(self, project: str) -> Mapping[str, FileStat]:
        """What shows that a file is unchanged without reading it, by path. Fast for thousands."""
        ...
