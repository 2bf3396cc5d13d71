"""A test run that leaves a file in its folder fails and names the file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


def run(folder: Path, body: str) -> subprocess.CompletedProcess[str]:
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_one.py").write_text(f"def test_one():\n    {body}\n")
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "tests.left_files", "-p", "no:cacheprovider"]
    return subprocess.run(
        [*command, "--rootdir", str(folder), "-c", str(folder / "pytest.ini"), str(folder / "test_one.py")],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.program
def test_a_file_left_behind_fails_the_run(tmp_path: Path) -> None:
    ended = run(tmp_path, f"open({str(tmp_path / 'stray.db')!r}, 'w').close()")
    assert ended.returncode == 1, ended.stdout
    assert "stray.db" in ended.stdout


@pytest.mark.program
def test_a_clean_run_passes(tmp_path: Path) -> None:
    assert run(tmp_path, "pass").returncode == 0
