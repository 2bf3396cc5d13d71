"""Parsing ends in bounded time, whatever a file contains."""

import time

import pytest
import tree_sitter_python

from holdfast.codegraph.parsing import Grammar, TooComplex


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
