"""A damaged value costs that value only: everything else of the project is listed, found and exported."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from pathlib import Path

import pytest

import holdfast
from holdfast.workspace import Workspace

TEXTS = ("The harbour crane is yellow", "Backups are kept for thirty days", "The ferry leaves at seven")
# Text that is no time, number or JSON, and bytes that are no UTF-8.
VALUES = ("'x{'", "cast(x'41ff42' as text)")
COLUMNS = (
    "type", "content", "content_hash", "confidence", "tags", "related_files", "created_at", "event_time",
    "last_accessed_at", "session_id", "phase", "scope", "work_unit_ref", "source", "source_role", "relations",
    "decay_half_life_days", "source_ids", "taint", "citation_text", "valid_until", "trust_level_scope", "fields",
    "attributes", "anchors",
)  # fmt: skip


def opened(path: Path, project: Path) -> Workspace:
    return holdfast.open(db=str(path), project=str(project), embedder="none", background=False)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("rows")
    project = folder / "project"
    project.mkdir()
    with opened(folder / "good.db", project) as ws:
        for text in TEXTS:
            ws.remember(text, tags=["x"], files=["a.py"])
        ws.session("s").say("user", "Ask @priya about the crane")
    return folder / "good.db", project


def damage(prepared: tuple[Path, Path], path: Path, table: str, column: str, value: str) -> bool:
    """Changes one value of the first row; False if the schema does not allow it."""
    shutil.copy(prepared[0], path)
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("pragma foreign_keys = off")
        key = "id" if table == "sessions" else "rowid"
        try:
            connection.execute(f"update {table} set {column} = {value} where {key} = (select min({key}) from {table})")
        except sqlite3.IntegrityError:
            return False
    return True


@pytest.mark.parametrize("column", COLUMNS)
def test_one_bad_value_of_a_memory_hides_nothing_else(prepared: tuple[Path, Path], tmp_path: Path, column: str) -> None:
    for value in VALUES:
        if not damage(prepared, tmp_path / "bad.db", "memories", column, value):
            continue
        with opened(tmp_path / "bad.db", prepared[1]) as ws:
            listed = {memory.content for memory in ws.list()}
            assert set(TEXTS[1:]) <= listed
            assert TEXTS[0] in listed or column == "content"
            assert "thirty" in ws.recall("Which backups are kept for thirty days?").hits[0].text
            assert all(text in ws.export() for text in TEXTS[1:])
            assert ws.stats().totals["memories"] == 4
            assert "thirty" in ws.context("keep the backups thirty days").text
            ws.remember("Tugs wait at the pier")
            ws.doctor()


@pytest.mark.parametrize(
    "place", ["memory_events.at", "memory_events.detail", "sessions.created_at", "entities.created_at"]
)
def test_one_bad_value_of_another_table_hides_nothing(prepared: tuple[Path, Path], tmp_path: Path, place: str) -> None:
    table, column = place.split(".")
    for value in VALUES:
        assert damage(prepared, tmp_path / "bad.db", table, column, value)
        with opened(tmp_path / "bad.db", prepared[1]) as ws:
            assert all(text in ws.export() for text in TEXTS)
            assert [ws.describe(memory.id) for memory in ws.list()]
            assert len(ws.sessions()) == 1
            assert ws.entities()


def test_a_damaged_memory_waits_for_review(prepared: tuple[Path, Path], tmp_path: Path) -> None:
    damage(prepared, tmp_path / "bad.db", "memories", "source", "'x{'")
    with opened(tmp_path / "bad.db", prepared[1]) as ws:
        assert [memory.needs_review for memory in ws.list(order="oldest", types="fact")] == [True, False, False]
