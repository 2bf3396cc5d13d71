"""The README shows what two sessions of an agent really get."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

pytestmark = pytest.mark.program

SCRIPT = Path(__file__).parents[2] / "demo" / "sessions.py"


def test_the_readme_shows_the_two_sessions() -> None:
    spec = importlib.util.spec_from_file_location("sessions", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    sessions = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sessions)
    page = sessions.README.read_text(encoding="utf-8")
    shown = page.partition(sessions.BEGIN)[2].partition(sessions.END)[0]
    assert sessions.masked(shown) == sessions.masked(f"\n```text\n{sessions.cast()}```\n"), (
        "run `python demo/sessions.py --write`"
    )
