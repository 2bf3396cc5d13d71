"""A database that is deleted, replaced or made read-only while a process uses it, or whose disk is full."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import holdfast
from holdfast.core.errors import StoreFull, StoreReplaced
from holdfast.core.health import HealthLevel
from holdfast.workspace import Workspace
from tests.store.state import assert_sound


def opened(path: Path, project: Path) -> Workspace:
    return holdfast.open(db=str(path), project=str(project), background=False)


def test_nothing_is_acknowledged_into_a_deleted_file(tmp_path: Path, project: Path) -> None:
    path = tmp_path / "memory.db"
    with opened(path, project) as ws:
        ws.remember("The ferry leaves at seven")
        path.unlink()
        for _ in range(2):
            with pytest.raises(StoreReplaced):
                ws.remember("The ferry leaves at eight")
        with pytest.raises(StoreReplaced):
            ws.session("s").say("user", "good morning")
        # Reading goes on: what was stored can still be exported.
        assert "seven" in ws.export()
        with opened(path, project) as other:
            assert other.count() == 0
            other.remember("The ferry leaves at nine")
        with pytest.raises(StoreReplaced):
            ws.remember("The ferry leaves at ten")
    with opened(path, project) as other:
        assert [memory.content for memory in other.list()] == ["The ferry leaves at nine"]
    assert_sound(path)


def test_nothing_is_acknowledged_into_a_replaced_file(tmp_path: Path, project: Path) -> None:
    path, copy = tmp_path / "memory.db", tmp_path / "copy.db"
    with opened(path, project) as ws:
        ws.remember("The ferry leaves at seven")
    shutil.copy(path, copy)
    with opened(path, project) as ws:
        os.replace(copy, path)
        with pytest.raises(StoreReplaced):
            ws.remember("The ferry leaves at eight")
    with opened(path, project) as ws:
        assert [memory.content for memory in ws.list()] == ["The ferry leaves at seven"]


def test_a_new_thread_does_not_use_the_new_file(tmp_path: Path, project: Path) -> None:
    from threading import Thread

    path, failures = tmp_path / "memory.db", []
    with opened(path, project) as ws:
        ws.remember("The ferry leaves at seven")
        path.unlink()

        def use() -> None:
            try:
                ws.list()
            except StoreReplaced as error:
                failures.append(error)

        thread = Thread(target=use)
        thread.start()
        thread.join()
        assert len(failures) == 1


@pytest.mark.parametrize("ending", ["-wal", "-shm"])
def test_a_log_created_while_the_database_was_read_only_becomes_writable_with_it(
    tmp_path: Path, project: Path, ending: str
) -> None:
    path = tmp_path / "memory.db"
    with opened(path, project) as ws:
        ws.remember("The ferry leaves at seven")
        log = Path(f"{path}{ending}")
        log.chmod(0o400)
        with opened(path, project) as other:
            other.remember("The ferry leaves at eight")
        assert log.stat().st_mode & 0o777 == 0o600
        path.chmod(0o400)
        log.chmod(0o400)
        with opened(path, project) as other:
            assert other.count() == 2
        assert log.stat().st_mode & 0o777 == 0o400


@contextlib.contextmanager
def full_disk() -> Iterator[None]:
    """No file of this process can grow beyond its first page, so that there is no room for SQLite's `-shm` file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_reading_goes_on_and_writing_says_why_when_the_disk_is_full(tmp_path: Path, project: Path) -> None:
    path = tmp_path / "memory.db"
    with opened(path, project) as ws:
        ws.remember("The ferry leaves at seven")
    assert not Path(f"{path}-shm").exists()
    with full_disk(), opened(path, project) as ws:
        assert [memory.content for memory in ws.list()] == ["The ferry leaves at seven"]
        assert len(ws.recall("when does the ferry leave?").hits) == 1
        assert "seven" in ws.export()
        assert [f.check for f in ws.doctor().findings if f.level is HealthLevel.BAD] == []
        with pytest.raises(StoreFull):
            ws.remember("The ferry leaves at eight")
    with opened(path, project) as ws:
        ws.remember("The ferry leaves at nine")
        assert ws.count() == 2
    assert_sound(path)


def test_other_processes_are_not_locked_out_while_the_disk_is_full(tmp_path: Path, project: Path) -> None:
    path = tmp_path / "memory.db"
    with opened(path, project) as ws:
        ws.remember("The ferry leaves at seven")
    with full_disk(), opened(path, project) as ws, opened(path, project) as other:
        assert ws.count() == other.count() == ws.count() == 1


@pytest.mark.parametrize("ending", ["-wal", "-shm"])
def test_nothing_is_acknowledged_into_a_deleted_log(tmp_path: Path, project: Path, ending: str) -> None:
    path = tmp_path / "memory.db"
    with opened(path, project) as ws:
        ws.remember("The ferry leaves at seven")
        Path(f"{path}{ending}").unlink()
        for _ in range(2):
            with pytest.raises(StoreReplaced):
                ws.remember("The ferry leaves at eight")
        assert ws.count() == 1
    with opened(path, project) as ws:
        assert [memory.content for memory in ws.list()] == ["The ferry leaves at seven"]
        ws.remember("The ferry leaves at nine")
    assert_sound(path)
