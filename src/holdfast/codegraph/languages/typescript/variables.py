"""Reads variables and patterns: at the top level they are definitions, inside functions names with a type or value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.codegraph.code_records import MODULE, UNKNOWN_EXPRESSION
from holdfast.codegraph.languages.typescript.functions import FUNCTIONS, read_signature
from holdfast.codegraph.languages.typescript.objects import read_object
from holdfast.codegraph.languages.typescript.typescript_classes import read_class
from holdfast.codegraph.languages.typescript.typescript_patterns import bind_pattern
from holdfast.codegraph.languages.typescript.typescript_reading import Reader, place_of
from holdfast.codegraph.languages.typescript.typescript_types import annotation

if TYPE_CHECKING:
    from tree_sitter import Node


def visit_declarator(reader: Reader, node: Node, scope: int) -> str:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None:
        return reader.visit_children(node, scope)
    if name.type != "identifier":
        text = reader.value(value, scope) if value is not None else UNKNOWN_EXPRESSION
        type_node = node.child_by_field_name("type")
        if type_node is not None:
            text = f"<as:{place_of(name)}>"
            reader.bind(text, "type", annotation(reader, type_node, scope), name, scope)
        bind_pattern(reader, name, text, scope)
    elif value is not None and value.type in FUNCTIONS:
        _read_named_function(reader, node, name, value, scope)
    elif value is not None and value.type == "class":
        read_class(reader, value, name, scope)
    else:
        _read_variable(reader, node, name, value, scope)
    return UNKNOWN_EXPRESSION


def _read_named_function(reader: Reader, node: Node, name: Node, value: Node, scope: int) -> None:
    place = reader.define(reader.text(name), "function", node, name, scope)
    if value.type == "arrow_function":
        reader.definitions[place].modifiers.append("arrow")
    type_node = node.child_by_field_name("type")
    context = ""
    if type_node is not None:
        # The type of the variable types the parameters of the function.
        holder = f"<as:{place_of(name)}>"
        reader.bind(holder, "type", annotation(reader, type_node, scope), name, scope)
        context = f"{holder}:-1"
        reader.definitions[place].modifiers.append(f"typed {holder}")
    read_signature(reader, value, place, context)


def _read_variable(reader: Reader, node: Node, name: Node, value: Node | None, scope: int) -> None:
    open_scope = scope == MODULE or reader.definitions[scope].kind == "module"
    text = reader.text(name)
    type_node = node.child_by_field_name("type")
    if not open_scope:
        type_text = annotation(reader, type_node, scope) if type_node is not None else ""
        found = _context_value(reader, value, scope, name, type_text) if value is not None else UNKNOWN_EXPRESSION
        if type_text:
            reader.bind(text, "type", type_text, name, scope)
        else:
            reader.bind(text, "value" if found != UNKNOWN_EXPRESSION else "unknown", found, name, scope)
        return
    place = reader.define(text, "variable", node, name, scope)
    if type_node is not None:
        reader.definitions[place].type = annotation(reader, type_node, place)
    if value is None:
        return
    if value.type in ("as_expression", "satisfies_expression") and value.named_child_count == 1:
        value = value.named_children[0]
    if value.type == "object" and type_node is None:
        reader.definitions[place].values.append(read_object(reader, value, scope, owner=place))
    else:
        type_text = reader.definitions[place].type
        reader.definitions[place].values.append(_context_value(reader, value, scope, name, type_text))


def _context_value(reader: Reader, value: Node, scope: int, name: Node, type_text: str) -> str:
    """The text of a value. An object with a declared type takes the types of its members from there."""
    if value.type != "object" or not type_text:
        return reader.value(value, scope)
    holder = f"<as:{place_of(name)}>"
    reader.bind(holder, "type", type_text, name, scope)
    return read_object(reader, value, scope, context=f"{holder}:-1")
