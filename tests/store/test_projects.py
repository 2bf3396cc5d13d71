"""How every engine must recognise projects, tested with real git."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from holdfast.core.ids import Ids
from holdfast.store.protocol import Store
from holdfast.system.project import MARKER, head_commit, normalise_remote, read_identity, relative
from tests.store.conftest import NOW

REMOTE = "https://example.org/ada/engine.git"
Know = Callable[..., str]


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def repository(folder: Path, remote: str | None = None, text: str = "one") -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    (folder / "a.txt").write_text(text)
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", text)
    if remote:
        git(folder, "remote", "add", "origin", remote)
    return folder


@pytest.fixture
def know(make_store: Callable[[], Store]) -> Know:
    store, ids = make_store(), Ids()

    def recognise(folder: Path, identity: str = "git") -> str:
        return str(store.projects.recognise(read_identity(str(folder), identity), ids.new(), NOW))

    return recognise


def test_a_repository_is_one_project_from_any_folder_in_it(know: Know, tmp_path: Path) -> None:
    repo = repository(tmp_path / "a")
    (repo / "deep" / "er").mkdir(parents=True)
    assert know(repo) == know(repo / "deep" / "er") == know(repo)


def test_two_repositories_are_two_projects(know: Know, tmp_path: Path) -> None:
    assert know(repository(tmp_path / "a")) != know(repository(tmp_path / "b", text="two"))


def test_a_worktree_shares(know: Know, tmp_path: Path) -> None:
    repo = repository(tmp_path / "a")
    known = know(repo)
    git(repo, "worktree", "add", "-q", str(tmp_path / "w"))
    assert know(tmp_path / "w") == known
    assert read_identity(str(tmp_path / "w")).root == str(tmp_path / "w")
    assert head_commit(str(tmp_path / "w")) == git(repo, "rev-parse", "HEAD")


@pytest.mark.parametrize("remote", [None, REMOTE])
def test_a_moved_repository_keeps_its_memory(know: Know, tmp_path: Path, remote: str | None) -> None:
    repo = repository(tmp_path / "a", remote)
    known = know(repo)
    repo.rename(tmp_path / "b")
    assert know(tmp_path / "b") == known
    assert know(tmp_path / "b") == known


def test_a_copy_without_remote_is_another_project(know: Know, tmp_path: Path) -> None:
    repo = repository(tmp_path / "a")
    known = know(repo)
    shutil.copytree(repo, tmp_path / "b")
    assert know(tmp_path / "b") != known
    assert know(repo) == known


def test_a_remote_added_later_keeps_the_memory(know: Know, tmp_path: Path) -> None:
    repo = repository(tmp_path / "a")
    known = know(repo)
    git(repo, "remote", "add", "origin", REMOTE)
    assert know(repo) == known
    assert know(repository(tmp_path / "b", REMOTE)) == known


def test_a_remote_that_moved_keeps_the_memory_and_frees_its_old_name(know: Know, tmp_path: Path) -> None:
    repo = repository(tmp_path / "a", REMOTE)
    known = know(repo)
    git(repo, "remote", "set-url", "origin", "https://example.org/ada/renamed")
    assert know(repo) == known
    other = know(repository(tmp_path / "b", REMOTE, "two"))
    assert other != known
    assert know(repo) == known


def test_a_clone_of_the_same_remote_shares(know: Know, tmp_path: Path) -> None:
    known = know(repository(tmp_path / "a", REMOTE))
    assert know(repository(tmp_path / "b", "git@example.org:ada/engine.git")) == known
    assert know(tmp_path / "a") == known


@pytest.mark.parametrize(
    ("remote", "name"),
    [
        (REMOTE, "engine"),
        ("git@example.org:ada/engine.git", "engine"),
        ("/srv/mirrors/engine/repo", "work"),
        (None, "work"),
    ],
)
def test_a_project_is_named_by_its_remote_unless_that_is_a_folder(
    tmp_path: Path, remote: str | None, name: str
) -> None:
    assert read_identity(str(repository(tmp_path / "work", remote)), "git").name == name


def test_a_copy_with_another_remote_does_not_share(know: Know, tmp_path: Path) -> None:
    repo = repository(tmp_path / "a", REMOTE)
    known = know(repo)
    shutil.copytree(repo, tmp_path / "b")
    git(tmp_path / "b", "remote", "set-url", "origin", "https://example.org/eve/engine")
    assert know(tmp_path / "b") != known
    assert know(repo) == known


def test_a_copied_marker_does_not_join_a_repository_of_another_remote(know: Know, tmp_path: Path) -> None:
    repo = repository(tmp_path / "a", REMOTE)
    _mark(repo, "house-of-ada")
    known = know(repo)
    assert known == "house-of-ada"
    shutil.copytree(repo, tmp_path / "b")
    git(tmp_path / "b", "remote", "set-url", "origin", "https://example.org/eve/engine")
    assert know(tmp_path / "b") != known
    assert know(repo) == known


def test_a_downloaded_folder_cannot_claim_a_project_by_guessing_its_id(know: Know, tmp_path: Path) -> None:
    known = know(repository(tmp_path / "a", REMOTE))
    _mark(tmp_path / "download", known)
    assert know(tmp_path / "download") != known


def test_a_marked_folder_keeps_its_memory_when_moved(know: Know, tmp_path: Path) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    known = know(folder)
    _mark(folder, known)
    folder.rename(tmp_path / "b")
    (tmp_path / "b" / "inner").mkdir()
    assert know(tmp_path / "b") == know(tmp_path / "b" / "inner") == known


def test_a_marked_folder_keeps_its_memory_when_it_becomes_a_repository(know: Know, tmp_path: Path) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    known = know(folder)
    _mark(folder, known)
    git(folder, "init", "-q")
    assert know(folder) == known
    git(folder, "remote", "add", "origin", REMOTE)
    assert know(folder) == known


def test_an_unmarked_folder_is_known_by_its_place(know: Know, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    known = know(tmp_path / "a")
    assert know(tmp_path / "a") == known
    (tmp_path / "a").rename(tmp_path / "b")
    assert know(tmp_path / "b") != known


def test_by_folder_two_clones_are_two_projects(know: Know, tmp_path: Path) -> None:
    a, b = repository(tmp_path / "a", REMOTE), repository(tmp_path / "b", REMOTE)
    assert know(a, "folder") != know(b, "folder")
    assert know(a, "folder") == know(a, "folder")


def test_a_folder_met_by_many_at_once_is_one_project(make_store: Callable[[], Store], tmp_path: Path) -> None:
    signs, ids = read_identity(str(tmp_path)), Ids()
    stores = [make_store() for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda store: store.projects.recognise(signs, ids.new(), NOW), stores))
    assert len(found) == 1
    assert len(stores[0].reading.projects()) == 1


@pytest.mark.parametrize(
    "url",
    [
        "git@Example.org:ada/engine.git",
        "https://example.org/ada/engine",
        "https://ada:token@example.org/ada/engine.git/",
        "ssh://git@example.org:22/ada/engine",
    ],
)
def test_one_remote_is_written_in_many_ways(url: str) -> None:
    assert normalise_remote(url) == "example.org/ada/engine"


def test_the_checked_out_commit_is_read_without_git(tmp_path: Path) -> None:
    repo = repository(tmp_path / "a")
    head = git(repo, "rev-parse", "HEAD")
    assert head_commit(str(repo)) == head
    git(repo, "pack-refs", "--all")
    assert head_commit(str(repo)) == head
    git(repo, "checkout", "-q", "--detach")
    assert head_commit(str(repo)) == head
    assert head_commit(str(tmp_path)) is None


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        ("src/a.py", "src/a.py"),
        ("./src/../a.py", "a.py"),
        ("/root-of/p/a.py", "a.py"),
        ("../a.py", None),
        ("/etc/passwd", None),
        ("/root-of/p2/a.py", None),
        (".", "."),
    ],
)
def test_paths_stay_inside(path: str, inside: str | None) -> None:
    assert relative(path, "/root-of/p") == inside


def _mark(folder: Path, id: str) -> None:
    (folder / MARKER).parent.mkdir(parents=True)
    (folder / MARKER).write_text(id + "\n")


@pytest.mark.integration
@pytest.mark.parametrize(
    "head",
    [
        "ref: ../../secret",
        "ref: refs/../../../secret",
        "ref: refs/heads/../../../../secret",
        "ref: {folder}/secret",
        "ref: refs/{folder}/secret",
        "ref: refs/heads/link",
        "ref: refs/heads/text",
        "ref: refs/heads/packed",
        "ref: refs/heads/nul\0",
        "ref: refs/heads",
        "ref: refs/heads/nested",
        "password hunTer22x",
        "g" * 40,
        "a" * 41,
        "١" * 40,
    ],
)
def test_a_hostile_head_reads_no_other_file(tmp_path: Path, head: str) -> None:
    repo = repository(tmp_path / "a")
    (tmp_path / "secret").write_text("machine api.example.org login bob password hunTer22x\n")
    heads = repo / ".git" / "refs" / "heads"
    (heads / "link").symlink_to(tmp_path / "secret")
    (heads / "text").write_text("password hunTer22x\n")
    (heads / "nested").write_text("ref: refs/heads/main\n")
    (repo / ".git" / "packed-refs").write_text("hunTer22x refs/heads/packed\n")
    (repo / ".git" / "HEAD").write_text(head.format(folder=tmp_path) + "\n")
    assert head_commit(str(repo)) is None


@pytest.mark.parametrize("digits", [40, 64])
def test_a_commit_of_either_length_is_read(tmp_path: Path, digits: int) -> None:
    repo = repository(tmp_path / "a")
    (repo / ".git" / "HEAD").write_text("0a" * (digits // 2) + "\n")
    assert head_commit(str(repo)) == "0a" * (digits // 2)
