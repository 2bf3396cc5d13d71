"""The generated reference pages describe the commands, settings, tools and errors as they are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_reference_is_fresh():
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"run `make docs`:\n{done.stdout}{done.stderr}"
