"""Reads object literals: their functions are definitions, and their values are typed by the name they have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.codegraph.languages.typescript.functions import (
    FUNCTIONS,
    member_name,
    read_function,
    read_method,
    read_signature,
)
from holdfast.codegraph.languages.typescript.typescript_reading import Reader, place_of

if TYPE_CHECKING:
    from tree_sitter import Node

MEMBERS = "<members>"  # the value of a variable whose members are definitions inside it
_MOST_MEMBERS = 400  # larger objects are data


def read_object(
    reader: Reader, node: Node, scope: int, owner: int | None = None, context: str = "", keep: bool = False
) -> str:
    """Reads an object. With `owner`, its members become definitions of the owner.

    Without, they become definitions of a block if `keep` asks for it or the object has a function; `context` is the
    call and the place of the argument it is.
    """
    members = node.named_children
    small = len(members) <= _MOST_MEMBERS
    if owner is None and small and (keep or (not context and any(_is_function(one) for one in members))):
        owner = reader.define(f"<object:{place_of(node)}>", "block", node, node, scope)
        reader.definitions[owner].modifiers.append("object")
    if reader.enter():
        for member in members:
            _read_member(reader, member, scope, owner if small else None, context)
        reader.leave()
    if owner is None:
        return "<object>"
    return reader.definitions[owner].name if reader.definitions[owner].kind == "block" else MEMBERS


def visit_object(reader: Reader, node: Node, scope: int) -> str:
    return read_object(reader, node, scope)


def visit_kept_object(reader: Reader, node: Node, scope: int) -> str:
    return read_object(reader, node, scope, keep=True)


def _is_function(member: Node) -> bool:
    if member.type == "method_definition":
        return True
    value = member.child_by_field_name("value") if member.type == "pair" else None
    return value is not None and value.type in FUNCTIONS


def _read_member(reader: Reader, member: Node, scope: int, owner: int | None, context: str) -> None:
    kind = member.type
    if kind == "method_definition":
        if owner is not None:
            read_method(reader, member, owner)
        else:
            _read_nameless(reader, member, scope, context)
    elif kind == "pair":
        _read_pair(reader, member, scope, owner, context)
    elif kind == "shorthand_property_identifier":
        name = reader.text(member)
        reader.refer(name, "read", member, scope)
        if owner is not None:
            reader.definitions[reader.define(name, "property", member, member, owner)].values.append(name)
        elif context:
            reader.refer(f"{context}.{name}", "key", member, scope)
    elif kind == "spread_element":
        text = reader.visit(member.named_children[0], scope) if member.named_child_count else ""
        if owner is not None and text:
            reader.definitions[owner].bases = (*reader.definitions[owner].bases, f"typeof {text}")
    else:
        reader.visit(member, scope)


def _read_nameless(reader: Reader, member: Node, scope: int, context: str) -> None:
    name = member.child_by_field_name("name")
    place = reader.define(f"<method:{place_of(member)}>", "block", member, member, scope)
    if name is not None and context:
        key = member_name(reader, name, scope)
        reader.refer(f"{context}.{key}", "key", name, scope)
        read_signature(reader, member, place, f"{context}.{key}")
    else:
        read_signature(reader, member, place)


def _read_pair(reader: Reader, member: Node, scope: int, owner: int | None, context: str) -> None:
    key, value = member.child_by_field_name("key"), member.child_by_field_name("value")
    if key is None or value is None:
        return
    name = member_name(reader, key, scope)
    inner = f"{context}.{name}" if context else ""
    if inner:
        reader.refer(inner, "key", key, scope)
    if owner is None:
        if value.type in FUNCTIONS:
            read_function(reader, value, scope, context=inner)
        elif value.type == "object":
            read_object(reader, value, scope, context=inner)
        else:
            reader.visit(value, scope)
        return
    if value.type in FUNCTIONS:
        place = reader.define(name, "method", member, key, owner)
        if value.type == "arrow_function":
            reader.definitions[place].modifiers.append("arrow")
        read_signature(reader, value, place)
        return
    place = reader.define(name, "property", member, key, owner)
    text = read_object(reader, value, scope, owner=place) if value.type == "object" else reader.visit(value, scope)
    reader.definitions[place].values.append(text)
