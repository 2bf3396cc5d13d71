"""Git in a repository whose configuration names programs to run."""

from __future__ import annotations

import os
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

import holdfast
from holdfast.system.churn import Churn
from holdfast.system.git import read_git, root_commit, run_git

pytestmark = pytest.mark.integration


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def evil(project: Path) -> Path:
    """A repository with three commits whose configuration names a program for everything that git may start."""
    git(project, "init", "-q")
    for n in range(3):
        (project / "a").write_text(str(n))
        (project / ".gitattributes").write_text("* diff=evil filter=evil")
        git(project, "add", ".")
        git(project, "commit", "-qm", str(n))
    program = project.parent / "program"
    program.write_text(f"#!/bin/sh\ntouch {project.parent}/PWNED\n")
    program.chmod(0o755)
    for name in (
        *("core.fsmonitor", "core.pager", "pager.log", "core.sshCommand", "core.askPass", "gpg.program"),
        *("diff.external", "diff.evil.command", "diff.evil.textconv", "filter.evil.clean", "filter.evil.smudge"),
        *("credential.helper", "core.gitProxy", "core.alternateRefsCommand", "core.editor"),
    ):
        git(project, "config", name, str(program))
    git(project, "config", "log.showSignature", "true")
    git(project, "config", "core.hooksPath", str(project.parent))
    return project


@pytest.fixture
def partial(evil: Path) -> Path:
    """The same as a partial clone that lacks a commit; its remote names a program to fetch it."""
    parent = git(evil, "rev-parse", "HEAD~1")
    for name, value in (
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "evil"),
        ("remote.evil.url", str(evil)),
        ("remote.evil.promisor", "true"),
        ("remote.evil.uploadpack", f"touch {evil.parent}/PWNED; false"),
    ):
        git(evil, "config", name, value)
    (evil / ".git" / "objects" / parent[:2] / parent[2:]).unlink()
    return evil


def churn(folder: Path) -> Churn:
    return Churn(str(folder), lambda: datetime.now(UTC), seconds=30)


def is_pwned(folder: Path) -> bool:
    return (folder.parent / "PWNED").exists()


def test_a_partial_clone_fetches_nothing(partial: Path) -> None:
    assert root_commit(str(partial)) is None
    assert not is_pwned(partial)
    assert churn(partial).scales({1: ("a",)}) == {}
    assert not is_pwned(partial)


@pytest.mark.parametrize("helper", ["ext::{program}", "ssh://host/a", "git://host/a", "https://host.invalid/a"])
def test_no_transport_is_started(partial: Path, helper: str) -> None:
    git(partial, "config", "remote.evil.url", helper.format(program=partial.parent / "program"))
    git(partial, "config", "protocol.allow", "always")
    assert root_commit(str(partial)) is None
    assert not is_pwned(partial)


def test_a_git_that_does_not_know_of_lazy_fetching_fetches_nothing_either(
    partial: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from holdfast.system import git as module

    known = {name: value for name, value in module._ENVIRONMENT.items() if name != "GIT_NO_LAZY_FETCH"}
    monkeypatch.setattr(module, "_ENVIRONMENT", known)
    assert root_commit(str(partial)) is None
    assert not is_pwned(partial)


def test_a_workspace_on_a_partial_clone_starts_no_program(partial: Path, tmp_path: Path) -> None:
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(partial)) as ws:
        ws.remember("The tower stands on the hill.", files=("a",))
        ws.recall("Where does the tower stand?")
    assert not is_pwned(partial)


def test_configured_programs_are_not_started(evil: Path) -> None:
    signed = git(evil, "cat-file", "commit", "HEAD").replace("\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n\n", 1)
    made = subprocess.run(
        ["git", "-C", str(evil), "hash-object", "-t", "commit", "-w", "--stdin", "--literally"],
        input=signed + "\n", capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    (evil / ".git" / "refs" / "heads" / "signed").write_text(made + "\n")
    (evil / ".git" / "HEAD").write_text("ref: refs/heads/signed\n")
    assert root_commit(str(evil)) == git(evil, "rev-list", "--max-parents=0", "HEAD")
    assert churn(evil).scales({1: ("a",)}) == {1: 1.0}
    assert not is_pwned(evil)


def test_git_that_fails_is_slow_or_missing_gives_none(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_git(str(project), "rev-parse", "HEAD", seconds=30) is None
    assert run_git(str(project), "version", seconds=0.0) is None
    assert b"git version" in (run_git(str(project), "version", seconds=30) or b"")
    monkeypatch.setenv("PATH", os.devnull)
    assert run_git(str(project), "version", seconds=30) is None


OPENED = ("HEAD", "config", "index", "packed-refs", "shallow", "info/exclude", "objects/info/alternates")


@pytest.mark.parametrize("name", OPENED)
def test_git_is_not_started_where_it_would_wait_for_a_pipe(
    project: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(project, "init", "-q")
    assert run_git(str(project), "version", seconds=30)
    worktree = project.parent / "worktree"
    git(project, "commit", "-qm", "first", "--allow-empty")
    git(project, "worktree", "add", "-q", str(worktree))
    (project / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(project / ".git" / name)

    def start(*_: object, **__: object) -> None:
        raise AssertionError("git was started")

    monkeypatch.setattr(subprocess, "Popen", start)
    for folder in (project, worktree):
        assert run_git(str(folder), "ls-files", seconds=30) is None
        assert read_git(str(folder), "ls-files", seconds=30, most=10) == b""


@pytest.mark.parametrize("name", [".gitignore", ".gitattributes", "deep/er/.gitignore"])
def test_git_never_waits_long_for_a_pipe_of_the_project(project: Path, name: str) -> None:
    git(project, "init", "-q")
    (project / "deep" / "er").mkdir(parents=True)
    (project / "deep" / "er" / "a.txt").write_text("a")
    os.mkfifo(project / name)
    begun = time.monotonic()
    run_git(str(project), "ls-files", "-co", "--exclude-standard", seconds=60)
    assert time.monotonic() - begun < 30


def test_what_a_long_command_prints_is_complete(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(project, "init", "-q")
    (project / "a.txt").write_text("a")
    monkeypatch.setattr("holdfast.system.git._PATIENCE", 0.0001)
    assert run_git(str(project), "ls-files", "-o", seconds=60) == b"a.txt\n"
