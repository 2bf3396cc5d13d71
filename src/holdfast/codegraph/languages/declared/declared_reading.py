"""Reads a file of a language with declared types into a record.

The query of a language finds the places and names them by what they are; tables say how its expressions are built.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from holdfast.codegraph.code_parsing import query_grammar, text
from holdfast.codegraph.code_records import (
    DEEPEST_SCOPE,
    HOLDERS,
    LONGEST_TEXT,
    MODULE,
    UNKNOWN_EXPRESSION,
    Binding,
    CodeReference,
    Export,
    FileRecord,
    Parameter,
    chained,
)
from holdfast.codegraph.languages.declared.declared_types import parse_declared
from holdfast.codegraph.languages.declared.known import known_types
from holdfast.codegraph.languages.record_reader import RecordReader

if TYPE_CHECKING:
    from tree_sitter import Node

# The captures of a query that are definitions with a scope, and the kinds they get.
_SCOPES = ("class", "interface", "enum", "function", "method", "type", "module", "block")
# Longer chains are not followed: each call in a chain is a reference of its own, which would take quadratic time.
_LONGEST_CHAIN = 40
_TYPE_FIELDS = ("result", "return_type", "type")


class Link(NamedTuple):
    """How an expression continues an inner one: the field of the inner one, of the added name, and signs after it."""

    inner: str = ""
    name: str = ""
    suffix: str = ""


class Expressions(NamedTuple):
    """How the expressions of a language are built, by the types of nodes."""

    names: frozenset[str]
    links: Mapping[str, Link]
    # Nodes that are a new value of the type in a field: constructions, casts, assertions.
    typed: Mapping[str, str]


class DeclaredReader(RecordReader):
    """Collects the parts of one record. A language overrides how its definitions, variables and imports are read."""

    language = ""
    expressions: Expressions

    def __init__(self) -> None:
        super().__init__()
        self._starts: list[int] = []
        self._depths: list[int] = []
        self._is_too_deep = False
        self._built_in = known_types(self.language).built_in
        # What to do with the nodes of each capture that is no definition.
        self.handlers: dict[str, Callable[[Node], None]] = {
            "call": self.read_call,
            "type_name": lambda node: self.refer(node, "type", node),
            "read": lambda node: self.refer(node, "read", self.last_name(node)),
            "decorator": lambda node: self.refer(node, "decorator", self.last_name(node)),
            "variable": self.read_variable,
            "import": self.read_import,
            "package": self.read_package,
        }

    @classmethod
    def extract(cls, path: str, source: bytes, hash: str) -> FileRecord:
        """Reads a file. Code that the grammar cannot read is left out, and the record says so. Raises TooComplex."""
        return cls()._read(path, source, hash)

    def _read(self, path: str, source: bytes, hash: str) -> FileRecord:
        tree, captured = query_grammar(self.language).read(source)
        kinds = {node.id: (kind, node) for kind in _SCOPES for node in captured.of(kind)}
        for kind, node in sorted(kinds.values(), key=lambda one: (one[1].start_byte, -one[1].end_byte)):
            self._define_scope(kind, node)
        for capture, handler in self.handlers.items():
            for node in captured.of(capture):
                handler(node)
        self.finish()
        self.sort()
        has_errors = tree.root_node.has_error or self._is_too_deep
        return self.record(path, self.language, hash, source.count(b"\n") + 1, has_errors)

    # -- definitions ----------------------------------------------------------------------------------------------

    def _define_scope(self, kind: str, node: Node) -> None:
        name = node.child_by_field_name("name")
        written = text(name) if name is not None and kind != "block" else f"<block:{node.start_point.row + 1}>"
        parent = self.scope(node)
        if parent != MODULE and self._depths[parent] >= DEEPEST_SCOPE:
            self._is_too_deep = True
            return
        self._depths.append(self._depths[parent] + 1 if parent != MODULE else 1)
        place = self.define(written, kind, node, name or node, parent)
        self._starts.append(node.start_byte)
        made = self.definitions[place]
        made.bases, made.implements = self.bases(node)
        made.parameters = [*self.parameters(node)]
        made.type = self.declared(node)
        made.modifiers = [*self.modifiers(node)]
        self.complete(place, node)

    def scope(self, node: Node) -> int:
        """Returns the innermost definition around a node, or MODULE."""
        at, end = node.start_byte, node.end_byte
        place = bisect_right(self._starts, at) - 1
        while place != MODULE:
            around = self.definitions[place].node
            if around.end_byte >= end and (around.start_byte, around.end_byte) != (at, end):
                break
            place = self.definitions[place].parent
        return place

    # -- what languages override ----------------------------------------------------------------------------------

    def bases(self, node: Node) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Returns the types that a definition extends, and those that it implements."""
        return (), ()

    def parameters(self, node: Node) -> tuple[Parameter, ...]:
        """Returns the parameters of a function."""
        found = node.child_by_field_name("parameters")
        return tuple(one for child in found.named_children for one in self.parameter(child)) if found else ()

    def parameter(self, node: Node) -> Iterable[Parameter]:
        """Returns the parameters that one node declares."""
        name = node.child_by_field_name("name") or node.child_by_field_name("pattern")
        return [Parameter(text(name), type_text(node.child_by_field_name("type")))] if name is not None else []

    def declared(self, node: Node) -> str:
        """Returns the declared type of a function or an alias."""
        fields = (node.child_by_field_name(name) for name in _TYPE_FIELDS)
        return type_text(next((field for field in fields if field is not None), None))

    def modifiers(self, node: Node) -> tuple[str, ...]:
        """Returns the words of a definition that matter, and its type parameters: `<T Bound`."""
        return ()

    def complete(self, place: int, node: Node) -> None:
        """Changes a definition after it was made."""

    def finish(self) -> None:
        """Adds definitions that have no place of their own in the query."""

    def read_variable(self, node: Node) -> None:
        """Reads a declaration of variables, fields or constants."""

    def read_import(self, node: Node) -> None:
        """Reads an import."""

    def read_package(self, node: Node) -> None:
        """Reads the package of the file."""
        for name in node.named_children:
            if name.type in ("package_identifier", "identifier", "scoped_identifier"):
                self.exports.append(Export(text(name), "", name.start_point.row + 1, kind="package"))

    # -- places ---------------------------------------------------------------------------------------------------

    def declare(self, name: Node, type: str, value: str, node: Node) -> None:
        """Defines a variable of a file or type, or binds a name inside a function."""
        scope = self.scope(node)
        if scope != MODULE and self.definitions[scope].kind not in HOLDERS:
            self.bind(name, type, value, scope)
            return
        kind = "variable" if scope == MODULE or self.definitions[scope].kind == "module" else "property"
        made = self.definitions[self.define(text(name), kind, node, name, scope)]
        made.type = type
        made.values = [value] if value != UNKNOWN_EXPRESSION else []

    def declare_constant(self, node: Node) -> None:
        """Defines a value of an enumeration."""
        name = node.child_by_field_name("name")
        if name is not None:
            self.declare(name, "", UNKNOWN_EXPRESSION, node)
            self.definitions[-1].modifiers.append("constant")

    def bind(self, name: Node, type: str, value: str, scope: int, form: str = "value") -> None:
        """Binds a name to a declared type, else to a value."""
        line = name.start_point.row + 1
        if type:
            self.bindings.append(Binding(text(name), "type", type, line, scope))
        elif value not in ("", UNKNOWN_EXPRESSION):
            self.bindings.append(Binding(text(name), form, value, line, scope))
        else:
            self.bindings.append(Binding(text(name), "unknown", "", line, scope))

    def read_call(self, node: Node) -> None:
        """Reads a call: the name that is called is the reference."""
        called = self.expression(node)
        if called.endswith("()"):
            function = node.child_by_field_name("function") or node
            self.refer_to(called[:-2], "call", self.last_name(function), self.scope(node))

    def refer(self, node: Node, kind: str, name: Node) -> None:
        self.refer_to(self.expression(node), kind, name, self.scope(node))

    def refer_to(self, expression: str, kind: str, name: Node, scope: int) -> None:
        is_unknown = expression.startswith(UNKNOWN_EXPRESSION) or expression.endswith(("()", "[]"))
        if not is_unknown and expression not in self._built_in:
            line, column = name.start_point.row + 1, name.start_point.column
            self.references.append(CodeReference(expression, kind, line, column, scope))

    def last_name(self, node: Node) -> Node:
        """Returns the node of the last name of an expression."""
        for _ in range(_LONGEST_CHAIN):
            link = self.expressions.links.get(node.type)
            field = (link.name or link.inner) if link is not None else self.expressions.typed.get(node.type)
            inner = node.child_by_field_name(field) if field else _first(node) if link is not None else None
            if inner is None:
                break
            node = inner
        return node

    def expression(self, node: Node | None) -> str:
        """Returns an expression in the form of the records."""
        parts: list[str] = []
        for _ in range(_LONGEST_CHAIN):
            if node is None:
                break
            kind = node.type
            if kind in self.expressions.names:
                return chained(text(node), parts)
            if kind in self.expressions.typed:
                written = type_text(node.child_by_field_name(self.expressions.typed[kind]))
                return chained(f"{plain_type(written)}()", parts) if plain_type(written) else UNKNOWN_EXPRESSION
            link = self.expressions.links.get(kind)
            if link is None:
                break
            name = node.child_by_field_name(link.name) if link.name else None
            inner = node.child_by_field_name(link.inner) if link.inner else _first(node)
            parts.append(link.suffix)
            if name is not None and inner is None:  # a method without a receiver
                return chained(text(name), parts)
            if name is not None:
                parts.append("." + text(name))
            node = inner
        return UNKNOWN_EXPRESSION


def type_text(node: Node | None) -> str:
    """Returns a type as written, on one line; "" if it is too long."""
    if node is None or node.end_byte - node.start_byte > 8 * LONGEST_TEXT:
        return ""
    written = " ".join(text(node).split())
    return written if len(written) <= LONGEST_TEXT else ""


def plain_type(written: str) -> str:
    """Returns the name of a type as an expression, without arguments; "" if it is not a name."""
    return parse_declared(written).name


def _first(node: Node) -> Node | None:
    return node.named_children[0] if node.named_child_count else None
