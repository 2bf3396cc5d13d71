"""Cold start from git, and files that were renamed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from holdfast.workspace import Workspace
from tests.observer.sessions import Talk

pytestmark = pytest.mark.integration


def _git(root: str, *arguments: str) -> None:
    name = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", "-C", root, *name, *arguments], check=True, capture_output=True)


def _commit(root: str, subject: str, *paths: str) -> None:
    for path in paths:
        file = Path(root, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text((file.read_text() if file.exists() else "") + f"{subject}\n" * 9)
    _git(root, "add", "-A")
    _git(root, "commit", "-qm", subject)


def _repository(root: str) -> None:
    _git(root, "init", "-q")
    for n in range(4):
        _commit(root, f"fix the total of the invoice {n}", "src/invoice.py", "src/total.py")
        _commit(root, f"faster login {n}", "web/login.py")


def test_commits_stand_in_for_sessions(ws: Workspace) -> None:
    _repository(ws.root)
    report = ws.observe_commits()
    assert report.steps == 8
    [memory] = ws.list(types=["causal_dependency"])
    assert memory.content == "When `src/invoice.py` changes, `src/total.py` usually changes too (4 of 4 changes)."
    assert all(session.startswith("git:") for session in memory.attributes["evidence"])
    assert {file.path for file in ws.predict_files("the invoice is wrong", limit=2)} == {
        "src/invoice.py", "src/total.py"
    }  # fmt: skip
    assert not ws.observe_commits().promoted


def test_a_dry_run_on_commits_stores_nothing(ws: Workspace) -> None:
    _repository(ws.root)
    before = ws.stats().totals
    assert ws.observe_commits(dry_run=True).promoted
    assert ws.stats().totals == before
    assert not ws.container.store.observations.sessions(ws.project, 10)


def test_outside_git_there_is_nothing_to_learn(ws: Workspace) -> None:
    assert ws.observe_commits().steps == 0


def test_commits_no_longer_count_when_enough_sessions_are_known(ws: Workspace) -> None:
    _repository(ws.root)
    for n in range(20):
        ws.container.observer.observe(f"s{n}", Talk(root=ws.root).read("docs/a.md"))
    assert not ws.observe_commits().promoted
    assert {file.path for file in ws.predict_files("the invoice is wrong")} == {"docs/a.md"}


def test_files_of_earlier_sessions_follow_renames(ws: Workspace) -> None:
    _repository(ws.root)
    ws.container.observer.observe("s", Talk("the total is wrong", root=ws.root).edit("src/total.py").events)
    _git(ws.root, "mv", "src/total.py", "src/sum.py")
    _git(ws.root, "commit", "-qm", "rename")
    ws.observe()
    [session] = ws.container.store.observations.sessions(ws.project, 10)
    assert [file.path for file in session.files] == ["src/sum.py"]
