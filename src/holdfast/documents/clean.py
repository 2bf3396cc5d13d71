"""Takes out what is of no use: chunks that newer documents say again, and documents nobody ever looked for (R-D8).

Deciding is apart from doing: `plan` only looks, and what was done can be undone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple, Protocol

from holdfast.core.document import DocumentChunk
from holdfast.intake.similarity import same_values
from holdfast.store.reading import DocumentReading, PassageReading
from holdfast.store.writing.cleaning import DuplicatePair
from holdfast.trust.decay import document_confidence

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.core.document import Chunk, Document, RestoredDocuments
    from holdfast.core.ids import Ids
    from holdfast.store.writing.cleaning import CleaningWriting

    Floats = NDArray[np.float32]
    PassageChunk = tuple[int, Chunk, Document]

ALIKE = 0.95
DECAYED = 0.15
OLD = timedelta(days=30)
# So many chunks are compared with the others at once: what that takes fits into a few megabytes.
_BLOCK = 512


@dataclass(frozen=True, slots=True)
class DuplicateChunk:
    """A chunk that says nearly the same as one of a newer document, and how alike they are."""

    chunk: Chunk
    place: str
    kept: Chunk
    kept_place: str
    alike: float


@dataclass(frozen=True, slots=True)
class UnusedDocument:
    """A document that was never found and has not changed for long: how sure it still is, and since when."""

    id: str
    path: str
    confidence: float
    since: datetime


class CleanPlan(NamedTuple):
    """What cleaning would take out. `compared` says for how many chunks there was a vector to compare."""

    duplicates: tuple[DuplicateChunk, ...]
    faded: tuple[UnusedDocument, ...]
    compared: int
    chunks: int


@dataclass(frozen=True, slots=True)
class CleanReport:
    """What is to go or, once `run` names the run that did it, what went."""

    plan: CleanPlan
    run: str | None = None

    @property
    def applied(self) -> bool:
        return self.run is not None


class CleanReading(DocumentReading, PassageReading, Protocol):
    """Reads documents and the vectors of their passages."""


@dataclass(frozen=True, slots=True)
class DocumentCleaner:
    """Cleans the documents of one project. `embedder` names the vectors to compare; None: none are compared."""

    store: CleaningWriting
    reading: CleanReading
    ids: Ids
    now: Callable[[], datetime]
    project: str
    embedder: str | None

    def clean(self, dry_run: bool) -> CleanReport:
        """Plans the cleaning and, unless `dry_run`, applies it."""
        plan = self.plan()
        return CleanReport(plan) if dry_run else self.apply(plan)

    def plan(self) -> CleanPlan:
        """What would go, without touching anything."""
        now = self.now()
        faded = tuple(one for one in (_faded(d, now) for d in self.reading.documents(self.project)) if one)
        going = {one.id for one in faded}
        chunks = [chunk for chunk in self.store.chunks(self.project) if chunk[2].id not in going]
        vectors = self._vectors(chunks)
        compared = [chunk for chunk in chunks if chunk[0] in vectors]
        return CleanPlan(tuple(_duplicates(compared, vectors)), faded, len(compared), len(chunks))

    def apply(self, plan: CleanPlan) -> CleanReport:
        """Takes out what a plan names, in one transaction. `undo` brings it back."""
        if not plan.duplicates and not plan.faded:
            return CleanReport(plan)
        run = self.ids.new()
        twins = [DuplicatePair(one.chunk.id, one.kept.id) for one in plan.duplicates]
        self.store.take_out(self.project, run, self.now(), twins, [(one.id, "faded") for one in plan.faded])
        return CleanReport(plan, run)

    def undo(self) -> RestoredDocuments | None:
        """Restores what the latest run removed; None when there is nothing left to undo."""
        return self.store.put_back(self.project)

    def _vectors(self, chunks: Sequence[PassageChunk]) -> Mapping[int, Floats]:
        if self.embedder is None:
            return {}
        return self.reading.vectors(self.embedder, [passage for passage, _, _ in chunks])


def _faded(document: Document, now: datetime) -> UnusedDocument | None:
    """A document is to go when it is hardly sure any more, was never found, and is old."""
    confidence = document_confidence(document.confidence, document.indexed_at, now)
    old = now - document.indexed_at > OLD
    if document.deprecated or document.access_count or confidence > DECAYED or not old:
        return None
    return UnusedDocument(document.id, document.path, confidence, document.indexed_at)


def _duplicates(chunks: Sequence[PassageChunk], vectors: Mapping[int, Floats]) -> list[DuplicateChunk]:
    """The chunks that say what a kept chunk of another document says; the newest come first and are kept.

    Compares with what is kept alone: a text that stands in a thousand files costs a thousand comparisons.
    """
    import numpy as np

    if not chunks:
        return []
    rows = np.stack([vectors[passage] for passage, _, _ in chunks])
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    stays = np.zeros(len(chunks), bool)
    found: list[DuplicateChunk] = []
    for start in range(0, len(chunks), _BLOCK):
        block = np.arange(start, min(start + _BLOCK, len(chunks)))
        others = np.concatenate([np.flatnonzero(stays), block])
        alike = rows[block] @ rows[others].T
        for row, near in zip(block.tolist(), alike, strict=True):
            kept = [(near[at], int(others[at])) for at in np.flatnonzero(near >= ALIKE) if stays[others[at]]]
            twin = _twin(chunks, row, kept)
            stays[row] = twin is None
            found += [twin] if twin else []
    return found


def _twin(chunks: Sequence[PassageChunk], row: int, alike: Sequence[tuple[float, int]]) -> DuplicateChunk | None:
    """The chunk that stays in its place: the likest of another document that says no other number, nor the opposite.

    Why of another: a text that repeats itself has its reasons.
    """
    _, chunk, document = chunks[row]
    for likeness, other in sorted(alike, key=lambda one: (-one[0], one[1])):
        _, kept, of = chunks[other]
        same = document.id != of.id and document.type == of.type
        if same and same_values(chunk.text, kept.text):
            places = DocumentChunk(document, chunk).place, DocumentChunk(of, kept).place
            return DuplicateChunk(chunk, places[0], kept, places[1], round(float(min(likeness, 1.0)), 4))
    return None
