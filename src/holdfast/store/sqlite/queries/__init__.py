"""Reads the store on SQLite: one module per reading Protocol."""

from __future__ import annotations

from holdfast.store.sqlite.queries.anchor_queries import SqliteAnchorReading
from holdfast.store.sqlite.queries.document_queries import SqliteDocumentReading
from holdfast.store.sqlite.queries.graph_queries import SqliteGraphReading
from holdfast.store.sqlite.queries.history_queries import SqliteHistoryReading
from holdfast.store.sqlite.queries.job_queries import SqliteJobReading
from holdfast.store.sqlite.queries.memory_queries import SqliteMemoryReading
from holdfast.store.sqlite.queries.passage_queries import SqlitePassageReading
from holdfast.store.sqlite.queries.pending_queries import SqlitePendingReading
from holdfast.store.sqlite.queries.search_queries import SqliteSearchReading
from holdfast.store.sqlite.queries.word_queries import SqliteWordReading


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
