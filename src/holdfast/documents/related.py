"""Finds related documents: those found together in answers, and those that refer to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from holdfast.core.errors import NotFound

if TYPE_CHECKING:
    from holdfast.core.document import Document
    from holdfast.documents.document_graph import DocumentGraph
    from holdfast.documents.library import Library
    from holdfast.store.reading import DocumentReading
    from holdfast.store.writing.links import LinkWriting


class RelatedDocument(NamedTuple):
    """A related document, the number of answers with both, and the references between them.

    `to` has the kinds of reference to the related document (`link`, `mention`, `ref`, `supersedes`, `superseded_by`),
    `back` the kinds of reference from it.
    """

    path: str
    together: int
    to: tuple[str, ...] = ()
    back: tuple[str, ...] = ()


def find_related(
    library: Library, links: LinkWriting, reading: DocumentReading, graph: DocumentGraph, path: str, limit: int
) -> tuple[RelatedDocument, ...]:
    """Returns the documents related to the one at a path; first updates the graph if needed. Raises NotFound."""
    if links.unread(library.project, 1):
        graph.refresh(library.project)
    document = reading.document(library.project, library.inside(path))
    if document is None:
        raise NotFound(f"document {path}", hint="Only indexed documents are known; run `holdfast index`.")
    return related(links, document, limit)


def related(links: LinkWriting, document: Document, limit: int = 5) -> tuple[RelatedDocument, ...]:
    """Returns the documents found together most often, then those that are only linked."""
    together = dict(links.related(document.project, document.id, limit))
    to: dict[str, list[str]] = {}
    back: dict[str, list[str]] = {}
    for path, kind, outgoing in links.linked(document.id):
        (to if outgoing else back).setdefault(path, []).append(kind)
    linked = sorted({*to, *back} - set(together), key=lambda path: (path not in to, path))
    names = [*together, *linked][:limit]
    return tuple(RelatedDocument(n, together.get(n, 0), tuple(to.get(n, ())), tuple(back.get(n, ()))) for n in names)
