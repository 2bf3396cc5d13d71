"""Parses files with two forms of TypeScript that its grammar does not know.

The grammar fails at `export type * from` and at a signature that begins with `<` after a line without a semicolon, and
then loses the rest of the interface. Both are replaced by text of the same length that means the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.codegraph.code_parsing import Grammar

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

_TYPE_EXPORT = re.compile(rb"(?m)^(export\s+)type(\s*\*)")
_SIGNATURE = re.compile(rb"(?m)^([ \t]*)[ \t](<(?:\s|\w|$))")
# Counting stops here: a file with more errors is not TypeScript.
_MOST_ERRORS = 200


def parse(grammar: Grammar, source: bytes) -> Tree:
    """Returns the syntax tree of the source, or of the repaired source if that has fewer errors."""
    tree = grammar.parse(source)
    if not tree.root_node.has_error:
        return tree
    repaired = _SIGNATURE.sub(rb"\1;\2", _TYPE_EXPORT.sub(rb"\1    \2", source))
    if repaired == source:
        return tree
    other = grammar.parse(repaired)
    return other if _errors(other.root_node) < _errors(tree.root_node) else tree


def _errors(root: Node) -> int:
    """Counts the places that the grammar could not read."""
    found = 0
    pending = [root]
    while pending and found < _MOST_ERRORS:
        node = pending.pop()
        if node.is_error or node.is_missing:
            # The code inside an error was not read either: an error counts by its size.
            found += 1 + (node.end_byte - node.start_byte) // 100
        elif node.has_error:
            pending.extend(node.children)
    return found
