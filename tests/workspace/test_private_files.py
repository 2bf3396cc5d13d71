"""Every file that Holdfast writes is readable by its user alone, whatever the umask, and keeps a mode it was given."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

import holdfast
from holdfast.core.health import HealthLevel
from holdfast.system import settings_file as settings


@pytest.fixture(params=[0o000, 0o022])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def exposed(folder: Path) -> list[str]:
    """Files and folders that somebody else may read, write or enter."""
    return [f"{path} {path.stat().st_mode:o}" for path in folder.rglob("*") if path.stat().st_mode & 0o077]


def test_a_whole_life_leaves_no_file_to_others(tmp_path: Path, umask: int) -> None:
    project, data = tmp_path / "project", tmp_path / "data"
    project.mkdir(mode=0o755)
    with holdfast.open(db=str(data / "x" / "m.db"), project=str(project)) as ws:
        ws.init()
        session = ws.session("s")
        session.say("user", "From now on always use tabs in this repository.")
        session.end()
        ws.remember("The crane is tall.")
        ws.consolidate()
        ws.sync_memory()
        ws.doctor(repair=True)
        assert {path.name for path in project.rglob("*")} >= {"MEMORY.md", "HISTORY.md", "project", ".gitignore"}
        assert [finding.check for finding in ws.doctor().findings if finding.check == "files"] == []
    assert exposed(project) == []
    assert exposed(data) == []


def test_settings_are_private_and_keep_the_mode_that_a_person_chose(tmp_path: Path, umask: int) -> None:
    file = tmp_path / "config" / "settings.toml"
    settings.save(str(file), "language", "fr")
    assert exposed(tmp_path) == []
    file.chmod(0o640)
    settings.save(str(file), "language", "en")
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    file.chmod(0o600)
    settings.save(str(file), "language", "fr")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_page_that_a_person_shares_stays_shared(tmp_path: Path) -> None:
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(tmp_path)) as ws:
        ws.remember("The crane is tall.")
        ws.sync_memory()
        page = Path(ws.memory_file)
        page.chmod(0o644)
        ws.remember("The winch is short.")
        assert ws.sync_memory().written
        assert stat.S_IMODE(page.stat().st_mode) == 0o644


def test_doctor_says_that_others_can_read_the_conversations(tmp_path: Path) -> None:
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(tmp_path)) as ws:
        ws.remember("The crane is tall.")
        ws.sync_memory()
        page = Path(ws.memory_file)
        for path in (page, page.parent, page.parent.parent):
            path.chmod(0o755)
        found = [finding for finding in ws.doctor().findings if finding.check == "files"]
        assert [(finding.level, finding.detail.code) for finding in found] == [
            (HealthLevel.WARNING, "upkeep.files_readable")
        ]
