"""The graph of a project's documents: who refers to whom, how much each is worth, what replaced what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from holdfast.documents.rank import pagerank
from holdfast.documents.references import DocumentNames, Reference, references
from holdfast.documents.superseded import successors

if TYPE_CHECKING:
    from holdfast.store.writing.links import DocumentLink, GraphNode, LinkWriting

T = TypeVar("T")

# So many documents are read at a time: each batch is complete in itself.
_BATCH = 200


@dataclass(frozen=True, slots=True)
class GraphReport:
    """What the graph holds after it was brought up to date: how many documents were read for it, and of all of them
    the references to known documents, those that lead nowhere, and the documents that were replaced.
    """

    read: int
    links: int
    broken: int
    superseded: int


@dataclass(frozen=True, slots=True)
class DocumentGraph:
    """Keeps the graph in step with the documents. `after` is called at the end, with the project."""

    links: LinkWriting
    after: Callable[[str], object] | None = None

    def refresh(self, project: str) -> GraphReport:
        """Reads the references of what changed, and ranks all anew. Costs next to nothing when nothing changed.

        May be stopped at any point; the next call goes on from there.
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
            self.links.put(project, [(one, references(one.text, one.front)) for one in unread])
            count += len(unread)
        return count


def _resolved(nodes: Sequence[GraphNode], links: Sequence[DocumentLink]) -> list[DocumentLink]:
    """The references, each with the document it means now."""
    names = DocumentNames(node.path for node in nodes)
    ids = {node.path: node.id for node in nodes}
    paths = {node.id: node.path for node in nodes}
    found = (names.resolve(paths[link.source], Reference(link.target, link.kind)) for link in links)
    return [link._replace(document=ids[path] if path else None) for link, path in zip(links, found, strict=True)]


def _ranked(nodes: Sequence[GraphNode], links: Sequence[DocumentLink]) -> list[GraphNode]:
    """The documents, each with its rank and its successor."""
    paths = {node.id: node.path for node in nodes}
    known = [(link, link.document) for link in links if link.document is not None]
    ranks = pagerank([node.id for node in nodes], ((link.source, document) for link, document in known))
    replaced = [(link.source, document) for link, document in known if link.kind == "superseded_by"]
    replaced += [(document, link.source) for link, document in known if link.kind == "supersedes"]
    after = successors((paths[old], paths[new]) for old, new in replaced)
    return [node._replace(pagerank=ranks[node.id], superseded_by=after.get(node.path)) for node in nodes]


def _changed(before: Sequence[T], after: Sequence[T]) -> list[T]:
    return [new for old, new in zip(before, after, strict=True) if old != new]
