"""Parses source with a tree-sitter grammar and runs its query, in bounded time."""

from __future__ import annotations

import time
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Query, Tree

# A file of 1 MB takes less than a second. Some files of only 100 kB take minutes: parsing and queries take quadratic
# time on long errors and on deeply nested expressions.
_LONGEST_SECONDS = 2.0


class TooComplex(TimeoutError):
    """A file took too long to read."""


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

    def read(self, source: bytes) -> tuple[Tree, dict[str, list[Node]]]:
        """Returns the syntax tree and the captured nodes by name, each in source order. Raises TooComplex.

        The caller must keep the tree as long as it uses the nodes.
        """
        from tree_sitter import QueryCursor

        tree = self.parse(source)
        cursor = QueryCursor(self._query, timeout_micros=int(self._seconds * 1e6))
        begun = time.monotonic()
        captured = cursor.captures(tree.root_node)
        if time.monotonic() - begun >= self._seconds:
            raise TooComplex(f"a file of {len(source)} bytes")
        # The query returns captures in the order in which its patterns end.
        return tree, {name: sorted(nodes, key=_start) for name, nodes in captured.items()}


def text(node: Node) -> str:
    """Returns the source of a node; bytes that are no UTF-8 are replaced."""
    return (node.text or b"").decode("utf-8", "replace")


def _start(node: Node) -> int:
    return node.start_byte
