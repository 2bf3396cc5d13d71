"""Keeps the documents of one project, each at its path."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.document import DocumentReport
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.project import relative
from holdfast.documents.prepare import DocumentInfo, prepare

if TYPE_CHECKING:
    from holdfast.core.ids import Ids
    from holdfast.store.writing.documents import DocumentWriting


@dataclass(frozen=True, slots=True)
class Library:
    """The documents of one project."""

    documents: DocumentWriting
    ids: Ids
    now: Callable[[], datetime]
    project: str
    root: str

    def add(
        self,
        path: str,
        text: str,
        kind: str = "markdown",
        *,
        title: str | None = None,
        label: str | None = None,
        doc_type: str | None = None,
        modified: datetime | None = None,
    ) -> DocumentReport:
        """Puts a text in the place of what was known at its path. Raises InvalidInput for what is no text."""
        about = DocumentInfo(self.project, self.inside(path), kind, self.now(), title, label, doc_type, modified)
        made = prepare(text, about, self.ids)
        return self.documents.put(made.document, made.chunks)

    def remove(self, path: str) -> int:
        """Removes a document; returns the number of its chunks. Raises NotFound."""
        removed = self.documents.remove(self.project, self.inside(path))
        if removed is None:
            raise NotFound(f"document {path}", hint="Only what was indexed can be removed.")
        return removed

    def inside(self, path: str) -> str:
        """The path as the project writes it."""
        inside = relative(path, self.root)
        if inside is None:
            raise InvalidInput(f"{path} lies outside the project {self.root}", hint="Name a file of the project.")
        return inside
