"""Reading documents and their chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

from holdfast.store.reading.word_reading import Variants

if TYPE_CHECKING:
    from holdfast.core.answer import Filters
    from holdfast.core.document import Chunk, Document


class DocumentStanding(NamedTuple):
    """The rank of the document behind a passage as a share of the highest rank, its stored confidence and since when,
    and the path of the document that supersedes it.
    """

    document: str
    path: str
    rank: float
    confidence: float
    since: datetime
    superseded_by: str | None


class DocumentReading(Protocol):
    """Finds documents by title; reads documents, their chunks and their ranks."""

    def find_titles(
        self, project: str, words: Sequence[str], filters: Filters, limit: int, variants: Variants = ...
    ) -> tuple[tuple[int, float], ...]:
        """The first passages of the documents whose title or path contains any of the words, ranked by BM25.

        Checks the types and files of the filters, nothing else.
        """
        ...

    def titles(self, passages: Sequence[int]) -> Mapping[int, tuple[str, str]]:
        """The title, if any, and the path of the document behind each passage that is a document chunk."""
        ...

    def document(self, project: str, path: str) -> Document | None: ...
    def documents(self, project: str) -> tuple[Document, ...]:
        """Every document of a project, by path, without the project's own code."""
        ...

    def count_documents(self, project: str) -> Mapping[str, int]:
        """The number of `documents` of a project that search can find, and of their `chunks`, without its own code."""
        ...

    def chunks(self, ids: Sequence[str]) -> Mapping[str, Chunk]:
        """Chunks by id; unknown ids are left out."""
        ...

    def standing(self, project: str, passages: Sequence[int]) -> Mapping[int, DocumentStanding]:
        """The rank, confidence and successor of the document behind each passage that is a document chunk."""
        ...
