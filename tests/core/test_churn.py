"""How often files change, counted in real repositories."""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from holdfast.system.churn import Churn

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def git(folder: Path, *words: str, at: str = "") -> None:
    dated = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at} if at else {}
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True, env={**os.environ, **dated})


def commit(folder: Path, name: str, day: str, times: int = 1) -> None:
    for n in range(times):
        (folder / name).write_text(f"{day} {n}")
        git(folder, "add", name)
        git(folder, "commit", "-q", "-m", name, at=f"{day}T12:00:{n:02d}Z")


def churn(folder: Path, **more: Any) -> Churn:
    return Churn(str(folder), lambda: NOW, **{"seconds": 30, **more})


@pytest.mark.integration
def test_busy_files_fade_faster_and_quiet_ones_slower(project: Path) -> None:
    git(project, "init", "-q")
    commit(project, "old.py", "2025-10-01", 3)
    commit(project, "monthly é.py", "2026-02-01", 3)
    commit(project, "busy.py", "2026-02-20", 12)
    counted = churn(project)
    files = {1: ("old.py",), 2: ("monthly é.py",), 3: ("old.py", "busy.py"), 4: ("unknown.py",)}
    assert counted.scales(files) == {1: 0.5, 2: 1.0, 3: 2.0, 4: 0.5}
    commit(project, "old.py", "2026-02-25", 3)
    assert counted.scales({1: ("old.py",)}) == {1: 1.0}


def test_outside_git_or_when_git_is_slow_all_is_as_usual(project: Path) -> None:
    assert churn(project).scales({1: ("a.py",)}) == {}
    git(project, "init", "-q")
    assert churn(project).scales({1: ("a.py",)}) == {}
    commit(project, "a.py", "2026-02-01")
    assert churn(project, seconds=0.0).scales({1: ("a.py",)}) == {}
    assert churn(project).scales({}) == {}
