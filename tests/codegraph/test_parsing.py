"""Parsing ends in bounded time, whatever a file contains."""

import time

import pytest
import tree_sitter_python

from holdfast.codegraph import code_parsing as parsing
from holdfast.codegraph.code_parsing import Grammar, TimeLimit, TooComplex


@pytest.mark.parametrize(
    "source",
    [b"def f():\n  x\n  y = (((\n" + b" z z\n" * 20_000, b"x=" + b"1+" * 60_000 + b"1"],
    ids=["a long error", "a deep expression"],
)
def test_a_file_that_takes_too_long_is_given_up(source):
    grammar = Grammar(tree_sitter_python.language(), "(binary_operator (identifier) @name)", seconds=0.05)
    begun = time.monotonic()
    with pytest.raises(TooComplex):
        grammar.read(source)
    assert time.monotonic() - begun < 2
    _tree, captured = grammar.read(b"x = a + b")
    assert [node.text for node in captured.of("name")] == [b"a", b"b"]


def test_only_the_processor_time_of_the_own_work_counts():
    limit = TimeLimit(0.02)
    time.sleep(0.05)
    limit.check()
    begun = time.thread_time()
    while time.thread_time() < begun + 0.05:
        pass
    with pytest.raises(TooComplex):
        limit.check()


def test_reading_what_was_captured_ends_when_the_time_is_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(parsing, "LONGEST_READING", -1.0)
    _tree, captured = Grammar(tree_sitter_python.language(), "(identifier) @name").read(b"x = a + b")
    with pytest.raises(TooComplex):
        next(captured.of("name"))
