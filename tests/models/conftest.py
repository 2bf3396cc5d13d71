"""What every test of this room shares."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _tidy(tmp_path: Path) -> Iterator[None]:
    """Model files are large; pytest would keep those of the last three runs."""
    yield
    shutil.rmtree(tmp_path)
