"""Taking out of documents what is of no use, and putting it back: held by the room of documents, by nobody else."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from holdfast.core.document import Chunk, Document, RestoredDocuments


class DuplicatePair(NamedTuple):
    """A chunk that is to go, and the one of another document that says the same and stays."""

    gone: str
    stays: str


class CleaningWriting(Protocol):
    """The writing face for cleaning."""

    def chunks(self, project: str) -> tuple[tuple[int, Chunk, Document], ...]:
        """Every chunk that can be found, with its passage and its document; the newest documents first.

        What was replaced comes last: it is older than its successor, whatever its file says.
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
        """Takes out chunks, and puts documents (id and why) out of sight: all of it, or nothing.

        A chunk comes back by itself when its twin goes.
        """
        ...

    def put_back(self, project: str) -> RestoredDocuments | None:
        """Undoes the latest run that was not undone yet; None when there is none."""
        ...
