"""The state of reading one file: the records found so far, and the walk over the syntax tree."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from holdfast.codegraph.code_parsing import LONGEST_READING, TimeLimit
from holdfast.codegraph.code_records import LONGEST_TEXT, MODULE, UNKNOWN_EXPRESSION, Binding, CodeReference
from holdfast.codegraph.languages.record_reader import RecordReader

if TYPE_CHECKING:
    from tree_sitter import Node

# Deeper code is not read: the walk is recursive, and people do not nest like this.
DEEPEST = 100
_SPACE = re.compile(r"\s+")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)

# Records what a node contains, and returns the text of an expression.
Handler = Callable[["Reader", "Node", int], str]
KEPT_OBJECT = "kept object"  # the handler of an object whose members matter


class Reader(RecordReader):
    """Collects the records of one file. `handlers` says what to do at each type of node; others are passed through."""

    def __init__(self, source: bytes, handlers: dict[str, Handler]) -> None:
        super().__init__()
        self.source = source
        self.handlers = handlers
        # Names of parameters, type parameters and local variables by scope: reading one is no reference.
        self.locals: dict[int, set[str]] = {}
        self.has_errors = False
        self._depth = 0
        self._limit = TimeLimit(LONGEST_READING)

    def visit(self, node: Node, scope: int) -> str:
        """Records what a node contains. Returns the text of an expression, unknown for anything else.

        Raises TooComplex when reading the file takes too long.
        """
        self._limit.check()
        if not self.enter():
            return UNKNOWN_EXPRESSION
        handler = self.handlers.get(node.type)
        if handler is not None:
            text = handler(self, node, scope)
        else:
            text = UNKNOWN_EXPRESSION
            for child in node.named_children:
                self.visit(child, scope)
        self.leave()
        return text

    def enter(self) -> bool:
        """Goes one level deeper, unless that is too deep; `leave` goes back."""
        if self._depth >= DEEPEST:
            self.has_errors = True
            return False
        self._depth += 1
        return True

    def leave(self) -> None:
        self._depth -= 1

    def visit_children(self, node: Node, scope: int) -> str:
        for child in node.named_children:
            self.visit(child, scope)
        return UNKNOWN_EXPRESSION

    def value(self, node: Node, scope: int) -> str:
        """Visits a value that has a name or is returned: the members of an object become known."""
        while node.type == "parenthesized_expression" and node.named_child_count:
            node = node.named_children[0]
        if node.type == "object":
            return self.handlers[KEPT_OBJECT](self, node, scope)
        return self.visit(node, scope)

    def text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def short(self, node: Node) -> str:
        """The text of a type: on one line, without comments, cut to the longest text of a record."""
        text = self.source[node.start_byte : min(node.end_byte, node.start_byte + 8 * LONGEST_TEXT)]
        found = text.decode("utf-8", "replace")
        if "//" in found or "/*" in found:
            found = _COMMENT.sub(" ", found)
        return _SPACE.sub(" ", found).strip()[:LONGEST_TEXT]

    def refer(self, expression: str, kind: str, node: Node, scope: int) -> None:
        if expression and not expression.startswith(UNKNOWN_EXPRESSION):
            row, column = node.start_point
            self.references.append(CodeReference(expression, kind, row + 1, column, scope))

    def bind(self, name: str, form: str, value: str, node: Node, scope: int) -> None:
        self.bindings.append(Binding(name, form, value[: 2 * LONGEST_TEXT], node.start_point[0] + 1, scope))
        self.locals.setdefault(scope, set()).add(name)

    def is_local(self, name: str, scope: int) -> bool:
        """Is the name a parameter or variable of the scope or of a function around it?"""
        while scope != MODULE:
            if name in self.locals.get(scope, ()):
                return True
            scope = self.definitions[scope].parent
        return False


def place_of(node: Node) -> str:
    """Line and column of a node, for names of things that have none."""
    row, column = node.start_point
    return f"{row + 1}:{column}"
