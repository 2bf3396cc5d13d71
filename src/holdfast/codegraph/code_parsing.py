"""Parses source with a tree-sitter grammar and runs its query, in bounded time."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Query, Tree

# A file of 1 MB takes less than a second. Some files of only 100 kB take minutes: parsing and queries take quadratic
# time on long errors and on deeply nested expressions.
_LONGEST_SECONDS = 2.0
# Matches of a query that are unfinished at the same time; of 6,000 files of Python, none has more than 200. Without a
# limit, one step takes so long that the time limit is not looked at.
_MOST_MATCHES = 4_000
# Processor time for what is made of the syntax tree; people write no file of 1 MB that takes half of it.
LONGEST_READING = 4.0


class TooComplex(TimeoutError):
    """A file took too long to read."""


class TimeLimit:
    """The processor time that one piece of work may take, whatever else the machine does."""

    def __init__(self, seconds: float) -> None:
        self._end = time.thread_time() + seconds
        self._earliest = time.monotonic() + seconds

    def check(self) -> None:
        """Raises TooComplex when the time is up."""
        # The clock of the thread is slower to read.
        if time.monotonic() > self._earliest and time.thread_time() > self._end:
            raise TooComplex("the time for one file is up")


class Captures:
    """The nodes that a query captured, by name, each list in source order."""

    def __init__(self, nodes: Mapping[str, list[Node]]) -> None:
        self._nodes = nodes
        self._limit = TimeLimit(LONGEST_READING)

    def of(self, *names: str) -> Iterator[Node]:
        """Yields the nodes of some captures. Raises TooComplex when reading the file takes too long."""
        for name in names:
            for node in self._nodes.get(name, ()):
                self._limit.check()
                yield node


class Grammar:
    """A grammar and the query that finds the places to record; compiled once per process."""

    def __init__(self, language: object, query: str = "", seconds: float = _LONGEST_SECONDS) -> None:
        from tree_sitter import Language, Parser, Query

        compiled = Language(language)
        self._seconds = seconds
        with warnings.catch_warnings():
            # Why: the callback that replaces the limit crashes the interpreter (tree-sitter 0.25.2).
            warnings.simplefilter("ignore", DeprecationWarning)
            self._parser = Parser(compiled, timeout_micros=int(seconds * 1e6))
        self._query: Query = Query(compiled, query)

    def parse(self, source: bytes) -> Tree:
        """Returns the syntax tree. Raises TooComplex."""
        try:
            return self._parser.parse(source)
        except ValueError as error:  # The parser says only that it failed; it fails only when time is up.
            self._parser.reset()
            raise TooComplex(f"a file of {len(source)} bytes") from error

    def read(self, source: bytes) -> tuple[Tree, Captures]:
        """Returns the syntax tree and the captured nodes. Raises TooComplex.

        The caller must keep the tree as long as it uses the nodes.
        """
        from tree_sitter import QueryCursor

        tree = self.parse(source)
        cursor = QueryCursor(self._query, match_limit=_MOST_MATCHES, timeout_micros=int(self._seconds * 1e6))
        begun = time.monotonic()
        captured = cursor.captures(tree.root_node)
        if time.monotonic() - begun >= self._seconds or cursor.did_exceed_match_limit:
            raise TooComplex(f"a file of {len(source)} bytes")
        # The query returns captures in the order in which its patterns end, and those that begin together in any order.
        return tree, Captures({name: sorted(nodes, key=_extent) for name, nodes in captured.items()})


@cache
def query_grammar(language: str) -> Grammar:
    """Returns the grammar of a language with the query of its package."""
    grammar = import_module(f"tree_sitter_{language}")
    query = files(f"holdfast.codegraph.languages.{language}").joinpath("queries.scm")
    return Grammar(grammar.language(), query.read_text("utf-8"))


def text(node: Node) -> str:
    """Returns the source of a node; bytes that are no UTF-8 are replaced."""
    return (node.text or b"").decode("utf-8", "replace")


def _extent(node: Node) -> tuple[int, int]:
    return node.start_byte, node.end_byte
