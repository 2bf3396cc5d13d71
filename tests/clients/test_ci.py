"""How continuous integration treats the clients: installed means required, not installable means skipped."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.program

SCRIPT = Path(__file__).parents[2] / ".ci" / "clients"


@pytest.mark.parametrize(
    ("make", "status"),
    [
        ("exit 0", 0),
        ("echo npm error code E503; exit 2", 75),
        ("sleep 30", 75),
    ],
)
def test_a_failed_installation_is_excused(tmp_path: Path, make: str, status: int) -> None:
    program = tmp_path / "make"
    program.write_text(f"#!/bin/sh\n{make}\n")
    program.chmod(0o755)
    environment = {**os.environ, "CLIENTS_MAKE": str(program), "CLIENTS_SECONDS": "1"}
    done = subprocess.run([str(SCRIPT)], env=environment, capture_output=True, text=True)
    assert done.returncode == status, done


@pytest.mark.parametrize(("required", "outcome"), [("", "1 skipped"), ("1", "1 failed")])
def test_a_missing_client_is_skipped_or_fails(tmp_path: Path, required: str, outcome: str) -> None:
    (tmp_path / "test_missing.py").write_text(
        "from tests.clients import node_program\n\n\ndef test_it():\n    node_program('nowhere/index.js')\n"
    )
    root = str(SCRIPT.parents[1])
    environment = {**os.environ, "HOLDFAST_CLIENTS": str(tmp_path), "HOLDFAST_REQUIRE_CLIENTS": required}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(tmp_path),
        str(tmp_path),
    ]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert outcome in done.stdout, done
    if not required:
        return
    assert "run `make clients`" in done.stdout
