"""Removing useless chunks and documents, and restoring them: used by the documents package only."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from holdfast.core.document import Chunk, Document, RestoredDocuments


class DuplicatePair(NamedTuple):
    """A chunk to remove, and the chunk of another document with the same content that stays."""

    gone: str
    stays: str


class CleaningWriting(Protocol):
    """Removes and restores chunks and documents."""

    def chunks(self, project: str) -> tuple[tuple[int, Chunk, Document], ...]:
        """Every chunk that search can find, with its passage and its document; the newest documents first.

        Superseded documents come last: each is older than its successor, whatever its file's date is.
        """
        ...

    def take_out(
        self,
        project: str,
        run: str,
        at: datetime,
        chunks: Sequence[DuplicatePair],
        documents: Sequence[tuple[str, str]],
    ) -> None:
        """Removes chunks and hides documents (id and reason), all or nothing.

        A chunk is restored automatically when its duplicate is removed.
        """
        ...

    def put_back(self, project: str) -> RestoredDocuments | None:
        """Undoes the latest run that was not undone yet; None if there is none."""
        ...
