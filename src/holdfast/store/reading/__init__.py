"""Reading the store: one Protocol per use, each with the values it returns."""

from __future__ import annotations

from typing import Protocol

from holdfast.store.reading.anchor_reading import AnchorReading
from holdfast.store.reading.document_reading import DocumentReading, DocumentStanding
from holdfast.store.reading.graph_reading import GraphReading
from holdfast.store.reading.history_reading import HistoryReading
from holdfast.store.reading.job_reading import JobReading, Lease
from holdfast.store.reading.memory_reading import (
    ChangeReading,
    MemoryChangeReading,
    MemoryReading,
    SessionSpan,
    WholeProjectReading,
)
from holdfast.store.reading.passage_reading import Factors, PassageOrigins, PassageReading, Traits
from holdfast.store.reading.pending_reading import PendingPassage, PendingReading
from holdfast.store.reading.search_reading import SearchReading
from holdfast.store.reading.word_reading import Variants, WordReading

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
