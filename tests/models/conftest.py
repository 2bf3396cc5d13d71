"""Fixtures for the tests of the models package."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _tidy(tmp_path: Path) -> Iterator[None]:
    """Removes the model files, which are large; pytest would keep those of the last three runs."""
    yield
    shutil.rmtree(tmp_path)
