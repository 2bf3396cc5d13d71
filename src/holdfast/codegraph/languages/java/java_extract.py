"""Reads one Java file into a record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from holdfast.codegraph.code_parsing import text
from holdfast.codegraph.code_records import MODULE, Import, ImportedName, Parameter
from holdfast.codegraph.languages.declared.declared_reading import (
    DeclaredReader,
    Expressions,
    Link,
    plain_type,
    type_text,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_EXPRESSIONS = Expressions(
    names=frozenset(["identifier", "type_identifier", "this", "super"]),
    links={
        "method_invocation": Link("object", "name", "()"),
        "field_access": Link("object", "field"),
        "scoped_identifier": Link("scope", "name"),
        "array_access": Link("array", suffix="[]"),
        "parenthesized_expression": Link(),
        "marker_annotation": Link("name"),
        "annotation": Link("name"),
    },
    typed={"object_creation_expression": "type", "cast_expression": "type"},
)
_TYPES = ("superclass", "interfaces", "super_interfaces", "extends_interfaces")
_WORDS = ("static", "abstract", "default", "private", "final")


class _JavaReader(DeclaredReader):
    language = "java"
    expressions = _EXPRESSIONS

    def __init__(self) -> None:
        super().__init__()
        self._components: list[tuple[int, Node, Node]] = []

    def bases(self, node: Node) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if node.type == "object_creation_expression":  # an anonymous class
            return (type_text(node.child_by_field_name("type")),), ()
        extended: list[str] = []
        implemented: list[str] = []
        for part in node.named_children:
            if part.type in _TYPES:
                found = [one for child in part.named_children for one in _listed(child)]
                (implemented if part.type == "super_interfaces" else extended).extend(type_text(one) for one in found)
        return tuple(extended), tuple(implemented)

    def declared(self, node: Node) -> str:
        """The type of a method; a constructor gives an instance of its class."""
        is_method = node.type in ("method_declaration", "annotation_type_element_declaration")
        return type_text(node.child_by_field_name("type")) if is_method else ""

    def parameters(self, node: Node) -> tuple[Parameter, ...]:
        found = node.child_by_field_name("parameters")
        if found is not None and found.type == "identifier":  # `name -> ...`
            return (Parameter(text(found)),)
        return super().parameters(node) if node.type != "record_declaration" else ()

    def parameter(self, node: Node) -> Iterable[Parameter]:
        if node.type == "identifier":
            return [Parameter(text(node))]
        if node.type == "spread_parameter":
            types = [child for child in node.named_children if child.type not in ("modifiers", "variable_declarator")]
            names = [
                child.child_by_field_name("name")
                for child in node.named_children
                if child.type == "variable_declarator"
            ]
            return [Parameter(text(name), f"{type_text(types[0])}[]") for name in names if name is not None and types]
        return super().parameter(node)

    def modifiers(self, node: Node) -> tuple[str, ...]:
        words = [part for child in node.named_children if child.type == "modifiers" for part in child.children]
        found = [one.type for one in words if one.type in _WORDS]
        parameters = node.child_by_field_name("type_parameters")
        for part in parameters.named_children if parameters is not None else ():
            names = [one for one in part.named_children if one.type in ("type_identifier", "identifier")]
            bounds = [one for one in part.named_children if one.type == "type_bound"]
            bound = type_text(bounds[0].named_children[0]) if bounds and bounds[0].named_child_count else ""
            found += [f"<{text(one)} {bound}" for one in names[:1]]
        return tuple(found)

    def complete(self, place: int, node: Node) -> None:
        """The components of a record are fields and methods without parameters."""
        parameters = node.child_by_field_name("parameters") if node.type == "record_declaration" else None
        for part in parameters.named_children if parameters is not None else ():
            name = part.child_by_field_name("name")
            if name is not None:
                self._components.append((place, part, name))

    def finish(self) -> None:
        for place, part, name in self._components:
            made = self.definitions[self.define(text(name), "property", part, name, place)]
            made.type = type_text(part.child_by_field_name("type"))
            made.modifiers.append("component")

    def read_import(self, node: Node) -> None:
        """`import a.b.C` is the name `C` of `a.b`; `import static a.b.C.m` the name `m` of `a.b.C`."""
        path = next((child for child in node.named_children if child.type in ("scoped_identifier", "identifier")), None)
        if path is None:
            return
        written = "".join(text(path).split())
        module, _, name = written.rpartition(".")
        if any(child.type == "asterisk" for child in node.named_children):
            module, name = written, "*"
        row, column = path.start_point
        self.imports.append(Import(module, (ImportedName(name, name),), row + 1, MODULE, column=column))

    def read_variable(self, node: Node) -> None:
        written = type_text(node.child_by_field_name("type"))
        written = "" if written == "var" else written
        if node.type == "enum_constant":
            self.declare_constant(node)
        elif node.type in ("field_declaration", "constant_declaration", "local_variable_declaration"):
            for part in node.children_by_field_name("declarator"):
                self._declare(part, written, node)
        elif node.type == "catch_formal_parameter":
            types = [child for child in node.named_children if child.type == "catch_type"]
            self._bind(node, type_text(types[0].named_children[0]) if types and types[0].named_child_count else "")
        elif node.type == "instanceof_expression":
            self._bind(node, type_text(node.child_by_field_name("right")))
        elif node.type == "type_pattern":
            *types, name = node.named_children or [node]
            self.bind(name, type_text(types[-1]) if types else "", "", self.scope(node))
        else:
            self._bind(node, written, "element" if node.type == "enhanced_for_statement" else "value")

    def _declare(self, part: Node, written: str, node: Node) -> None:
        name = part.child_by_field_name("name")
        if name is not None:
            dimensions = "[]" if part.child_by_field_name("dimensions") is not None and written else ""
            self.declare(name, written + dimensions, self.expression(part.child_by_field_name("value")), node)

    def _bind(self, node: Node, written: str, form: str = "value") -> None:
        name = node.child_by_field_name("name")
        if name is not None:
            self.bind(name, written, self.expression(node.child_by_field_name("value")), self.scope(node), form)

    def read_call(self, node: Node) -> None:
        if node.type == "explicit_constructor_invocation":
            self._read_constructor_call(node)
        elif node.type == "method_reference":
            self._read_method_reference(node)
        elif node.type == "object_creation_expression":
            super().read_call(node)
        else:
            name, called = node.child_by_field_name("name"), self.expression(node)
            if name is not None and called.endswith("()"):
                self.refer_to(called[:-2], "call", name, self.scope(node))

    def _read_constructor_call(self, node: Node) -> None:
        """`this(...)` calls the class around it, `super(...)` the class that it extends."""
        constructor, scope = node.child_by_field_name("constructor"), self.scope(node)
        place = scope
        while place != MODULE and self.definitions[place].kind not in ("class", "enum"):
            place = self.definitions[place].parent
        if constructor is None or place == MODULE:
            return
        around = self.definitions[place]
        name = around.name if text(constructor) == "this" else plain_type(around.bases[0]) if around.bases else ""
        if name:
            self.refer_to(name, "call", constructor, scope)

    def _read_method_reference(self, node: Node) -> None:
        """`Type::name` and `value::name` use a method, `Type::new` a constructor."""
        first, *rest = node.named_children or [node]
        held = self.expression(first)
        if rest:
            self.refer_to(f"{held}.{text(rest[-1])}", "read", rest[-1], self.scope(node))
        else:
            self.refer_to(held, "read", first, self.scope(node))

    def refer(self, node: Node, kind: str, name: Node) -> None:
        parent = node.parent
        if parent is not None and kind == "type":
            if parent.type == "scoped_type_identifier":
                whole = "".join(text(parent).split())
                if parent.named_children[-1] == node and "<" not in whole:
                    self.refer_to(whole, kind, node, self.scope(node))
                    return
            if parent.type == "type_parameter":
                return
        elif parent is not None and kind == "read":
            is_part = parent.child_by_field_name("object") == node
            if is_part and (node.type == "field_access" or not text(node)[:1].isupper()):
                return  # A part of a longer chain; only the name of a type is a use of its own.
        super().refer(node, kind, name)


extract = _JavaReader.extract


def _listed(node: Node) -> list[Node]:
    return node.named_children if node.type == "type_list" else [node]
