"""Reads the store on SQLite: one module per reading Protocol."""

from __future__ import annotations

from holdfast.store.sqlite.reading.anchors import SqliteAnchorReading
from holdfast.store.sqlite.reading.documents import SqliteDocumentReading
from holdfast.store.sqlite.reading.graph import SqliteGraphReading
from holdfast.store.sqlite.reading.history import SqliteHistoryReading
from holdfast.store.sqlite.reading.jobs import SqliteJobReading
from holdfast.store.sqlite.reading.memories import SqliteMemoryReading
from holdfast.store.sqlite.reading.passages import SqlitePassageReading
from holdfast.store.sqlite.reading.pending import SqlitePendingReading
from holdfast.store.sqlite.reading.search import SqliteSearchReading
from holdfast.store.sqlite.reading.words import SqliteWordReading


class SqliteReading(
    SqliteMemoryReading,
    SqliteSearchReading,
    SqliteWordReading,
    SqlitePassageReading,
    SqliteDocumentReading,
    SqliteJobReading,
    SqlitePendingReading,
    SqliteGraphReading,
    SqliteAnchorReading,
    SqliteHistoryReading,
):
    """Every reading Protocol on one database; they share its vector indexes."""
