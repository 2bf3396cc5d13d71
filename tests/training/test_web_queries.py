"""Queries of a search engine: what is measured is left out, and a copy must have the bytes of the original."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from training.sources import Mirrors, MissingFile, Source

from training import sources, web_queries


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def row(query: str, code: str, label: int) -> dict[str, Any]:
    return {"doc": query, "code": code, "label": label}


TRAIN = [
    row('"Python read file"', "def read(): ...", 1),
    row("python read file", "def write(): ...", 0),
    row("python asked elsewhere", "def write(): ...", 1),
    row("python close file", "def measured(): ...", 1),
    row("python only wrong", "def write(): ...", 0),
]


@pytest.fixture
def mirrors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mirrors:
    """A clone with the other parts and a train part that is listed but absent, and a copy of it in parts."""
    origin, copy = tmp_path / "Jun-jie-Huang+CoCLR", tmp_path / "rlucas7+code-searcher"
    other = [row("python asked elsewhere", "def measured(): ...", 1)]
    files = {name: json.dumps(other) for name in web_queries.OTHER_PARTS}
    files[web_queries.TRAIN] = json.dumps(TRAIN, indent=1)
    parts = {name: json.dumps(TRAIN[at : at + 1]) for at, name in enumerate(web_queries.COPIED_PARTS)}
    for folder, found in ((origin, files), (copy, parts)):
        for name, text in found.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        git(folder, "init", "-q")
        git(folder, "add", ".")
        git(folder, "commit", "-qm", "all")
    blob = git(origin, "rev-parse", f"HEAD:{web_queries.TRAIN}")
    (origin / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    listed = {web_queries.SET: Source(web_queries.SET, git(origin, "rev-parse", "HEAD"), "MIT", "LICENSE", "all", "us")}
    monkeypatch.setattr(sources, "sources", lambda: listed)
    monkeypatch.setattr(web_queries, "COPY_COMMIT", git(copy, "rev-parse", "HEAD"))
    return Mirrors(tmp_path)


def test_measured_queries_and_functions_are_left_out(mirrors: Mirrors) -> None:
    assert list(web_queries.pairs(mirrors)) == [
        {"query": "python read file", "right": ["def read(): ..."], "wrong": ["def write(): ..."]}
    ]


def test_a_copy_that_differs_is_refused(mirrors: Mirrors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_queries, "COPIED_PARTS", web_queries.COPIED_PARTS[:-1])
    with pytest.raises(MissingFile, match="differs from it"):
        list(web_queries.pairs(mirrors))


def test_a_docstring_is_removed() -> None:
    assert web_queries.undocumented('def a():\n    """Says."""\n    return 1') == "def a():\n    return 1"
    assert web_queries.undocumented("def a():\n    return 1") == "def a():\n    return 1"
    assert web_queries.undocumented("print 1") == "print 1"
