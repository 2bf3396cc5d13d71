"""The graph of a project's documents: references, ranks and successors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from holdfast.core.frozen import frozen
from holdfast.documents.document_references import DocumentNames, Reference, references
from holdfast.documents.rank import pagerank
from holdfast.documents.superseded import successors

if TYPE_CHECKING:
    from holdfast.store.writing.links import DocumentLink, GraphNode, LinkWriting

T = TypeVar("T")

# Documents per transaction.
_BATCH = 200


@frozen
class GraphReport:
    """The graph after a refresh: documents read, links to known documents, broken links, superseded documents.

    All but `read` count the whole graph.
    """

    read: int
    links: int
    broken: int
    superseded: int


@frozen
class DocumentGraph:
    """Keeps the graph up to date with the documents. `after` is called with the project after a refresh."""

    links: LinkWriting
    after: Callable[[str], object] | None = None

    def refresh(self, project: str) -> GraphReport:
        """Reads the references of changed documents and ranks all documents. Cheap if nothing changed.

        May be stopped at any point; the next call continues from there.
        """
        read = self._read(project)
        nodes, links = self.links.graph(project)
        settled = _resolved(nodes, links)
        ranked = _ranked(nodes, settled)
        self.links.settle(_changed(links, settled), _changed(nodes, ranked))
        if self.after is not None:
            self.after(project)
        known = sum(link.document is not None for link in settled)
        broken = sum(link.document is None and link.kind == "link" for link in settled)
        return GraphReport(read, known, broken, sum(node.superseded_by is not None for node in ranked))

    def _read(self, project: str) -> int:
        count = 0
        while unread := self.links.unread(project, _BATCH):
            self.links.put(project, [(document, references(document.text, document.front)) for document in unread])
            count += len(unread)
        return count


def _resolved(nodes: Sequence[GraphNode], links: Sequence[DocumentLink]) -> list[DocumentLink]:
    """Returns the references, each with the document it refers to now."""
    names = DocumentNames(node.path for node in nodes)
    ids = {node.path: node.id for node in nodes}
    paths = {node.id: node.path for node in nodes}
    targets = (names.resolve(paths[link.source], Reference(link.target, link.kind)) for link in links)
    return [link._replace(document=ids[path] if path else None) for link, path in zip(links, targets, strict=True)]


def _ranked(nodes: Sequence[GraphNode], links: Sequence[DocumentLink]) -> list[GraphNode]:
    """Returns the documents, each with its rank and its successor."""
    paths = {node.id: node.path for node in nodes}
    known = [(link, link.document) for link in links if link.document is not None]
    ranks = pagerank([node.id for node in nodes], ((link.source, document) for link, document in known))
    replaced = [(link.source, document) for link, document in known if link.kind == "superseded_by"]
    replaced += [(document, link.source) for link, document in known if link.kind == "supersedes"]
    after = successors((paths[old], paths[new]) for old, new in replaced)
    return [node._replace(pagerank=ranks[node.id], superseded_by=after.get(node.path)) for node in nodes]


def _changed(before: Sequence[T], after: Sequence[T]) -> list[T]:
    return [new for old, new in zip(before, after, strict=True) if old != new]
