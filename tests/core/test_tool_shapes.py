"""What a tool call does, by its name or by the shape of its arguments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.agents.tool_shapes import EDIT, FETCH, OTHER, READ, RUN, SEARCH, shape_of
from tests.core.test_light_modules import plain

_PATCH = "*** Begin Patch\n*** Update File: a/b.py\n@@\n-x\n+y\n*** Add File: c.py\n+z\n*** End Patch"


@pytest.mark.parametrize(
    ("tool", "args", "kind", "paths"),
    [
        ("Read", {"file_path": "/p/a.py"}, READ, ("/p/a.py",)),
        ("read_file", {"absolute_path": "/p/a.py", "limit": 3}, READ, ("/p/a.py",)),
        ("read", {"filePath": "a.py"}, READ, ("a.py",)),
        ("Edit", {"file_path": "a.py", "old_string": "x", "new_string": "y"}, EDIT, ("a.py",)),
        ("NotebookEdit", {"notebook_path": "a.ipynb", "new_source": ""}, EDIT, ("a.ipynb",)),
        ("apply_patch", {"input": _PATCH}, EDIT, ("a/b.py", "c.py")),
        ("shell", {"command": ["apply_patch", _PATCH]}, EDIT, ("a/b.py", "c.py")),
        ("mcp__files__open", {"path": "a.py"}, READ, ("a.py",)),
        ("mcp__files__save", {"path": "a.py", "content": "x"}, EDIT, ("a.py",)),
        ("Bash", {"command": "make"}, RUN, ()),
        ("Grep", {"pattern": "foo", "path": "src"}, SEARCH, ("src",)),
        ("WebFetch", {"url": "https://example.org"}, FETCH, ()),
        ("mcp__web__get", {"url": "https://example.org"}, FETCH, ()),
        ("mcp__db__find", {"query": "foo"}, SEARCH, ()),
        ("TodoWrite", {"todos": []}, OTHER, ()),
        ("Task", {}, OTHER, ()),
    ],
)
def test_known_calls(tool, args, kind, paths):
    shape = shape_of(tool, args)
    assert (shape.kind, shape.paths) == (kind, paths)


@pytest.mark.parametrize(
    ("command", "mentions"),
    [
        ("cat calc.py", ("calc.py",)),
        ("sed -n '1,40p' src/a.py | head", ("src/a.py",)),
        ("cd src && pytest -q tests/test_a.py::test_b --cov=src/a.py:9", ("tests/test_a.py", "src/a.py")),
        ("curl https://example.org/a.py", ()),
        ("echo done .. .", ()),
        ("Fix @src/a.py and @README.md. Why is src/b.py slow?", ("src/a.py", "README.md", "src/b.py")),
        ("cat ./a.py ../b.py .env", ("./a.py", "../b.py")),
    ],
)
def test_files_in_commands(command, mentions):
    assert shape_of("Bash", {"command": command}).mentions == mentions


def test_the_pattern_of_a_search():
    assert shape_of("Glob", {"pattern": "**/*.py"}).pattern == "**/*.py"
    assert shape_of("Read", {"file_path": "a", "pattern": "b"}).pattern == ""


@given(st.text(), st.dictionaries(st.sampled_from(["path", "command", "pattern", "url", "input", "paths"]), plain))
def test_any_arguments_have_a_shape(tool, args):
    shape = shape_of(tool, args)
    assert shape.kind in (READ, EDIT, RUN, SEARCH, FETCH, OTHER)
    assert len(shape.paths) <= 8
    assert len(shape.mentions) <= 8


def test_a_long_command_takes_no_time():
    assert len(shape_of("Bash", {"command": "a.py " * 1_000_000}).mentions) == 1
