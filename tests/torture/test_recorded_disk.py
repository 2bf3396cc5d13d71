"""The recorded disk names every file as SQLite does, its shared memory included."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.torture.children import Child, Report, forks
from tests.torture.recorded_disk import RecordedDisk

pytestmark = [pytest.mark.torture, forks]


def test_shared_memory_lies_beside_its_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite keeps the pointer to the name: memory that Python frees would give the file any name, in any folder."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    db = tmp_path / "some.db"

    def work(report: Report) -> None:
        RecordedDisk()
        connection = sqlite3.connect(db)
        reused = [os.urandom(len(str(db))) for _ in range(200)]
        connection.executescript("pragma journal_mode=wal; create table t (x); insert into t values (1);")
        report([len(reused), sorted(os.listdir(tmp_path))])

    code, reports = Child(work).end()
    found: list[Any] = reports[0][1]
    assert code == 0
    assert found == ["elsewhere", "some.db", "some.db-shm", "some.db-wal"]
    assert os.listdir(elsewhere) == []
