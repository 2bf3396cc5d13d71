"""Runs the tests of this folder on SQLite alone: they know its files, its SQL and its migrations."""

from __future__ import annotations

import pytest


@pytest.fixture
def engine() -> str:
    return "sqlite"
