"""Reads the contents of a database file directly, so that two states can be compared."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Any

CANONICAL = (
    "metadata", "projects", "sessions", "memories", "memory_events", "co_access", "documents", "chunks",
    "removed_chunks", "leases", "job_runs", "entities", "entity_names", "memory_entities", "entity_merges", "enriched",
    "history", "model_usage", "pages", "supplied", "operations", "operation_changes",
    "observed_sessions", "observed_files", "observations", "promotions", "memory_uses", "code_texts",
)  # fmt: skip
_PASSAGES = "select project_id, kind, owner_id, body, tags, files, terms, priority, past from passages"
_FILES = "select f.project_id, f.path, p.owner_id from passage_files f join passages p on p.id = f.passage_id"
_WORDS = "select w.term, w.col, w.offset, p.owner_id from temp.w w left join passages p on p.id = w.doc"


def canonical(path: str | Path, tables: tuple[str, ...] = CANONICAL) -> dict[str, list[Any]]:
    """Every row of the canonical tables."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        known = {row[0] for row in connection.execute("select name from sqlite_schema")}
        # Without the time of an operation, which SQLite reads from the system's clock.
        columns = {"operations": "id, project_id, verb, undone"}
        return {
            name: _rows(connection, f"select {columns.get(name, '*')} from {name}") for name in tables if name in known
        }


def derived(path: str | Path) -> dict[str, list[Any]]:
    """Passages, their files and every word of the full-text index, by the memory they belong to."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("create virtual table temp.w using fts5vocab(main, passages_fts, instance)")
        return {
            "passages": _rows(connection, _PASSAGES),
            "files": _rows(connection, _FILES),
            "words": _rows(connection, _WORDS),
        }


def assert_sound(path: str | Path) -> None:
    """Checks that the file is intact, foreign keys hold, and the full-text index matches the passages."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
        assert connection.execute("pragma foreign_key_check").fetchall() == []
        if connection.execute("select 1 from sqlite_schema where name = 'passages_fts'").fetchone():
            connection.execute("insert into passages_fts (passages_fts, rank) values ('integrity-check', 1)")
            connection.rollback()


def _rows(connection: sqlite3.Connection, sql: str) -> list[Any]:
    return sorted(connection.execute(sql).fetchall(), key=repr)
