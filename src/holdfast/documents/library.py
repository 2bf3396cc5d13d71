"""Adds, replaces and removes single documents of one project by path."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, TypedDict, Unpack

from holdfast.core.clock import in_utc
from holdfast.core.document import DocumentReport
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.frozen import frozen
from holdfast.documents.prepare import DocumentInfo, prepare
from holdfast.intake.junk import why_unreadable
from holdfast.intake.secrets import redact
from holdfast.system.project import relative

if TYPE_CHECKING:
    from holdfast.core.ids import Ids
    from holdfast.store.writing.documents import DocumentWriting


class DocumentFields(TypedDict, total=False):
    """Optional fields of a document that is added as a text."""

    title: str | None
    label: str | None
    doc_type: str | None
    modified: datetime | None


@frozen
class Library:
    """The documents of one project."""

    documents: DocumentWriting
    ids: Ids
    now: Callable[[], datetime]
    project: str
    root: str

    def add(self, path: str, text: str, kind: str = "markdown", **fields: Unpack[DocumentFields]) -> DocumentReport:
        """Adds a text as the document at a path, replacing the one there. Raises InvalidInput for binary data."""
        if why_unreadable(text):
            raise InvalidInput(f"{path} is binary or has the wrong encoding", hint="Only text can be indexed.")
        if (modified := fields.get("modified")) is not None:
            fields["modified"] = in_utc(modified, "modified")
        for name in (fields.get("label"), fields.get("doc_type")):
            _check_name(name or "")
        prepared = prepare(text, DocumentInfo(self.project, self.inside(path), kind, self.now(), **fields), self.ids)
        return self.documents.put(prepared.document, prepared.chunks)

    def remove(self, path: str) -> int:
        """Removes a document; returns the number of its chunks. Raises NotFound."""
        removed = self.documents.remove(self.project, self.inside(path))
        if removed is None:
            raise NotFound(f"document {path}", hint="Only indexed documents can be removed.")
        return removed

    def inside(self, path: str) -> str:
        """Returns the path relative to the project; raises InvalidInput for a path outside it."""
        inside = relative(path, self.root)
        if inside is None:
            raise InvalidInput(f"{path} is outside the project {self.root}", hint="Name a file of the project.")
        _check_name(inside)
        return inside


def _check_name(name: str) -> None:
    """Raises InvalidInput for a path or label with a secret."""
    clean = redact(name)
    if clean != name:
        raise InvalidInput(f"the name {clean} contains a secret", hint="Give the document another name.")
