"""Finds programs of others that tests run: `make clients` installs them into `.clients`, or into $HOLDFAST_CLIENTS.

A test without its program is skipped; with $HOLDFAST_REQUIRE_CLIENTS, as in continuous integration, it fails.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

import pytest

# Read when imported: tests run without variables that begin with HOLDFAST_.
FOLDER = Path(os.environ.get("HOLDFAST_CLIENTS") or Path(__file__).parents[2] / ".clients")
REQUIRED = bool(os.environ.get("HOLDFAST_REQUIRE_CLIENTS"))
FRAMEWORKS_REQUIRED = bool(os.environ.get("HOLDFAST_REQUIRE_ADAPTERS"))


def node_program(path: str) -> list[str]:
    """The command that runs a program below node_modules."""
    node, program = FOLDER / "bin" / "node", FOLDER / "node_modules" / path
    if not node.exists() or not program.exists():
        missing(f"{program} is not installed: run `make clients`")
    return [str(node), str(program)]


def missing(reason: str) -> NoReturn:
    """Skips the test, or fails it where the programs are required."""
    if REQUIRED:
        pytest.fail(reason)
    pytest.skip(reason)


def without_framework(error: Exception) -> NoReturn:
    """Skips the test or the whole module, or fails it where the frameworks are required."""
    reason = f"{error}; `make adapters` runs these tests"
    if FRAMEWORKS_REQUIRED:
        pytest.fail(reason)
    pytest.skip(reason, allow_module_level=True)
