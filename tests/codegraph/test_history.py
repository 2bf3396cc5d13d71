"""Co-changes: what git says about files that change together, renames followed, and the prediction of companions."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import holdfast
from holdfast.codegraph.history.co_changes import count_co_changes
from holdfast.codegraph.history.commits import ChangedFiles, read_commits
from holdfast.system.git import read_git

pytestmark = pytest.mark.integration

DAY = 86_400


class Repository:
    """A folder under git; commits are a day apart."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.day = 0
        root.mkdir()
        self.git("init", "-q")

    def git(self, *arguments: str) -> None:
        when = f"{1_700_000_000 + self.day * DAY} +0000"
        dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
        command = ["git", *identity, *arguments]
        subprocess.run(command, cwd=self.root, check=True, capture_output=True, env={**os.environ, **dates})

    def commit(self, *paths: str) -> None:
        self.day += 1
        for path in paths:
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            before = file.read_text() if file.exists() else f"# {path}\n" * 20
            file.write_text(before + f"x_{self.day} = {self.day}\n")
        self.git("add", "-A")
        self.git("commit", "-qm", f"day {self.day}")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "project")


@pytest.fixture
def ws(repository: Repository, tmp_path: Path) -> Iterator[holdfast.Workspace]:
    opened = holdfast.open(
        db=str(tmp_path / "m.db"), project=str(repository.root), embedder="none", background=False, index_code=True
    )
    yield opened
    opened.close()


def test_commits_are_read_newest_first_with_the_latest_names(repository: Repository) -> None:
    repository.commit("a.py", "b.py")
    repository.git("mv", "a.py", "c d.py")
    repository.commit("b.py")
    repository.git("mv", "c d.py", "é.py")
    repository.commit("z.py")
    found = [commit.files for commit in read_commits(str(repository.root))]
    assert [set(files) for files in found] == [{"é.py", "z.py"}, {"é.py", "b.py"}, {"é.py", "b.py"}]


def test_without_git_or_commits_there_is_no_history(tmp_path: Path) -> None:
    assert list(read_commits(str(tmp_path))) == []
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    assert list(read_commits(str(tmp_path))) == []


def test_a_long_output_is_cut(repository: Repository) -> None:
    for _ in range(5):
        repository.commit("a.py", "b.py")
    assert len(read_git(str(repository.root), "log", seconds=5, most=50)) == 50
    assert len(list(read_commits(str(repository.root), most=3))) == 3


def test_pairs_are_counted_in_both_directions_and_large_commits_left_out() -> None:
    many = tuple(f"f{n}.py" for n in range(40))
    commits = [
        ChangedFiles("3", 1000 * DAY, ("a", "b"), 2),
        ChangedFiles("2", 270 * DAY, ("a", "b", "gone"), 3),
        ChangedFiles("1", 0, ("a", *many), 41),
    ]
    table = count_co_changes(commits, {"a", "b", *many})
    assert table.files == {"a": (2, 1.5), "b": (2, 1.5)}
    assert [tuple(pair) for pair in table.pairs] == [("a", "b", 2, 1.5), ("b", "a", 2, 1.5)]


def test_impact_names_the_files_to_touch_as_well(repository: Repository, ws: holdfast.Workspace) -> None:
    for _ in range(3):
        repository.commit("app/schema.py", "docs/schema.md")
    repository.commit("app/schema.py", "once.py")
    ws.index(docs=False)
    [partner] = ws.impact("app/schema.py").co_changed
    assert (partner.path, partner.commits, partner.confidence) == ("docs/schema.md", 3, 0.75)
    repository.git("mv", "docs/schema.md", "docs/tables.md")
    repository.commit("other.py")
    ws.index(docs=False)
    assert [found.path for found in ws.impact("app/schema.py").co_changed] == ["docs/tables.md"]


def test_dependencies_complete_what_commits_say(repository: Repository, ws: holdfast.Workspace) -> None:
    repository.commit("app/base.py", "notes.txt")
    repository.commit("app/base.py", "notes.txt")
    (repository.root / "app/user.py").write_text("from app.base import x_1\nprint(x_1)\n")
    (repository.root / "app/test_user.py").write_text("from app.user import x_1\nprint(x_1)\n")
    repository.commit("unrelated.py")
    ws.index(docs=False)
    code = ws.container
    predicted = list(code.companions.predict("app/base.py", code.code_analysis.graph()))
    assert predicted == ["notes.txt", "app/user.py", "app/test_user.py"]
    assert list(code.companions.predict("missing.py", code.code_analysis.graph())) == []
