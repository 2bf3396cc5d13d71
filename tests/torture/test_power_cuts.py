"""Power cuts at every sync point: what was acknowledged is there, and the database is intact.

Every state is opened in which only some of the unsynced writes reached the disk. HOLDFAST_CUTS sets how many are tried
per sync point.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.core.ids import Ids
from holdfast.store.sqlite import migrate as migrations
from holdfast.store.sqlite.backups import back_up
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.migrate import migrate, versions
from holdfast.workspace import Workspace
from tests.store.sqlite.earlier import with_one_more
from tests.store.state import assert_sound
from tests.torture.children import Child, forks
from tests.torture.recorded_disk import RecordedDisk, Step, cuts, restore, snapshot

pytestmark = [pytest.mark.torture, forks]

EACH = int(os.environ.get("HOLDFAST_CUTS", "4"))
Acknowledge = Callable[[Any], None]


def opened(db: Path, project: Path) -> Workspace:
    return holdfast.open(db=str(db), project=str(project), embedder="none", background=False, memory_files=False)


def recorded(folder: Path, work: Callable[[Acknowledge], None]) -> list[Step]:
    """The steps of work in a process of its own."""

    def run(report: Callable[[Any], None]) -> None:
        disk = RecordedDisk()
        work(disk.acknowledge)
        (folder / "steps").write_bytes(pickle.dumps(disk.steps))

    code, _ = Child(run).end()
    assert code == 0
    steps: list[Step] = pickle.loads((folder / "steps").read_bytes())
    return steps


def count_states(
    folder: Path, before: dict[str, bytes], steps: list[Step], check: Callable[[list[Any]], None]
) -> tuple[int, int]:
    syncs = sum(step.what in ("sync", "folder") for step in steps)
    states = 0
    for state in cuts(before, steps, EACH):
        restore(state, folder)
        check(state.acknowledged)
        states += 1
    return syncs, states


@pytest.fixture
def told(capsys: Any, request: pytest.FixtureRequest) -> Callable[[tuple[int, int]], None]:
    def say(counted: tuple[int, int]) -> None:
        with capsys.disabled():
            print(f"\n{request.node.name}: {counted[0]} syncs, {counted[1]} states opened")

    return say


def test_remember(tmp_path: Path, project: Path, told: Any) -> None:
    db = tmp_path / "memory.db"
    opened(db, project).close()
    before = snapshot(tmp_path)

    def work(acknowledge: Acknowledge) -> None:
        with opened(db, project) as ws:
            for n in range(6):
                stored = ws.remember(f"Drawer d{n} holds thing t{n * 7}", files=[f"src/f{n}.py"]).memory
                assert stored is not None
                acknowledge(stored.id)
            ws.forget(ws.list(limit=1)[0].id, "done with")
            acknowledge(None)

    def check(acknowledged: list[Any]) -> None:
        with opened(db, project) as ws:
            kept = {memory.id: memory for memory in ws.list(include_forgotten=True)}
            assert set(acknowledged) - {None} <= set(kept)
            assert None not in acknowledged or any(memory.forgotten for memory in kept.values())
        assert_sound(db)

    told(count_states(tmp_path, before, recorded(tmp_path, work), check))


def test_a_new_database(tmp_path: Path, project: Path, told: Any) -> None:
    db = tmp_path / "memory.db"
    before = snapshot(tmp_path)

    def work(acknowledge: Acknowledge) -> None:
        with opened(db, project) as ws:
            stored = ws.remember("The ferry leaves at seven").memory
            assert stored is not None
            acknowledge(stored.id)

    def check(acknowledged: list[Any]) -> None:
        with opened(db, project) as ws:
            assert {memory.id for memory in ws.list()} >= set(acknowledged)
            ws.remember("The gate must be locked")
        assert_sound(db)

    told(count_states(tmp_path, before, recorded(tmp_path, work), check))


def test_consolidation(tmp_path: Path, project: Path, told: Any) -> None:
    db = tmp_path / "memory.db"
    with opened(db, project) as ws:
        session = ws.session("s")
        for n in range(8):
            session.say("user", f"From now on room r{n} must be locked at {n + 10}:00.")
    before = snapshot(tmp_path)

    def work(acknowledge: Acknowledge) -> None:
        with opened(db, project) as ws:
            ws.consolidate("s")
            acknowledge({memory.content for memory in ws.list(limit=100)})

    def check(acknowledged: list[Any]) -> None:
        with opened(db, project) as ws:
            # What was said is there before, during and after; a repeated run learns what the first would have.
            assert len(ws.session("s").episodes()) == 8
            if acknowledged:
                assert acknowledged[0] <= {memory.content for memory in ws.list(limit=100)}
            else:
                ws.consolidate("s")
            assert len(ws.list(limit=100)) == 16
        assert_sound(db)

    told(count_states(tmp_path, before, recorded(tmp_path, work), check))


def test_migration(tmp_path: Path, project: Path, told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    db = tmp_path / "memory.db"
    old = versions()[-1]
    database = Database(str(db))
    migrate(database, Ids())
    with database.write(durable=True) as connection:
        connection.execute(
            "insert into projects (id, name, root, created_at, last_seen_at) values ('p', 'p', '/p', :at, :at)",
            {"at": "2026-01-01T00:00:00.000Z"},
        )
    database.close()
    before = snapshot(tmp_path)
    monkeypatch.setattr(migrations, "_FOLDER", str(with_one_more(project / "schema")))

    def work(acknowledge: Acknowledge) -> None:
        own = Database(str(db))
        migrate(own, Ids())
        acknowledge("migrated")
        own.close()

    def check(acknowledged: list[Any]) -> None:
        own = Database(str(db))
        version = own.read("pragma user_version")[0][0]
        assert version in (old, versions()[-1])
        assert version == versions()[-1] or not acknowledged
        assert own.read("select name from projects where id = 'p'")
        own.close()
        assert_sound(db)
        backup = Path(f"{db}.backup-v{old}")
        # The backup is complete before anything is changed.
        assert version == old or backup.exists()
        if backup.exists():
            assert_sound(backup)

    told(count_states(tmp_path, before, recorded(tmp_path, work), check))


def test_backup(tmp_path: Path, project: Path, told: Any) -> None:
    db = tmp_path / "memory.db"
    with opened(db, project) as ws:
        stored = ws.remember("The ferry leaves at seven").memory
        assert stored is not None
    before = snapshot(tmp_path)

    def work(acknowledge: Acknowledge) -> None:
        back_up(str(db), "2026-01-01")
        acknowledge("copied")

    def check(acknowledged: list[Any]) -> None:
        backup = Path(f"{db}.backup-2026-01-01")
        assert backup.exists() or not acknowledged
        for path in (db, backup):
            if path.exists():
                with opened(path, project) as ws:
                    assert [memory.id for memory in ws.list()] == [stored.id]
                assert_sound(path)

    told(count_states(tmp_path, before, recorded(tmp_path, work), check))


def test_the_test_notices_a_missing_sync(tmp_path: Path, project: Path) -> None:
    """Without the syncs of the log, an acknowledged memory is lost in some state."""
    db = tmp_path / "memory.db"
    opened(db, project).close()
    before = snapshot(tmp_path)

    def work(acknowledge: Acknowledge) -> None:
        with opened(db, project) as ws:
            stored = ws.remember("The ferry leaves at seven").memory
            assert stored is not None
            acknowledge(stored.id)

    steps = [step for step in recorded(tmp_path, work) if step.what != "sync"]
    lost = 0
    for state in cuts(before, steps, 3):
        restore(state, tmp_path)
        try:
            with opened(db, project) as ws:
                lost += bool(set(state.acknowledged) - {memory.id for memory in ws.list()})
        except holdfast.HoldfastError:
            lost += 1
    assert lost
