"""Parses source with a tree-sitter grammar and runs its query, in bounded time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Query, Tree

# A file of 1 MB takes less than a second. Queries take quadratic time on files that are one long error.
_LONGEST_SECONDS = 5.0


class TooComplex(TimeoutError):
    """A file took too long to read."""


class Grammar:
    """A grammar and the query that finds the places to record; compiled once per process."""

    def __init__(self, language: object, query: str) -> None:
        from tree_sitter import Language, Parser, Query

        compiled = Language(language)
        self._parser = Parser(compiled)
        self._query: Query = Query(compiled, query)

    def read(self, source: bytes, seconds: float = _LONGEST_SECONDS) -> tuple[Tree, dict[str, list[Node]]]:
        """Returns the syntax tree and the captured nodes by name, each in source order. Raises TooComplex.

        The caller must keep the tree as long as it uses the nodes.
        """
        from tree_sitter import QueryCursor

        tree = self._parser.parse(source)
        end = time.thread_time() + seconds
        overdue = False

        def is_overdue(offset: int) -> bool:
            nonlocal overdue
            overdue = time.thread_time() > end
            return overdue

        captured = QueryCursor(self._query).captures(tree.root_node, None, is_overdue)
        if overdue:
            raise TooComplex(f"a file of {len(source)} bytes took more than {seconds} s")
        # The query returns captures in the order in which its patterns end.
        return tree, {name: sorted(nodes, key=_start) for name, nodes in captured.items()}


def _start(node: Node) -> int:
    return node.start_byte
