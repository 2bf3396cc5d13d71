"""Changing documents: held by the room of documents, by nobody else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.document import Chunk, Document, DocumentReport, FileStat


class DocumentWriting(Protocol):
    """The writing face for documents and their chunks."""

    def put(self, document: Document, chunks: Sequence[Chunk]) -> DocumentReport:
        """A document as it is now, in the place of what was known at its path: all of it, or nothing.

        A chunk that says the same under the same headings keeps its id, its passage and its vector. The document
        keeps the id and the usage it had; the report says how it is kept. What cleaning took out stays out while it
        says the same.
        """
        ...

    def put_all(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> tuple[DocumentReport, ...]:
        """Many documents of one project, each at a path of its own, as `put` does: all of them, or nothing.

        Much quicker than one by one. Other writers wait meanwhile: some hundred at a time.
        """
        ...

    def remove(self, project: str, path: str) -> int | None:
        """Takes a document out, with its chunks; returns how many those were, or None where there was no document."""
        ...

    def remove_all(self, project: str, paths: Sequence[str]) -> int:
        """Takes documents out, those that are known; returns how many those were. All of them, or nothing."""
        ...

    def rename(self, project: str, old: str, new: str) -> bool:
        """The same document at another path: it keeps its id, its usage and its vectors.

        False, and nothing is done, where none is known at the old path or one is known at the new one.
        """
        ...

    def relabel(self, project: str, labels: Mapping[str, tuple[str | None, str | None]]) -> int:
        """Another label and doc type, by path; nothing else changes. Returns how many were known."""
        ...

    def restat(self, project: str, stats: Mapping[str, tuple[int, int]]) -> int:
        """The size and the time in nanoseconds of files whose text did not change, by path."""
        ...

    def stats(self, project: str) -> Mapping[str, FileStat]:
        """By what each known file can be told to be unchanged, by path. Quick for thousands."""
        ...
