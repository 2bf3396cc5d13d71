"""Runs the recipes of docs/extending.md as programs outside the package, and checks the files they name."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
SECTIONS = {
    title: text for title, _, text in (part.partition("\n") for part in re.split(r"^## ", PAGE, flags=re.M)[1:])
}
PROGRAMS = {title: "".join(re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)) for title, text in SECTIONS.items()}


def test_the_recipes_are_there():
    assert list(SECTIONS) == [
        "Add a memory type",
        "Add a recall path",
        "Add a transcript format",
        "Add a store engine",
        "Add a background job",
        "Add a command and an MCP tool",
        "Add a secret rule",
        "Add a language of the code graph",
        "Add an HTTP route",
    ]


@pytest.mark.parametrize("title", [title for title, program in PROGRAMS.items() if program])
def test_the_recipe_works_from_outside_the_package(title, tmp_path):
    assert "assert " in PROGRAMS[title]
    (tmp_path / "extension.py").write_text(PROGRAMS[title], encoding="utf-8")
    outside = {name: value for name, value in os.environ.items() if not name.startswith(("HOLDFAST_", "PYTHONPATH"))}
    ran = subprocess.run(
        [sys.executable, "extension.py"], cwd=tmp_path, env=outside, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


def test_at_least_two_recipes_are_programs():
    assert sum(map(bool, PROGRAMS.values())) >= 2


def test_every_file_that_a_recipe_names_exists():
    named = set(re.findall(r"`((?:[\w-]+/)*[\w-]+\.(?:py|json|md))`", PAGE)) - {"MEMORY.md"}
    folders = set(re.findall(r"`((?:store|interfaces|tests)/[\w/]+)`", PAGE))
    homes = (ROOT / "src" / "holdfast", ROOT)
    missing = [name for name in named | folders if not any((home / name).exists() for home in homes)]
    assert not missing
    assert len(named) > 25


@pytest.mark.parametrize(("name", "file"), re.findall(r"`(\w+)`\s+in\s+`([\w/]+\.py)`", PAGE))
def test_every_name_that_a_recipe_names_is_in_its_file(name, file):
    path = next(path for path in (ROOT / "src" / "holdfast" / file, ROOT / file) if path.is_file())
    assert re.search(rf"\b{name}\b", path.read_text(encoding="utf-8"))
