"""Removes chunks that newer documents repeat, and old documents that were never found (`holdfast gc`).

`plan` decides without changing anything, `apply` removes, and `undo` restores.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple, Protocol

from holdfast.core.decay import document_confidence
from holdfast.core.document import CODE_LABEL, DocumentChunk
from holdfast.core.errors import NotFound
from holdfast.core.frozen import frozen
from holdfast.statements import say_the_same
from holdfast.store.reading import DocumentReading, PassageReading
from holdfast.store.writing.cleaning import DuplicatePair

if TYPE_CHECKING:
    from array import array

    from holdfast.core.document import Chunk, Document, RestoredDocuments
    from holdfast.core.ids import Ids
    from holdfast.models.protocols import Embedder
    from holdfast.store.writing.cleaning import CleaningWriting

    PassageChunk = tuple[int, Chunk, Document]

ALIKE = 0.95
DECAYED = 0.15
OLD = timedelta(days=30)
# Chunks per matrix product; the product takes a few megabytes.
_BLOCK = 512


@frozen
class DuplicateChunk:
    """A chunk that nearly repeats one of a newer document, and their similarity."""

    chunk: Chunk
    place: str
    kept: Chunk
    kept_place: str
    alike: float


@frozen
class UnusedDocument:
    """A document that no search found and that has not changed for long: its confidence, and when it was indexed."""

    id: str
    path: str
    confidence: float
    since: datetime


class CleanPlan(NamedTuple):
    """The chunks and documents that cleaning would remove. `compared` counts the chunks with a vector, of `chunks`."""

    duplicates: tuple[DuplicateChunk, ...]
    faded: tuple[UnusedDocument, ...]
    compared: int
    chunks: int


@frozen
class CleanReport:
    """A plan and, once it was applied, the id of the run."""

    plan: CleanPlan
    run: str | None = None

    @property
    def applied(self) -> bool:
        return self.run is not None


class CleanReading(DocumentReading, PassageReading, Protocol):
    """Reads documents and the vectors of their passages."""


@frozen
class DocumentCleaner:
    """Cleans the documents of one project. Compares the vectors of `embedder` at its size; none if it is None."""

    store: CleaningWriting
    reading: CleanReading
    ids: Ids
    now: Callable[[], datetime]
    project: str
    embedder: Embedder | None

    def clean(self, dry_run: bool) -> CleanReport:
        """Plans the cleaning and, unless `dry_run`, applies it."""
        plan = self.plan()
        return CleanReport(plan) if dry_run else self.apply(plan)

    def plan(self) -> CleanPlan:
        """Lists the chunks and documents to remove, without changing anything."""
        now = self.now()
        faded = tuple(filter(None, (_faded(document, now) for document in self.reading.documents(self.project))))
        going = {document.id for document in faded}
        chunks = [chunk for chunk in self.store.chunks(self.project) if chunk[2].id not in going]
        vectors = self._vectors(chunks)
        compared = [chunk for chunk in chunks if chunk[0] in vectors]
        return CleanPlan(tuple(_duplicates(compared, vectors)), faded, len(compared), len(chunks))

    def apply(self, plan: CleanPlan) -> CleanReport:
        """Removes the chunks and documents of a plan in one transaction. `undo` restores them."""
        if not plan.duplicates and not plan.faded:
            return CleanReport(plan)
        run = self.ids.new()
        pairs = [DuplicatePair(duplicate.chunk.id, duplicate.kept.id) for duplicate in plan.duplicates]
        faded = [(document.id, "faded") for document in plan.faded]
        self.store.take_out(self.project, run, self.now(), pairs, faded)
        return CleanReport(plan, run)

    def undo(self) -> RestoredDocuments:
        """Restores what the latest run removed. Raises NotFound when there is nothing to undo."""
        restored = self.store.put_back(self.project)
        if restored is None:
            raise NotFound("a `holdfast gc --apply` to undo", hint="Nothing was removed, or it is restored already.")
        return restored

    def _vectors(self, chunks: Sequence[PassageChunk]) -> Mapping[int, array[float]]:
        if self.embedder is None:
            return {}
        passages = [passage for passage, _, _ in chunks]
        # Vectors of a smaller size are left out: the same text has different vectors of two sizes.
        return self.reading.vectors(self.embedder.id, passages, self.embedder.size)


def _faded(document: Document, now: datetime) -> UnusedDocument | None:
    """Returns the document if its confidence has decayed, it was never found and it is old; otherwise None."""
    confidence = document_confidence(document.confidence, document.indexed_at, now)
    old = now - document.indexed_at > OLD
    is_kept = document.deprecated or document.access_count or document.label == CODE_LABEL
    if is_kept or confidence > DECAYED or not old:
        return None
    return UnusedDocument(document.id, document.path, confidence, document.indexed_at)


def _duplicates(chunks: Sequence[PassageChunk], vectors: Mapping[int, array[float]]) -> list[DuplicateChunk]:
    """Finds chunks that repeat a kept chunk of another document; the newest come first and are kept.

    Compares only with kept chunks, so a text in a thousand files costs a thousand comparisons.
    """
    import numpy as np

    if not chunks:
        return []
    rows = np.array([vectors[passage] for passage, _, _ in chunks], np.float32)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    is_kept = np.zeros(len(chunks), bool)
    duplicates: list[DuplicateChunk] = []
    for start in range(0, len(chunks), _BLOCK):
        block = np.arange(start, min(start + _BLOCK, len(chunks)))
        others = np.concatenate([np.flatnonzero(is_kept), block])
        similarity = rows[block] @ rows[others].T
        for row, near in zip(block.tolist(), similarity, strict=True):
            similar = [(near[at], int(others[at])) for at in np.flatnonzero(near >= ALIKE) if is_kept[others[at]]]
            duplicate = _duplicate(chunks, row, similar)
            is_kept[row] = duplicate is None
            duplicates += [duplicate] if duplicate else []
    return duplicates


def _duplicate(chunks: Sequence[PassageChunk], row: int, similar: Sequence[tuple[float, int]]) -> DuplicateChunk | None:
    """Pairs a chunk with the most similar one of another document in which no word is replaced by another one.

    Repetition within one document is left alone, because it is intended.
    """
    _, chunk, document = chunks[row]
    for similarity, other in sorted(similar, key=lambda pair: (-pair[0], pair[1])):
        _, kept, kept_in = chunks[other]
        comparable = document.id != kept_in.id and document.type == kept_in.type
        if comparable and say_the_same(chunk.text, kept.text):
            places = DocumentChunk(document, chunk).place, DocumentChunk(kept_in, kept).place
            return DuplicateChunk(chunk, places[0], kept, places[1], round(float(min(similarity, 1.0)), 4))
    return None
