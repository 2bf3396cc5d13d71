"""Reads one Go file into a record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from holdfast.codegraph.code_parsing import text
from holdfast.codegraph.code_records import MODULE, UNKNOWN_EXPRESSION, Import, ImportedName, Parameter
from holdfast.codegraph.languages.declared.declared_reading import DeclaredReader, Expressions, Link, type_text
from holdfast.codegraph.languages.declared.declared_types import parse_declared

if TYPE_CHECKING:
    from tree_sitter import Node

_EXPRESSIONS = Expressions(
    names=frozenset(["identifier", "field_identifier", "type_identifier", "package_identifier"]),
    links={
        "selector_expression": Link("operand", "field"),
        "qualified_type": Link("package", "name"),
        "call_expression": Link("function", suffix="()"),
        "index_expression": Link("operand", suffix="[]"),
        "slice_expression": Link("operand"),
        "unary_expression": Link("operand"),
        "parenthesized_expression": Link(),
        "pointer_type": Link(),
    },
    typed={
        "composite_literal": "type",
        "type_assertion_expression": "type",
        "type_conversion_expression": "type",
    },
)


class _GoReader(DeclaredReader):
    language = "go"
    expressions = _EXPRESSIONS

    def bases(self, node: Node) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Embedded structs and interfaces."""
        body = node.child_by_field_name("type")
        if body is None or body.type not in ("struct_type", "interface_type"):
            return (), ()
        parts = [part for child in body.named_children for part in (child, *child.named_children)]
        embedded = [part for part in parts if part.type == "field_declaration" and not part.child_by_field_name("name")]
        found = [type_text(part.child_by_field_name("type")) for part in embedded]
        found += [type_text(part) for part in parts if part.type == "type_elem"]
        return tuple(one for one in found if parse_declared(one).form == "name"), ()

    def declared(self, node: Node) -> str:
        body = node.child_by_field_name("type")
        return "" if body is not None and body.type in ("struct_type", "interface_type") else super().declared(node)

    def parameters(self, node: Node) -> tuple[Parameter, ...]:
        """The parameters, the receiver before and named results after them."""
        lists = (node.child_by_field_name(name) for name in ("receiver", "parameters", "result"))
        parts = [
            part
            for found in lists
            if found is not None and found.type == "parameter_list"
            for part in found.named_children
        ]
        return tuple(one for part in parts for one in self.parameter(part))

    def parameter(self, node: Node) -> Iterable[Parameter]:
        written = type_text(node.child_by_field_name("type"))
        many = "[]" if node.type == "variadic_parameter_declaration" else ""
        return [Parameter(text(name), many + written) for name in node.children_by_field_name("name")]

    def modifiers(self, node: Node) -> tuple[str, ...]:
        found = node.child_by_field_name("type_parameters")
        parts = found.named_children if found is not None else ()
        return tuple(
            f"<{text(name)} {type_text(part.child_by_field_name('type'))}"
            for part in parts
            for name in part.children_by_field_name("name")
        )

    def complete(self, place: int, node: Node) -> None:
        """A method belongs to the type of its receiver, which may be in another file of the package."""
        receiver = node.child_by_field_name("receiver")
        if receiver is None:
            return
        types = [type_text(part.child_by_field_name("type")) for part in receiver.named_children]
        owner = parse_declared(types[0]).name if types else ""
        if not owner:
            return
        made = self.definitions[place]
        # The type parameters of the receiver, `func (l *List[T])`, are those of the type.
        arguments = tuple(f"<{part.name} " for part in parse_declared(types[0]).parts if part.name)
        made.qualified = f"{owner}.{made.name}"
        made.modifiers += [f"of {owner}", *arguments]

    def read_import(self, node: Node) -> None:
        path, name = node.child_by_field_name("path"), node.child_by_field_name("name")
        if path is None:
            return
        module = text(path).strip('"`')
        alias = text(name) if name is not None else ""
        names = (ImportedName("*", "*"),) if alias == "." else ()
        row, column = path.start_point
        self.imports.append(Import(module, names, row + 1, MODULE, "" if alias == "." else alias, column=column))

    def read_variable(self, node: Node) -> None:
        if node.type == "range_clause":
            self._read_range(node)
        elif node.type == "type_switch_statement":
            for name in _listed(node.child_by_field_name("alias")):
                self.bind(name, "", "", self.scope(node))
        elif node.type == "short_var_declaration":
            left, right = (_listed(node.child_by_field_name(field)) for field in ("left", "right"))
            self._declare(left, "", right, node)
        else:
            right = _listed(node.child_by_field_name("value"))
            written = node.child_by_field_name("type")
            names = node.children_by_field_name("name")
            if not names and node.type == "field_declaration" and written is not None:
                names = [self.last_name(written)]  # An embedded type is a field with its name.
            self._declare(names, type_text(written), right, node)

    def _declare(self, names: list[Node], written: str, values: list[Node], node: Node) -> None:
        for place, name in enumerate(names):
            if not name.type.endswith("identifier") or text(name) == "_":
                continue
            if len(values) == len(names):
                value = self.expression(values[place])
            else:
                value = f"{self.expression(values[0])}[{place}]" if len(values) == 1 else UNKNOWN_EXPRESSION
            known = _made_type(values[place]) if len(values) == len(names) else ""
            self.declare(name, written or known, value, node)

    def _read_range(self, node: Node) -> None:
        names = _listed(node.child_by_field_name("left"))
        ranged = self.expression(node.child_by_field_name("right"))
        for place, name in enumerate(names):
            if name.type == "identifier":
                self.bind(name, "", ranged if place == 1 else "", self.scope(node), "element")

    def refer(self, node: Node, kind: str, name: Node) -> None:
        parent = node.parent
        if parent is not None and kind == "type":
            # The name that a declaration defines is no use; the last part of `pkg.Type` stands for the whole.
            if parent.type == "qualified_type":
                node = parent
            elif parent.child_by_field_name("name") == node:
                return
        elif parent is not None and node in (parent.child_by_field_name(one) for one in ("operand", "function")):
            return  # A part of a longer chain, or what a call calls.
        super().refer(node, kind, name)


extract = _GoReader.extract


def _made_type(node: Node) -> str:
    """Returns the type of a value that is made of it: `[]T{}`, `&T{}`, `make([]T, 2)`, `new(T)`."""
    if node.type == "unary_expression":
        node = node.child_by_field_name("operand") or node
    if node.type == "composite_literal":
        return type_text(node.child_by_field_name("type"))
    function, arguments = (node.child_by_field_name(name) for name in ("function", "arguments"))
    is_made = function is not None and function.type == "identifier" and text(function) in ("make", "new")
    if not is_made or arguments is None or not arguments.named_child_count:
        return ""
    return type_text(arguments.named_children[0])


def _listed(node: Node | None) -> list[Node]:
    """Returns the parts of a list of expressions, or the expression alone."""
    if node is None:
        return []
    return node.named_children if node.type == "expression_list" else [node]
