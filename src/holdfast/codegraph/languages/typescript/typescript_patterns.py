"""Reads destructuring patterns, loop variables and caught errors: names bound to members or elements of a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.codegraph.code_records import MODULE, UNKNOWN_EXPRESSION
from holdfast.codegraph.languages.typescript.typescript_reading import Reader

if TYPE_CHECKING:
    from tree_sitter import Node


def bind_pattern(reader: Reader, pattern: Node, value: str, scope: int) -> None:
    """Binds all names of a destructuring pattern to members of a value."""
    if reader.enter():
        _bind_members(reader, pattern, value, scope)
        reader.leave()


def _bind_members(reader: Reader, pattern: Node, value: str, scope: int) -> None:
    for child in pattern.named_children:
        kind = child.type
        if pattern.type == "array_pattern":
            _bind(reader, child, f"{value}[]", scope)
        elif kind == "pair_pattern":
            key, inner = child.child_by_field_name("key"), child.child_by_field_name("value")
            if key is not None and inner is not None:
                member = f"{value}.{reader.text(key)}"
                reader.refer(member, "read", key, scope)
                _bind(reader, inner, member, scope)
        elif kind == "rest_pattern":
            if child.named_child_count:
                _bind(reader, child.named_children[0], value, scope)
        elif kind in ("shorthand_property_identifier_pattern", "object_assignment_pattern"):
            _bind_shorthand(reader, child, value, scope)


def _bind_shorthand(reader: Reader, node: Node, value: str, scope: int) -> None:
    name = node.child_by_field_name("left") or node
    default = node.child_by_field_name("right")
    if default is not None:
        reader.visit(default, scope)
    if name.type != "shorthand_property_identifier_pattern":
        return
    member = f"{value}.{reader.text(name)}"
    reader.refer(member, "read", name, scope)
    _bind(reader, name, member, scope)


def _bind(reader: Reader, node: Node, value: str, scope: int) -> None:
    kind = node.type
    if kind in ("object_pattern", "array_pattern"):
        bind_pattern(reader, node, value, scope)
    elif kind == "assignment_pattern":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if right is not None:
            reader.visit(right, scope)
        if left is not None:
            _bind(reader, left, value, scope)
    elif kind in ("identifier", "shorthand_property_identifier_pattern"):
        name = reader.text(node)
        if scope == MODULE:
            reader.definitions[reader.define(name, "variable", node, node, scope)].values.append(value)
        else:
            reader.bind(name, "value", value, node, scope)
    elif kind == "rest_pattern" and node.named_child_count:
        _bind(reader, node.named_children[0], value, scope)


def visit_for_in(reader: Reader, node: Node, scope: int) -> str:
    """`for (const x of xs)` makes x an element of xs; with `in`, x is a string."""
    left, right, body = (node.child_by_field_name(name) for name in ("left", "right", "body"))
    text = reader.visit(right, scope) if right is not None else UNKNOWN_EXPRESSION
    of = any(child.type == "of" for child in node.children)
    if left is not None:
        if left.type == "identifier":
            if of and node.child_by_field_name("kind") is not None:
                reader.bind(reader.text(left), "element", text, left, scope)
        else:
            bind_pattern(reader, left, f"{text}[]" if of else UNKNOWN_EXPRESSION, scope)
    if body is not None:
        reader.visit(body, scope)
    return UNKNOWN_EXPRESSION


def visit_catch(reader: Reader, node: Node, scope: int) -> str:
    parameter, body = node.child_by_field_name("parameter"), node.child_by_field_name("body")
    if parameter is not None and parameter.type == "identifier":
        reader.bind(reader.text(parameter), "unknown", UNKNOWN_EXPRESSION, parameter, scope)
    if body is not None:
        reader.visit(body, scope)
    return UNKNOWN_EXPRESSION
