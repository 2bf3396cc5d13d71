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
    _commit(ws.root, "docs: write", "docs/a.md")
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


def _record(ws: Workspace, session: str, *paths: str) -> None:
    for path in paths:
        ws.after_tool(session, "Edit", {"file_path": path, "old_string": "a", "new_string": "b"}, "done")


def test_a_rename_stays_when_journals_are_observed_again(ws: Workspace) -> None:
    _repository(ws.root)
    for number in range(3):
        _record(ws, f"s{number}", "src/total.py", "src/invoice.py")
    ws.observe()
    _git(ws.root, "mv", "src/total.py", "src/sum.py")
    # A rename that is staged counts already.
    for _ in range(2):
        ws.observe()
        sessions = ws.container.store.observations.sessions(ws.project, 10)
        assert {file.path for one in sessions for file in one.files} == {"src/invoice.py", "src/sum.py"}
        [memory] = ws.list(types=["causal_dependency"])
        assert memory.content == "When `src/invoice.py` changes, `src/sum.py` usually changes too (3 of 3 sessions)."
        assert dict(memory.fields)["also_touch"] == ["src/sum.py"]
        assert set(memory.files) == {"src/invoice.py", "src/sum.py"}
        assert {relation.file for relation in memory.relations} == {"src/sum.py"}
        assert ws.recall("src/sum.py usually changes too").hits
        _git(ws.root, "commit", "-qm", "rename", "--allow-empty")
    assert [event.verb for event in ws.history(memory.id)].count("follow") == 1
    assert {file.path for file in ws.predict_files("the total")} == {"src/invoice.py", "src/sum.py"}


def test_a_file_that_a_session_used_under_both_names_is_one(ws: Workspace) -> None:
    _repository(ws.root)
    _record(ws, "s", "src/total.py", "src/sum.py")
    _git(ws.root, "mv", "src/total.py", "src/sum.py")
    ws.observe()
    [session] = ws.container.store.observations.sessions(ws.project, 10)
    assert [(file.path, file.first, file.edits, file.edit) for file in session.files] == [("src/sum.py", 1, 2, 1)]


def test_a_new_file_with_the_name_of_a_renamed_one_keeps_it(ws: Workspace) -> None:
    _repository(ws.root)
    _git(ws.root, "mv", "src/total.py", "src/sum.py")
    _git(ws.root, "commit", "-qm", "rename")
    (Path(ws.root) / "src/total.py").write_text("TOTAL = 1")
    _record(ws, "s", "src/total.py")
    ws.observe()
    [session] = ws.container.store.observations.sessions(ws.project, 10)
    assert [file.path for file in session.files] == ["src/total.py"]
