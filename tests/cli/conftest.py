"""Fixtures that run the program in this process with its own folder, database, home, environment and input."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from holdfast.interfaces.cli.main import run

_GOLDEN = Path(__file__).parent / "golden"
_RENEW = os.environ.get("HOLDFAST_GOLDEN") == "write"
_OUTSIDE = (
    "LC_ALL",
    "LC_MESSAGES",
    "LANG",
    "COLUMNS",
    "NO_COLOR",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "PYTHONUNBUFFERED",
)


@dataclass(frozen=True)
class Ran:
    """The output and exit code of one call."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def id(self) -> str:
        """The first short id in the output."""
        found = re.search(r"\b[0-9a-hjkmnp-tv-z]{8}\b", self.out)
        assert found, self
        return found.group()


Call = Callable[..., Ran]


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project folder as working directory, isolated from the home and environment of this machine."""
    for name in [name for name in os.environ if name.startswith("HOLDFAST_") or name in _OUTSIDE]:
        monkeypatch.delenv(name)
    project = tmp_path / "kelp"
    project.mkdir()
    monkeypatch.chdir(project)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOLDFAST_DB", str(tmp_path / "data" / "memory.db"))
    monkeypatch.setenv("HOLDFAST_BACKGROUND", "0")
    monkeypatch.setenv("HOLDFAST_EMBEDDER", "none")
    return project


@pytest.fixture
def holdfast(world: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Runs `holdfast` with these arguments and this standard input."""

    def call(*argv: str, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = run(list(argv))
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return call


@pytest.fixture
def database(world: Path) -> Path:
    """The path of the database, which does not exist yet."""
    return Path(os.environ["HOLDFAST_DB"])


def assert_golden(name: str, text: str, ids: Iterable[str] = ()) -> None:
    """Compares a text with its golden file, except ids and times; HOLDFAST_GOLDEN=write rewrites the file."""
    settled = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "2026-07-01 12:00", text)
    for id in ids:
        settled = settled.replace(id, "mem_ID").replace(id[-8:], "SHORT_ID")
    file = _GOLDEN / name
    if _RENEW:
        file.write_text(settled, "utf-8")
    assert settled == file.read_text("utf-8"), "if you want this change: HOLDFAST_GOLDEN=write pytest tests/cli"
