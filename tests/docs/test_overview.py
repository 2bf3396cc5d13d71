"""The walk through the code in docs/overview.md names files and functions that exist."""

from __future__ import annotations

import importlib
import re
from functools import reduce
from pathlib import Path

import pytest

import holdfast

OVERVIEW = Path(__file__).parents[2] / "docs" / "overview.md"
NAMED = re.findall(r"`([\w/]+\.py)` `([\w.]+)`", OVERVIEW.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_every_named_function_exists(file, name):
    assert (Path(holdfast.__file__).parent / file).is_file()
    module = importlib.import_module("holdfast." + file.removesuffix(".py").replace("/", "."))
    assert callable(reduce(getattr, name.split("."), module))


def test_both_walks_are_there():
    assert len(NAMED) > 20
