"""Finds programs of others that tests run: `make clients` installs them into `.clients`, or into $HOLDFAST_CLIENTS.

A test without its program is skipped; with $HOLDFAST_REQUIRE_CLIENTS, as in continuous integration, it fails.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

# Read when imported: tests run without variables that begin with HOLDFAST_.
FOLDER = Path(os.environ.get("HOLDFAST_CLIENTS") or Path(__file__).parents[2] / ".clients")
REQUIRED = bool(os.environ.get("HOLDFAST_REQUIRE_CLIENTS"))


def node_program(path: str) -> list[str]:
    """The command that runs a program below node_modules."""
    node, program = FOLDER / "bin" / "node", FOLDER / "node_modules" / path
    if not node.exists() or not program.exists():
        missing(f"{program} is not installed: run `make clients`")
    return [str(node), str(program)]


def missing(reason: str) -> None:
    """Skips the test, or fails it where the programs are required."""
    if REQUIRED:
        pytest.fail(reason)
    pytest.skip(reason)
