"""Discovering the documents of a project, and no other files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from holdfast.core.reason import Reason
from holdfast.documents.document_files import IndexProblem, discover
from holdfast.documents.document_reasons import DocumentCode
from holdfast.documents.index_rules import chosen

ANY = chosen("any")


def put(project: Path, *paths: str, text: str = "text") -> None:
    for path in paths:
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text)


def test_documents_by_path_with_their_rule(project: Path) -> None:
    put(project, "README.md", "docs/a.rst", "src/main.py", "docs/words.txt")
    found = discover(str(project), ANY)
    assert {path: file.rule.label for path, file in found.files.items()} == {
        "README.md": "readme",
        "docs/a.rst": "doc",
        "docs/words.txt": "doc",
    }
    assert found.files["README.md"].size == 4
    assert found.problems == []


def test_hidden_folders_and_dependencies_are_skipped(project: Path) -> None:
    put(project, ".git/a.md", ".cache/a.md", "docs/.draft.md", "node_modules/kelp/README.md", "venv/a.md", "a.md")
    assert set(discover(str(project), ANY).files) == {"a.md"}


def test_only_the_roots_are_searched_and_each_file_is_found_once(project: Path) -> None:
    put(project, "a.md", "docs/a.md", "docs/deep/b.md", "notes/c.md")
    assert set(discover(str(project), chosen("any", "docs/deep, docs, nowhere")).files) == {
        "docs/a.md",
        "docs/deep/b.md",
    }


def test_a_search_limited_to_some_paths(project: Path) -> None:
    put(project, "a.md", "docs/a.md", "docs/deep/b.md")
    assert set(discover(str(project), ANY, ["docs/deep", "a.md"]).files) == {"a.md", "docs/deep/b.md"}


def test_a_link_that_leads_out_is_reported_one_that_stays_is_not_followed(project: Path, tmp_path: Path) -> None:
    put(tmp_path, "outside/secret.md")
    put(project, "docs/a.md")
    (project / "docs" / "out.md").symlink_to(tmp_path / "outside" / "secret.md")
    (project / "out").symlink_to(tmp_path / "outside")
    (project / "again").symlink_to(project / "docs")
    (project / "docs" / "loop").symlink_to(project)
    found = discover(str(project), ANY)
    assert set(found.files) == {"docs/a.md"}
    assert [problem.path for problem in found.problems] == ["docs/out.md", "out"]
    assert found.problems[0].reason == Reason.of(DocumentCode.LINK_OUTSIDE)


def test_a_link_that_is_removed_meanwhile_is_passed_over(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(project, "a.md")
    (project / "gone.md").symlink_to(project / "a.md")

    def removed(path: str) -> str:
        raise FileNotFoundError(path)

    root = os.path.realpath(project)
    monkeypatch.setattr(os.path, "realpath", lambda path: root if path == str(project) else removed(path))
    assert set(discover(str(project), ANY).files) == {"a.md"}


def test_a_root_that_is_a_link_is_not_entered(project: Path, tmp_path: Path) -> None:
    put(tmp_path, "outside/secret.md")
    (project / "docs").symlink_to(tmp_path / "outside")
    found = discover(str(project), chosen("any", "docs"))
    assert found.files == {}
    assert [problem.path for problem in found.problems] == ["docs"]


def test_a_file_that_is_too_large_is_reported(project: Path) -> None:
    put(project, "a.md")
    with (project / "big.md").open("wb") as file:
        file.truncate(50_000_000)
    found = discover(str(project), ANY, largest=10_000_000)
    assert set(found.files) == {"a.md"}
    assert found.problems == [
        IndexProblem("big.md", Reason.of(DocumentCode.TOO_LARGE, bytes=50_000_000, limit=10_000_000))
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_named_pipe_is_reported_and_not_opened(project: Path) -> None:
    os.mkfifo(project / "pipe.md")
    assert discover(str(project), ANY).problems == [IndexProblem("pipe.md", Reason.of(DocumentCode.NOT_A_FILE))]


def test_an_unreadable_folder_is_reported() -> None:
    with TemporaryDirectory() as open_to_all:
        project = Path(open_to_all)
        put(project, "a.md", "closed/b.md")
        project.chmod(0o755)
        (project / "closed").chmod(0)
        with unprivileged():
            found = discover(str(project), ANY)
        (project / "closed").chmod(0o700)
    assert (set(found.files), found.unseen) == ({"a.md"}, ["closed"])
    assert found.problems[0].reason.code is DocumentCode.FOLDER_UNREADABLE


@contextmanager
def unprivileged() -> Iterator[None]:
    """Runs as a user who cannot read everything."""
    if not hasattr(os, "geteuid"):
        pytest.skip("no user ids on this system")
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


def test_a_name_that_is_not_utf8_is_reported(project: Path) -> None:
    put(project, "a.md")
    Path(os.fsdecode(os.fsencode(project) + b"/\xff.md")).write_text("text")
    found = discover(str(project), ANY)
    assert set(found.files) == {"a.md"}
    assert found.problems == [IndexProblem("\\udcff.md", Reason.of(DocumentCode.BAD_NAME))]


def test_a_hidden_folder_can_be_a_root(project: Path) -> None:
    put(project, ".plans/a.md", ".plans/.old/b.md")
    assert set(discover(str(project), chosen("any", ".plans")).files) == {".plans/a.md"}
