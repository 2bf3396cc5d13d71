"""Links to devices and named pipes in a project never block, and are never read."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest

import holdfast
from holdfast.core.errors import HoldfastError

PLACES = (
    ".holdfast/project",
    ".gitignore",
    "docs/.gitignore",
    ".git/config",
    ".git/HEAD",
    ".holdfast/memory/MEMORY.md",
)


def make_hostile(path: Path, kind: str) -> None:
    """Makes a pipe, a folder, or a link to a device or to itself where a file is expected."""
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero" if kind == "device" else path)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", ["device", "pipe", "folder", "loop"])
def test_a_hostile_file_blocks_nothing(tmp_path: Path, place: str, kind: str) -> None:
    project = tmp_path / "project"
    for folder in ("docs", ".git", ".holdfast/memory"):
        (project / folder).mkdir(parents=True, exist_ok=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (project / "docs" / "a.md").write_text("# A\n\nThe crane is tall.\n")
    path = project / place
    path.unlink(missing_ok=True)
    make_hostile(path, kind)
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project)) as ws:
        assert ws.remember("The winch is short.").admitted
        assert ws.index().added == 1
        with contextlib.suppress(HoldfastError):
            ws.sync_memory()


@pytest.mark.parametrize("kind", ["device", "pipe", "folder", "loop"])
def test_a_hostile_session_of_specstory_blocks_nothing(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "project" / ".specstory" / "history" / "a.md"
    path.parent.mkdir(parents=True)
    make_hostile(path, kind)
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(tmp_path / "project")) as ws:
        assert ws.import_transcript(str(path.parent)).messages == 0
        assert ws.survey().documents == 0


def test_settings_from_a_pipe_or_device_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    for target in ("/dev/zero", str(tmp_path / "pipe")):
        link = tmp_path / "settings.toml"
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        monkeypatch.setenv("HOLDFAST_SETTINGS", str(link))
        with pytest.raises(holdfast.InvalidSettings, match="regular file"):
            holdfast.open(db=str(tmp_path / "m.db"))


def test_deeply_nested_settings_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("language = " + "[" * 5000 + "]" * 5000)
    monkeypatch.setenv("HOLDFAST_SETTINGS", str(file))
    with pytest.raises(holdfast.InvalidSettings):
        holdfast.open(db=str(tmp_path / "m.db"))


def test_a_linked_folder_of_ours_is_refused(tmp_path: Path) -> None:
    project, keys = tmp_path / "project", tmp_path / "keys"
    project.mkdir()
    keys.mkdir()
    (project / ".holdfast").symlink_to(keys)
    with (
        holdfast.open(db=str(tmp_path / "m.db"), project=str(project)) as ws,
        pytest.raises(HoldfastError, match=r"\.holdfast is a link"),
    ):
        ws.init()
    assert list(keys.iterdir()) == []
