"""`holdfast doctor --repair` reads what can be read of a damaged database, says what is lost and keeps the old file."""

from __future__ import annotations

import contextlib
import os
import random
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

import holdfast
from holdfast.core.admission import Candidate
from holdfast.core.errors import StoreDamaged
from holdfast.store.sqlite.backups import back_up, back_up_daily, backups
from holdfast.workspace import Workspace, salvage
from tests.store.state import CANONICAL, assert_sound, canonical

pytestmark = pytest.mark.integration

PAGE = 4096
NOTES = 200
NOW = datetime(2026, 3, 1, tzinfo=UTC)
# What a new file has of its own, or what is rebuilt.
OWN = ("metadata", "leases", "job_runs", "code_texts")


def opened(path: Path, project: Path) -> Workspace:
    return holdfast.open(db=str(path), project=str(project), embedder="none", background=False)


def filled(path: Path, project: Path) -> None:
    with opened(path, project) as ws:
        ws.remember_all([Candidate(f"Drawer d{n} holds {'thing ' * (n % 60)}t{n * 7}") for n in range(NOTES)])
        ws.remember("Backups are kept for thirty days", tags=["ops"])
        session = ws.session("s")
        for n in range(50):
            session.say("user", f"Message {n}: ask @priya about shelf {n}")
        ws.forget(ws.list(limit=1)[0].id, "done with")
        ws.add_document("docs/tea.md", "# Tea\n\nSteep it for long.\n")


@pytest.fixture
def good(tmp_path: Path, project: Path) -> Path:
    path = tmp_path / "memory.db"
    filled(path, project)
    return path


def pages_of(path: Path, *names: str) -> list[int]:
    """The numbers of the pages of tables and indexes, counted from 1."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        marks = ", ".join("?" * len(names))
        rows = connection.execute(f"select pageno from dbstat where name in ({marks})", names)
        return [row[0] for row in rows]


def overwrite(path: Path, pages: list[int], seed: int = 0) -> None:
    chance = random.Random(seed)
    with path.open("r+b") as file:
        for page in pages:
            file.seek((page - 1) * PAGE)
            file.write(chance.randbytes(PAGE))


def contents(path: Path, project: Path) -> set[str]:
    with opened(path, project) as ws:
        return {memory.content for memory in ws.list(limit=10_000, include_forgotten=True)}


def test_an_intact_database_is_left_alone(good: Path) -> None:
    before = good.read_bytes()
    assert salvage(str(good)) == ()
    assert good.read_bytes() == before


def test_a_healthy_copy_is_complete(good: Path, project: Path, tmp_path: Path) -> None:
    """Everything is copied: the only damage is in an index."""
    rows = canonical(good, tuple(name for name in CANONICAL if name not in OWN))
    with contextlib.closing(sqlite3.connect(good)) as connection:
        index = next(row[1] for row in connection.execute("pragma index_list(memory_events)"))
    overwrite(good, pages_of(good, index)[:1])
    assert salvage(str(good))
    assert canonical(good, tuple(rows)) == rows
    assert_sound(good)


def test_every_row_of_other_pages_is_read_and_losses_are_reported(good: Path, project: Path) -> None:
    before, damaged = contents(good, project), pages_of(good, "memories")
    harmed = damaged[2:4]
    overwrite(good, harmed)
    kept_bytes = good.read_bytes()
    done = {str(reason.code): dict(reason.values) for reason in salvage(str(good))}
    lost = done["store.memories_salvaged"]["lost"]
    assert 0 < lost < 120
    after = contents(good, project)
    assert after <= before
    assert len(before) - len(after) == lost
    kept = Path(done["store.old_file_kept"]["path"])
    assert kept.read_bytes() == kept_bytes
    assert_sound(good)
    with opened(good, project) as ws:
        assert ws.doctor().sound
        assert ws.recall("Which backups are kept thirty days?").hits
        ws.remember("The ferry leaves at seven")


@pytest.mark.parametrize("seed", range(4))
def test_random_pages_never_stop_it(good: Path, project: Path, seed: int) -> None:
    before = contents(good, project)
    # Without the pages of the schema, below which are all tables, and without the page below which are all memories.
    with contextlib.closing(sqlite3.connect(good)) as connection:
        [root] = connection.execute("select rootpage from sqlite_schema where name = 'memories'").fetchone()
    pages = sorted(set(range(2, good.stat().st_size // PAGE)) - {*pages_of(good, "sqlite_schema"), root})
    pages = random.Random(seed).sample(pages, 6)
    overwrite(good, pages, seed)
    salvage(str(good))
    assert_sound(good)
    after = contents(good, project)
    assert len(after & before) > len(before) / 3
    assert salvage(str(good)) == ()


def test_a_text_that_the_damage_changed_waits_for_review(good: Path, project: Path) -> None:
    long = "A very long story. " * 900
    with opened(good, project) as ws:
        stored = ws.remember(long).memory
        assert stored is not None
    content = bytearray(good.read_bytes())
    at = content.index(b"very long story", content.index(b"A very long story. A very") + 9_000)
    content[at : at + 4] = b"wary"
    # A page without any text beside it, so that there is a reason to repair.
    good.write_bytes(content)
    with contextlib.closing(sqlite3.connect(good)) as connection:
        index = next(row[1] for row in connection.execute("pragma index_list(memory_events)"))
    overwrite(good, pages_of(good, index)[:1])
    salvage(str(good))
    with opened(good, project) as ws:
        found = ws.get(stored.id)
        assert "wary" in found.content
        assert found.needs_review


def test_without_the_first_page_the_backup_is_restored(good: Path, project: Path) -> None:
    before = contents(good, project)
    overwrite(good, [1])
    with pytest.raises(holdfast.StoreForeign):
        opened(good, project)
    # Without a backup beside it, it may be the file of another program.
    assert salvage(str(good)) == ()
    good.unlink()
    filled(good, project)
    back_up(str(good), "2026-01-01")
    overwrite(good, [1])
    assert str(salvage(str(good))[0].code) == "store.backup_restored"
    assert contents(good, project) == before


def test_a_broken_schema_without_a_backup_is_an_error_that_changes_nothing(good: Path) -> None:
    with good.open("r+b") as file:
        file.seek(100)
        file.write(os.urandom(PAGE - 100))
    before = good.read_bytes()
    with pytest.raises(StoreDamaged) as raised:
        salvage(str(good))
    assert "doctor --repair" not in str(raised.value), "it has just failed"
    assert good.read_bytes() == before
    assert sorted(entry.name for entry in good.parent.iterdir() if entry.is_file()) == [good.name]


def test_daily_backups_are_private_and_the_oldest_are_deleted(good: Path, project: Path) -> None:
    for day in (1, 2, 3, 3):
        made = back_up_daily(str(good), NOW.replace(day=day), 2)
        assert made is not None
        assert os.stat(made).st_mode & 0o777 == 0o600
    assert {Path(path).name for path in backups(str(good))} == {
        "memory.db.backup-2026-03-02", "memory.db.backup-2026-03-03",
    }  # fmt: skip
    assert contents(Path(f"{good}.backup-2026-03-03"), project) == contents(good, project)
    assert back_up_daily(str(good), NOW, 0) is None
    assert backups(str(good)) == []


def test_no_backup_is_made_without_space(good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from collections import namedtuple

    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(1, 1, 1_000))
    assert back_up_daily(str(good), NOW, 2) is None
    assert backups(str(good)) == []


def test_the_background_makes_one(good: Path, project: Path) -> None:
    with opened(good, project) as ws:
        assert ws.upkeep("backup") == {"backup": {"backups": 1}}
    assert len(backups(str(good))) == 1
