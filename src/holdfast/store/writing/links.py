"""Changing what documents say of each other: held by the room of documents, by nobody else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol


class DocumentLink(NamedTuple):
    """A reference: the document it stands in, what it names and how, and the document that is, if it is known."""

    source: str
    target: str
    kind: str
    document: str | None = None


@dataclass(frozen=True, slots=True)
class UnparsedDocument:
    """A document whose references were not read yet since it changed: its text, as far as it is kept."""

    id: str
    hash: str
    front: Mapping[str, Any]
    text: str


class GraphNode(NamedTuple):
    """A document as the graph sees it."""

    id: str
    path: str
    pagerank: float
    superseded_by: str | None


class DecisionRecord(NamedTuple):
    """A document as one that may tell of a decision; `decided` is the state of it that was last learned from."""

    id: str
    path: str
    hash: str
    label: str | None
    superseded_by: str | None
    decided: str | None


class DecisionText(NamedTuple):
    """A piece that may say what was decided: the headings it stands under, and its text."""

    heading: tuple[str, ...]
    text: str


class RecordWriting(Protocol):
    """The writing face for what was learned of documents that tell of decisions."""

    def records(self, project: str) -> tuple[DecisionRecord, ...]:
        """Every document of a project that is in sight, by path."""
        ...

    def telling(self, ids: Sequence[str]) -> Mapping[str, tuple[DecisionText, ...]]:
        """Of each document how it opens, and what stands under Decision, Outcome, Abstract or Summary."""
        ...

    def decided(self, states: Mapping[str, str]) -> None:
        """The state of each document that was learned from, by its id."""
        ...


class LinkWriting(Protocol):
    """The writing face for the graph of documents."""

    def unread(self, project: str, limit: int) -> tuple[UnparsedDocument, ...]:
        """Some of the documents that changed since their references were read."""
        ...

    def put(self, project: str, read: Sequence[tuple[UnparsedDocument, Sequence[tuple[str, str]]]]) -> None:
        """What documents refer to, as pairs of a name and a kind, in the place of what was known of them."""
        ...

    def graph(self, project: str) -> tuple[tuple[GraphNode, ...], tuple[DocumentLink, ...]]:
        """Every document of a project, by path, and every reference in them; one consistent moment."""
        ...

    def related(self, project: str, id: str, limit: int) -> tuple[tuple[str, int], ...]:
        """The documents most often found together with one: path and how often."""
        ...

    def linked(self, id: str) -> tuple[tuple[str, str, bool], ...]:
        """The documents it refers to or that refer to it: path, kind, and whether the reference stands in it."""
        ...

    def settle(self, links: Sequence[DocumentLink], nodes: Sequence[GraphNode]) -> None:
        """Which documents those references mean, and the rank and the successor of those documents."""
        ...
