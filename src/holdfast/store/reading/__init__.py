"""Reading the store: one Protocol per use, each with the values it returns."""

from __future__ import annotations

from typing import Protocol

from holdfast.store.reading.anchors import AnchorReading
from holdfast.store.reading.documents import DocumentReading, DocumentStanding
from holdfast.store.reading.graph import GraphReading
from holdfast.store.reading.history import HistoryReading
from holdfast.store.reading.jobs import JobReading, Lease
from holdfast.store.reading.memories import (
    ChangeReading,
    MemoryChangeReading,
    MemoryReading,
    SessionSpan,
    WholeProjectReading,
)
from holdfast.store.reading.passages import Factors, PassageOrigins, PassageReading, Traits
from holdfast.store.reading.pending import PendingPassage, PendingReading
from holdfast.store.reading.search import SearchReading
from holdfast.store.reading.words import Variants, WordReading

__all__ = [
    "AnchorReading",
    "ChangeReading",
    "DocumentReading",
    "DocumentStanding",
    "Factors",
    "GraphReading",
    "HistoryReading",
    "JobReading",
    "Lease",
    "MemoryChangeReading",
    "MemoryReading",
    "PassageOrigins",
    "PassageReading",
    "PendingPassage",
    "PendingReading",
    "Reading",
    "SearchReading",
    "SessionSpan",
    "Traits",
    "Variants",
    "WholeProjectReading",
    "WordReading",
]


class Reading(
    MemoryReading,
    WholeProjectReading,
    ChangeReading,
    WordReading,
    SearchReading,
    PassageReading,
    DocumentReading,
    JobReading,
    PendingReading,
    GraphReading,
    AnchorReading,
    HistoryReading,
    Protocol,
):
    """What a store offers to read. Only the container holds all of it; others take the Protocols they need."""
