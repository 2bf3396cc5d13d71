"""A command that never imports numpy finds what a process with numpy finds."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.models import own_model
from tests.models.own_files import write_model

pytestmark = pytest.mark.program

_ASK = """
import json, sys
from holdfast.models import own_model
own_model.OWN = {model!r}
import holdfast
queries = [
    ("which crane loads the ferry", {{}}),
    ("what did I paint last May", {{"types": ["episode"]}}),
    ("pier 7", {{"files": ["a.md"]}}),
    ("the storm of 1993", {{"temporal": "recent:3"}}),
    ("bananas on the moon", {{"abstain": False}}),
]
answers = []
with holdfast.open({db!r}, {project!r}, background=False, query_model="static") as ws:
    for query, how in queries:
        found = ws.recall(query, count=False, **how)
        answers.append([(hit.id, hit.text, round(hit.score, 3), hit.why.paths) for hit in found.hits])
        answers.append([hit.id for hit in ws.search_documents(query, count=False).hits])
print(json.dumps(answers))
print("numpy" in sys.modules)
"""


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A store with memories, messages and documents, and static vectors of all of them."""
    model, project = write_model(tmp_path / "own"), tmp_path / "project"
    project.mkdir()
    monkeypatch.setattr(own_model, "OWN", str(model))
    db = str(tmp_path / "memory.db")
    with holdfast.open(db, str(project), background=False, memory_files=False) as ws:
        for n in range(30):
            ws.remember(
                f"Crane {n} loads the ferry at pier {n % 9} since the storm of {1970 + n}.", files=["docs/a.md"]
            )
            ws.session(f"s{n % 4}").say("user", f"I painted boat {n} at pier {n % 7} with my sister.")
        for n in range(150):
            ws.add_document(f"docs/{n}.md", f"# Berth {n}\n\nThe ferry to island {n} leaves from pier {n % 9}.\n")
    return {"model": str(model), "db": db, "project": str(project)}


def ask(places: dict[str, str], before: str = "") -> tuple[Any, bool]:
    done = subprocess.run(
        [sys.executable, "-c", before + _ASK.format(**places)], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    answers, has_numpy = done.stdout.splitlines()
    return json.loads(answers), has_numpy == "True"


def test_the_hits_are_the_same_without_numpy(places: dict[str, str]) -> None:
    without, had_numpy = ask(places, "from holdfast.store.vectors import scan; scan._MOST_SEARCHES = 99\n")
    assert not had_numpy
    assert without[0]
    assert (without, True) == ask(places, "import numpy\n")
