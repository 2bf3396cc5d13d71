"""Files that somebody else placed are read safely; files of ours are private, whatever the umask."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.system.files import (
    create_file,
    exchange,
    link_below,
    make_folders,
    open_to_append,
    read_file,
    readable_by_others,
    replace_file,
    write_all,
)


@pytest.fixture(params=[0o000, 0o022, 0o077, 0o777])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_and_its_folders_are_private_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    path = tmp_path / "a" / "b" / "c"
    make_folders(path.parent)
    os.close(create_file(path))
    assert [mode(path), mode(path.parent), mode(path.parent.parent)] == [0o600, 0o700, 0o700]


def test_a_file_may_take_the_mode_of_the_one_it_replaces(tmp_path: Path, umask: int) -> None:
    old = tmp_path / "old"
    old.write_text("")
    old.chmod(0o640)
    os.close(create_file(tmp_path / "new", like=old))
    os.close(create_file(tmp_path / "other", like=tmp_path / "missing"))
    assert (mode(tmp_path / "new"), mode(tmp_path / "other")) == (0o640, 0o600)


def test_an_existing_file_is_not_created_again(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("kept")
    with pytest.raises(FileExistsError):
        create_file(tmp_path / "a")


def test_existing_folders_keep_their_mode(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a").chmod(0o755)
    make_folders(tmp_path / "a" / "b")
    assert (mode(tmp_path / "a"), mode(tmp_path / "a" / "b")) == (0o755, 0o700)


def test_only_regular_files_of_a_limited_size_are_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    assert read_file(tmp_path / "a", 5) == b"12345"
    with pytest.raises(OSError, match="more than 4 bytes"):
        read_file(tmp_path / "a", 4)


@pytest.mark.parametrize("target", ["/dev/zero", "pipe", "folder", "missing"])
@pytest.mark.parametrize("links", [True, False])
def test_devices_pipes_and_folders_are_refused_at_once(tmp_path: Path, target: str, links: bool) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(target if target.startswith("/") else tmp_path / target)
    for path in ("link", target):
        with pytest.raises(OSError, match=r"regular|directory|link|levels"):
            read_file(tmp_path / path, 1000, links=links)


def test_a_link_to_a_file_is_read_only_if_links_are_allowed(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "link").symlink_to("a")
    assert read_file(tmp_path / "link", 5, links=True) == b"1"
    with pytest.raises(OSError, match="levels"):
        read_file(tmp_path / "link", 5)


def test_a_replaced_file_keeps_its_mode_and_a_new_one_is_private(tmp_path: Path, umask: int) -> None:
    old = tmp_path / "old"
    for keep, expected in ((True, 0o640), (False, 0o600)):
        old.write_text("old")
        old.chmod(0o640)
        replace_file(old, b"new", keep_mode=keep)
        assert (old.read_bytes(), mode(old)) == (b"new", expected)
    replace_file(tmp_path / "new", b"")
    assert mode(tmp_path / "new") == 0o600
    assert sorted(os.listdir(tmp_path)) == ["new", "old"]


def test_replacing_a_link_or_a_pipe_never_writes_through_it(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("kept")
    (tmp_path / "link").symlink_to("other")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe"):
        replace_file(tmp_path / name, b"new")
        assert (tmp_path / name).read_bytes() == b"new"
    assert (tmp_path / "other").read_text() == "kept"


@pytest.mark.parametrize("failing", ["write", "fsync", "replace"])
def test_a_failing_replacement_leaves_the_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "a").write_text("kept")
    with monkeypatch.context() as patched:
        patched.setattr(os, failing, fail)
        with pytest.raises(OSError, match="No space"):
            replace_file(tmp_path / "a", b"new")
    assert (os.listdir(tmp_path), (tmp_path / "a").read_text()) == (["a"], "kept")


def test_appending_creates_a_private_file(tmp_path: Path, umask: int) -> None:
    for line in (b"one ", b"two"):
        handle = open_to_append(tmp_path / "a")
        write_all(handle, line)
        os.close(handle)
    assert ((tmp_path / "a").read_bytes(), mode(tmp_path / "a")) == (b"one two", 0o600)


def test_nothing_is_appended_to_a_link_or_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("kept")
    (tmp_path / "link").symlink_to("other")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe"):
        with pytest.raises(OSError, match=r"levels|regular"):
            open_to_append(tmp_path / name)
    assert (tmp_path / "other").read_text() == "kept"


def test_the_first_link_below_a_folder_is_named(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (tmp_path / "real" / "inner").mkdir(parents=True)
    root.symlink_to("real")
    assert link_below(root, root / "inner" / "missing" / "file") is None
    (root / "inner" / "link").symlink_to("/nowhere")
    assert link_below(root, root / "inner" / "link" / "file") == str(root / "inner" / "link")
    assert link_below(root, root / "inner" / "link") == str(root / "inner" / "link")
    assert link_below(root / "inner", root) is None


def test_two_files_are_exchanged(tmp_path: Path) -> None:
    for name in ("a", "b"):
        handle = create_file(tmp_path / name)
        write_all(handle, name.encode())
        os.close(handle)
    assert exchange(str(tmp_path / "a"), str(tmp_path / "b"))
    assert ((tmp_path / "a").read_text(), (tmp_path / "b").read_text()) == ("b", "a")
    assert not exchange(str(tmp_path / "a"), str(tmp_path / "missing"))


def test_files_that_others_can_read_are_found(tmp_path: Path) -> None:
    folder = tmp_path / "f"
    make_folders(folder / "inner")
    for path in (folder / "one", folder / "inner" / "two"):
        path.write_text("")
        path.chmod(0o644)
    assert list(readable_by_others(str(folder))) == []
    folder.chmod(0o755)
    assert list(readable_by_others(str(folder))) == [str(folder / "one")]
    (folder / "inner").chmod(0o711)
    assert list(readable_by_others(str(folder))) == [str(folder / "one"), str(folder / "inner" / "two")]
    assert list(readable_by_others(str(tmp_path / "missing"))) == []
