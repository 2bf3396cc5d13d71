"""Questions about projects with broken, strange or missing files: answered or refused, never with a crash."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import holdfast
from holdfast.core.errors import HoldfastError
from holdfast.workspace import Workspace
from tests.codegraph.analysis.conftest import FILES, put


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def commit(root: Path, message: str) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-qm", message)


def nothing(root: Path) -> None:
    pass


def empty_repository(root: Path) -> None:
    git(root, "init", "-q")


def broken_files(root: Path) -> None:
    put(root, "syntax.py", "def f(:\n  class\n\x00" + "(" * 500)
    put(root, "good.py", "def f(): ...\n")
    put(root, "min.js", "var a=" + "b+" * 3_000_000 + "1;")
    put(root, "gen_pb2.py", "x = 1\n")
    (root / "binary.py").write_bytes(os.urandom(5_000))
    (root / "latin.py").write_bytes("# é\n".encode("latin-1") * 50)
    (root / "utf16.ts").write_bytes("let x = 1\n".encode("utf-16"))
    put(root, "deep.py", "x = " + "[" * 3_000 + "]" * 3_000 + "\n")
    put(root, "only_comment.ts", "// nothing\n")
    put(root, "empty.py", "")


def strange_names(root: Path) -> None:
    put(root, "a:b.py", "def f(): ...\n")
    put(root, "space and ünïcode.py", "def f(): ...\n")
    put(root, "-rf.py", "def f(): ...\n")
    put(root, "new\nline.py", "def f(): ...\n")
    put(root, "deep/" * 20 + "x.py", "def f(): ...\n")


def links(root: Path) -> None:
    git(root, "init", "-q")
    put(root, "a.py", "def f(): ...\n")
    (root / "loop").symlink_to(root)
    (root / "self").symlink_to("self")
    (root / "out.py").symlink_to("/etc/passwd")
    os.mkfifo(root / "pipe.py")


def submodule(root: Path) -> None:
    other = root.parent / "other"
    other.mkdir()
    git(other, "init", "-q")
    put(other, "x.py", "def x(): ...\n")
    commit(other, "one")
    git(root, "init", "-q")
    put(root, "a.py", "from sub import x\n")
    git(root, "submodule", "add", "-q", str(other), "sub")
    commit(root, "one")


def shallow(root: Path) -> None:
    other = root.parent / "origin"
    other.mkdir()
    git(other, "init", "-q")
    for n in range(3):
        put(other, "a.py", f"def f(): return {n}\n")
        commit(other, str(n))
    root.rmdir()
    git(root.parent, "clone", "-q", "--depth", "1", f"file://{other}", str(root))


MADE = [nothing, empty_repository, broken_files, strange_names, links, submodule, shallow]


@pytest.mark.integration
@pytest.mark.parametrize("make", MADE, ids=lambda make: make.__name__)
def test_every_question_has_an_answer(tmp_path: Path, make: Callable[[Path], None]) -> None:
    root = tmp_path / "project"
    root.mkdir()
    make(root)
    with holdfast.open(db=str(tmp_path / "h.db"), project=str(root), background=False, embedder="none") as ws:
        report = ws.index()
        assert report.code is not None
        assert ws.stats().code.stale == 0
        ws.modules(), ws.entry_points(), ws.doctor()
        names = [file.path for file in ws.container.reading.code_files(ws.project)]
        for name in [*names, *(f"{name}:f" for name in names), *(f"{name}:1" for name in names), "f", ".", "x:y:z"]:
            for ask in (ws.impact, ws.dependencies, ws.flow):
                with suppress(HoldfastError):
                    ask(name)
        assert not ws.index(rehash=True).code.added  # type: ignore[union-attr] # checked above


def branches(root: Path) -> None:
    """`main` has the sample project, `other` renames a function, moves a file and adds thirty."""
    git(root, "init", "-q", "-b", "main")
    commit(root, "main")
    git(root, "checkout", "-qb", "other")
    put(root, "app/session.py", FILES["app/session.py"].replace("open_session", "start_session"))
    git(root, "mv", "app/client.py", "app/http_client.py")
    for n in range(30):
        put(root, f"more/m{n}.py", "from app.session import start_session\nstart_session('x')\n")
    commit(root, "other")
    git(root, "checkout", "-q", "main")


@pytest.mark.integration
def test_a_switch_of_branches_gives_the_graph_of_the_other_branch(ws: Workspace, project: Path, tmp_path: Path) -> None:
    branches(project)
    ws.index(docs=False)
    before = ws.container.reading.code_graph(ws.project)
    assert ws.impact("open_session").affected
    git(project, "checkout", "-q", "other")
    ws.index(docs=False)
    with pytest.raises(HoldfastError):
        ws.impact("open_session")
    assert len(ws.impact("start_session").affected) > 30
    git(project, "checkout", "-q", "main")
    ws.index(docs=False)
    after = ws.container.reading.code_graph(ws.project)
    assert after.files == before.files
    assert sorted(after.symbols) == sorted(before.symbols)
    assert sorted(after.edges) == sorted(before.edges)


@pytest.mark.integration
def test_an_answer_after_a_switch_of_branches_names_what_is_not_indexed_yet(ws: Workspace, project: Path) -> None:
    branches(project)
    git(project, "checkout", "-q", "other")
    ws.index(docs=False)
    git(project, "checkout", "-q", "main")
    found = ws.impact("start_session")
    assert len(found.stale) > 20
    assert found.affected == ()
    ws.upkeep("code")
    assert ws.impact("open_session").affected
    assert ws.impact("open_session").stale == ()
