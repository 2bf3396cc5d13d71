"""Links between documents and decisions in them: used by the documents package only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from holdfast.core.frozen import frozen


class DocumentLink(NamedTuple):
    """A reference: the document that contains it, its target as written, its kind, and the target document if known."""

    source: str
    target: str
    kind: str
    document: str | None = None


@frozen
class UnparsedDocument:
    """A changed document whose references were not parsed yet, with its stored text."""

    id: str
    hash: str
    front: Mapping[str, Any]
    text: str


class GraphNode(NamedTuple):
    """A document in the graph of documents."""

    id: str
    path: str
    pagerank: float
    superseded_by: str | None


class DecisionRecord(NamedTuple):
    """A document that may record a decision; `decided` is the state from which the decision was last learned."""

    id: str
    path: str
    hash: str
    label: str | None
    superseded_by: str | None
    decided: str | None


class DecisionText(NamedTuple):
    """A chunk that may state the decision: its headings and its text."""

    heading: tuple[str, ...]
    text: str


class RecordWriting(Protocol):
    """Reads decision records and stores which state was learned."""

    def records(self, project: str) -> tuple[DecisionRecord, ...]:
        """Every document of a project that is not hidden, by path."""
        ...

    def telling(self, ids: Sequence[str]) -> Mapping[str, tuple[DecisionText, ...]]:
        """The opening of each document, and its sections Decision, Outcome, Abstract and Summary."""
        ...

    def decided(self, states: Mapping[str, str]) -> None:
        """Stores by document id the state that was learned."""
        ...


class LinkWriting(Protocol):
    """Writes the graph of documents."""

    def unread(self, project: str, limit: int) -> tuple[UnparsedDocument, ...]:
        """Documents that changed since their references were parsed."""
        ...

    def put(self, project: str, read: Sequence[tuple[UnparsedDocument, Sequence[tuple[str, str]]]]) -> None:
        """Replaces the references of documents, given as pairs of target and kind."""
        ...

    def graph(self, project: str) -> tuple[tuple[GraphNode, ...], tuple[DocumentLink, ...]]:
        """Every document of a project, by path, and every reference in them, in one consistent state."""
        ...

    def related(self, project: str, id: str, limit: int) -> tuple[tuple[str, int], ...]:
        """The documents most often found together with one, as path and count."""
        ...

    def linked(self, id: str) -> tuple[tuple[str, str, bool], ...]:
        """Documents that it references or that reference it: path, kind, and whether it contains the reference."""
        ...

    def settle(self, links: Sequence[DocumentLink], nodes: Sequence[GraphNode]) -> None:
        """Stores the resolved references, and the ranks and successors of documents."""
        ...
