"""Databases of earlier programs keep everything; files of other programs stay untouched."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest

from holdfast.core.answer import Filters
from holdfast.core.clock import SystemClock
from holdfast.core.errors import HoldfastError, StoreDamaged, StoreForeign, StoreNewer, StoreOlder, StoreReadOnly
from holdfast.core.ids import Ids
from holdfast.core.reason import Reason
from holdfast.store.sqlite import migrate as migrations
from holdfast.store.sqlite.migrate import APPLICATION_ID, versions
from holdfast.store.sqlite.sqlite_store import SqliteStore
from holdfast.store.store_reasons import StoreCode
from holdfast.workspace import salvage
from tests.store.sqlite.earlier import EARLIER, expected, exports, rows, schema, stored, with_one_more
from tests.store.state import assert_sound

AT = "2025-06-01T12:00:00.000Z"
# What every version knows, as plain SQL.
FIRST = (
    f"insert into projects (id, name, root, created_at, last_seen_at) values ('p', 'house', '/house', '{AT}', '{AT}')",
    "insert into memories (id, project_id, type, content, content_hash, created_at, tags)"
    f" values ('mem_1', 'p', 'fact', 'The kettle whistles', 'h', '{AT}', '[\"tea\"]')",
    f"insert into memory_events (memory_id, at, verb) values ('mem_1', '{AT}', 'remember')",
    "insert into passages (project_id, kind, owner_id, body) values ('p', 'memory', 'mem_1', 'The kettle whistles')",
    f"insert into sessions (project_id, id, kind, created_at, last_at) values ('p', 's', 'build', '{AT}', '{AT}')",
)


@pytest.fixture(autouse=True)
def _new_stores() -> None:
    """Makes every store of this module by migrating, as users do."""


def open_store(path: Path) -> SqliteStore:
    return SqliteStore(str(path), now=SystemClock().now, ids=Ids())


def write(path: Path, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


@pytest.fixture
def earlier(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A database that an earlier program wrote."""
    return stored(int(request.param), tmp_path / "memory.db")


def test_a_database_made_by_the_migrations_has_the_same_schema_as_a_new_one(tmp_path: Path) -> None:
    old = stored(37, tmp_path / "old.db")
    for path in (tmp_path / "new.db", old):
        open_store(path).close()
    assert schema(old) == schema(tmp_path / "new.db")


@pytest.mark.parametrize("earlier", [37], indirect=True)
def test_a_database_made_by_the_migrations_gives_the_same_export(earlier: Path) -> None:
    assert exports(earlier) == expected(37)["exports"]
    with contextlib.closing(open_store(earlier)) as store:
        assert all(finding.level != "bad" for finding in store.health.examine())
    assert_sound(earlier)


@pytest.mark.parametrize("earlier", EARLIER, indirect=True)
def test_a_database_from_before_the_release_is_refused_untouched(earlier: Path) -> None:
    before = earlier.read_bytes()
    with pytest.raises(StoreOlder, match="doctor --repair"):
        open_store(earlier)
    assert earlier.read_bytes() == before
    assert [path.name for path in earlier.parent.iterdir()] == ["memory.db"]


@pytest.mark.parametrize(("earlier", "version"), [(v, v) for v in EARLIER], indirect=["earlier"])
def test_repair_converts_a_database_from_before_the_release(earlier: Path, version: int) -> None:
    """Into the rows and the export that migrating it gave when the migrations existed."""
    before = earlier.read_bytes()
    *_, kept = salvage(str(earlier))
    assert kept == Reason.of(StoreCode.OLD_FILE_KEPT, path=f"{earlier}.backup-v{version}")
    assert Path(f"{earlier}.backup-v{version}").read_bytes() == before
    wanted = expected(version)
    assert exports(earlier) == wanted["exports"]
    assert rows(earlier, wanted["rows"]) == wanted["rows"]
    with contextlib.closing(open_store(earlier)) as store:
        assert len(store.reading.find_words("p", ["kettle"], Filters(), 5)) == 1
        assert all(finding.level != "bad" for finding in store.health.examine())
    assert_sound(earlier)
    assert salvage(str(earlier)) == ()


def test_a_new_file_is_ours_and_only_its_owners(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "new.db"
    with contextlib.closing(open_store(path)) as store:
        assert len(_store_id(store)) == 26
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("pragma application_id").fetchone()[0] == APPLICATION_ID
        assert connection.execute("pragma user_version").fetchone()[0] == versions()[-1]
        assert connection.execute("pragma journal_mode").fetchone()[0] == "wal"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database, opened by a program that knows one schema more than the one that made it."""
    path = tmp_path / "old.db"
    open_store(path).close()
    write(path, *FIRST)
    monkeypatch.setattr(migrations, "_FOLDER", str(with_one_more(tmp_path / "schema")))
    return path


def test_an_upgrade_leaves_a_backup_beside_the_file(old: Path) -> None:
    version = versions()[-2]
    open_store(old).close()
    with contextlib.closing(sqlite3.connect(old)) as connection:
        assert connection.execute("select mood from memories").fetchall() == [("calm",)]
    assert stat.S_IMODE(os.stat(f"{old}.backup-v{version}").st_mode) == 0o600
    with contextlib.closing(sqlite3.connect(f"{old}.backup-v{version}")) as backup:
        assert backup.execute("pragma user_version").fetchone()[0] == version
        assert backup.execute("select content from memories").fetchall() == [("The kettle whistles",)]
    assert sorted(p.suffix for p in old.parent.iterdir() if p.is_file()) == [f".backup-v{version}", ".db"]


def test_a_new_file_gets_every_version(old: Path) -> None:
    open_store(old).close()
    open_store(old.with_name("new.db")).close()
    assert [path.name for path in old.parent.glob("*.backup-*")] == [f"old.db.backup-v{versions()[-2]}"]
    assert schema(old) == schema(old.with_name("new.db"))


def test_a_backup_that_was_interrupted_does_not_stop_the_upgrade(old: Path) -> None:
    Path(f"{old}.backup-v{versions()[-2]}.part").write_bytes(b"half a backup")
    open_store(old).close()
    assert_sound(f"{old}.backup-v{versions()[-2]}")


def test_a_backup_can_be_opened_in_place_of_the_file(old: Path) -> None:
    open_store(old).close()
    os.replace(f"{old}.backup-v{versions()[-2]}", old)
    with contextlib.closing(open_store(old)) as store:
        assert store.reading.memory("mem_1") is not None


def test_a_failing_upgrade_changes_nothing(old: Path) -> None:
    with (old.parent / "schema" / f"{versions()[-1]:04d}_next.sql").open("a") as file:
        file.write("insert into nowhere values (1);\n")
    with pytest.raises(HoldfastError):
        open_store(old)
    with contextlib.closing(sqlite3.connect(old)) as connection:
        assert connection.execute("pragma user_version").fetchone()[0] == versions()[-2]
        assert "mood" not in [row[1] for row in connection.execute("pragma table_info(memories)")]


@pytest.mark.parametrize("wal", [True, False])
def test_a_newer_file_is_refused_untouched(tmp_path: Path, wal: bool) -> None:
    path = tmp_path / "newer.db"
    open_store(path).close()
    write(path, f"pragma user_version = {versions()[-1] + 1}")
    if not wal:
        write(path, "pragma journal_mode = delete")
    before = path.read_bytes()
    with pytest.raises(StoreNewer, match="knows up to"):
        open_store(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["newer.db"]


@pytest.mark.parametrize("statement", ["create table songs (title text)", "pragma application_id = 99"])
def test_a_foreign_database_is_refused_untouched(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "songs.db"
    write(path, "create table notes (text text)", statement)
    before = path.read_bytes()
    with pytest.raises(StoreForeign):
        open_store(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["songs.db"]


def test_a_file_that_is_no_database_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear reader, " * 100)
    before = path.read_bytes()
    with pytest.raises(StoreForeign):
        open_store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_truncated_file_is_called_damaged(tmp_path: Path, share: float) -> None:
    path = tmp_path / "memory.db"
    open_store(path).close()
    write(path, *FIRST)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(StoreDamaged) as caught, contextlib.closing(open_store(path)) as store:  # noqa: PT012
        for finding in store.health.examine():
            if finding.level == "bad":
                raise StoreDamaged(str(finding.detail))
    assert "backup" in caught.value.hint


def test_a_folder_in_its_place_and_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(HoldfastError):
        open_store(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreReadOnly):
        open_store(tmp_path / "file" / "memory.db")


def _store_id(store: SqliteStore) -> str:
    return str(store._database.read("select value from metadata where key = 'store_id'")[0][0])


def _open_and_tell(path: str, start: Any, results: Any) -> None:
    start.wait()
    try:
        with contextlib.closing(open_store(Path(path))) as store:
            results.put(_store_id(store))
    except HoldfastError as error:
        results.put(f"error: {error}")


@pytest.mark.integration
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_eight_processes_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    start, results = context.Barrier(8), context.Queue()
    path = str(tmp_path / "memory.db")
    processes = [context.Process(target=_open_and_tell, args=(path, start, results)) for _ in range(8)]
    for process in processes:
        process.start()
    told = {results.get(timeout=60) for _ in processes}
    for process in processes:
        process.join(60)
    assert len(told) == 1
    assert not told.pop().startswith("error")
    assert_sound(path)
