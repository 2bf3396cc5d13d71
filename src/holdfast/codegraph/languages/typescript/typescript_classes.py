"""Reads classes, interfaces, type aliases, enums and namespaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.codegraph.code_records import LONGEST_TEXT, UNKNOWN_EXPRESSION
from holdfast.codegraph.languages.typescript.functions import (
    FUNCTIONS,
    member_name,
    read_method,
    read_signature,
    words_of,
)
from holdfast.codegraph.languages.typescript.typescript_reading import Reader, place_of
from holdfast.codegraph.languages.typescript.typescript_types import annotation, read_type, read_type_parameters

if TYPE_CHECKING:
    from tree_sitter import Node

_SIGNATURES = frozenset({"method_signature", "abstract_method_signature", "method_definition"})
_FIELDS = frozenset({"public_field_definition", "field_definition", "property_signature"})


def visit_class(reader: Reader, node: Node, scope: int) -> str:
    name = node.child_by_field_name("name")
    return read_class(reader, node, name, scope)


def read_class(reader: Reader, node: Node, name: Node | None, scope: int) -> str:
    """A class; without a name it is named after its place. Returns its name."""
    text = reader.text(name) if name is not None else f"<class:{place_of(node)}>"
    place = reader.define(text, "class", node, name or node, scope)
    if node.type == "abstract_class_declaration":
        reader.definitions[place].modifiers.append("abstract")
    read_type_parameters(reader, node, place)
    for child in node.named_children:
        if child.type == "class_heritage":
            _read_heritage(reader, child, place, scope)
        elif child.type == "decorator":
            _read_decorator(reader, child, place, scope)
    body = node.child_by_field_name("body")
    if body is not None:
        _read_members(reader, body, place)
    return text


def _read_heritage(reader: Reader, node: Node, place: int, scope: int) -> None:
    definition = reader.definitions[place]
    clauses = [child for child in node.named_children if child.type in ("extends_clause", "implements_clause")]
    if not clauses:  # JavaScript: the base class itself
        definition.bases = tuple(_base(reader, child, None, place, scope) for child in node.named_children)
        return
    for clause in clauses:
        if clause.type == "implements_clause":
            for one in clause.named_children:
                read_type(reader, one, place)
            definition.implements = tuple(reader.short(one) for one in clause.named_children)
        else:
            value, types = clause.child_by_field_name("value"), clause.child_by_field_name("type_arguments")
            if value is not None:
                definition.bases = (_base(reader, value, types, place, scope),)


def _base(reader: Reader, value: Node, types: Node | None, place: int, scope: int) -> str:
    text = reader.visit(value, scope)
    if types is not None:
        read_type(reader, types, place)
        return f"{text}{reader.short(types)}"
    return text


def _read_decorator(reader: Reader, node: Node, place: int, scope: int) -> None:
    for child in node.named_children:
        reader.definitions[place].decorators.append(reader.visit(child, scope))


def _read_members(reader: Reader, body: Node, place: int) -> None:
    decorators: list[str] = []
    for member in body.named_children:
        kind = member.type
        if kind == "decorator":
            decorators.extend(reader.visit(child, place) for child in member.named_children)
            continue
        found = None
        if kind in _SIGNATURES:
            found = read_method(reader, member, place)
        elif kind in _FIELDS:
            found = _read_field(reader, member, place)
        else:
            _read_other_member(reader, member, place)
        if found is not None and decorators:
            reader.definitions[found].decorators.extend(decorators)
        decorators = []


def _read_other_member(reader: Reader, member: Node, place: int) -> None:
    kind = member.type
    if kind in ("call_signature", "construct_signature"):
        name = "()" if kind == "call_signature" else "new"
        read_signature(reader, member, reader.define(name, "method", member, member, place))
    elif kind == "index_signature":
        found = member.child_by_field_name("type")
        if found is not None:
            index = reader.define("[]", "property", member, member, place)
            reader.definitions[index].type = annotation(reader, found, place)
        else:
            read_type(reader, member, place)
    elif kind == "class_static_block":
        reader.visit_children(member, place)
    else:
        read_type(reader, member, place)


def _read_field(reader: Reader, node: Node, owner: int) -> int | None:
    name = node.child_by_field_name("name") or node.child_by_field_name("property")
    if name is None:
        return None
    value, type_node = node.child_by_field_name("value"), node.child_by_field_name("type")
    text = member_name(reader, name, owner)
    is_function = value is not None and value.type in FUNCTIONS
    place = reader.define(text, "method" if is_function else "property", node, name, owner)
    reader.definitions[place].modifiers.extend(sorted(words_of(node)))
    holder = ""
    if type_node is not None:
        reader.definitions[place].type = read_type_members(reader, type_node, place)
        holder = reader.definitions[place].type
    if value is None:
        return place
    if is_function:
        reader.definitions[place].modifiers.append("arrow")
        context = ""
        if holder:
            alias = f"<as:{place_of(name)}>"
            reader.bind(alias, "type", holder, name, owner)
            reader.definitions[place].modifiers.append(f"typed {alias}")
            reader.definitions[place].type = ""
            context = f"{alias}:-1"
        read_signature(reader, value, place, context)
    else:
        reader.definitions[place].values.append(reader.value(value, owner))
    return place


def visit_interface(reader: Reader, node: Node, scope: int) -> str:
    name = node.child_by_field_name("name")
    if name is None:
        return reader.visit_children(node, scope)
    place = reader.define(reader.text(name), "interface", node, name, scope)
    read_type_parameters(reader, node, place)
    for child in node.named_children:
        if child.type == "extends_type_clause":
            read_type(reader, child, place)
            reader.definitions[place].bases = tuple(reader.short(one) for one in child.named_children)
    body = node.child_by_field_name("body")
    if body is not None:
        _read_members(reader, body, place)
    return UNKNOWN_EXPRESSION


def visit_alias(reader: Reader, node: Node, scope: int) -> str:
    """A type alias. Members of object types in it are definitions inside it; its text keeps only their braces."""
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None or value is None:
        return reader.visit_children(node, scope)
    place = reader.define(reader.text(name), "type", node, name, scope)
    read_type_parameters(reader, node, place)
    reader.definitions[place].type = read_type_members(reader, value, place) or reader.short(value)
    return UNKNOWN_EXPRESSION


def read_type_members(reader: Reader, node: Node, place: int) -> str:
    """Defines the members of object types; returns the text of the type with their braces emptied."""
    kind = node.type
    if kind == "type_annotation" and node.named_child_count:
        return read_type_members(reader, node.named_children[0], place)
    if kind == "object_type":
        if any(child.type == "index_signature" and child.child_by_field_name("type") is None
               for child in node.named_children):  # fmt: skip
            read_type(reader, node, place)
            return reader.short(node)
        _read_members(reader, node, place)
        return "{}"
    if kind == "parenthesized_type" and node.named_child_count and reader.enter():
        text = read_type_members(reader, node.named_children[0], place)
        reader.leave()
        return f"({text})"
    if kind in ("intersection_type", "union_type") and reader.enter():
        parts = [read_type_members(reader, child, place) for child in _operands(node)]
        reader.leave()
        return (" & " if kind == "intersection_type" else " | ").join(parts)[:LONGEST_TEXT]
    read_type(reader, node, place)
    return reader.short(node)


def _operands(node: Node) -> list[Node]:
    """The parts of `A | B | C`, which the grammar nests to the left."""
    kind = node.type
    found: list[Node] = []
    while node.type == kind and node.named_child_count:
        first, *rest = node.named_children
        found.extend(reversed(rest))
        node = first
    return [node, *reversed(found)]


def visit_enum(reader: Reader, node: Node, scope: int) -> str:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None or body is None:
        return reader.visit_children(node, scope)
    place = reader.define(reader.text(name), "enum", node, name, scope)
    for member in body.named_children:
        named = member.child_by_field_name("name") if member.type == "enum_assignment" else member
        if named is not None and named.type in ("property_identifier", "string"):
            reader.define(member_name(reader, named, place), "property", member, named, place)
            value = member.child_by_field_name("value")
            if value is not None:
                reader.visit(value, place)
    return UNKNOWN_EXPRESSION


def visit_namespace(reader: Reader, node: Node, scope: int) -> str:
    """A namespace, `declare module "name"` or `declare global`."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None or body is None:
        return reader.visit_children(node, scope)
    place = scope
    for part in reader.text(name).split(".") if name.type != "string" else [reader.text(name)[1:-1]]:
        place = reader.define(part, "module", node, name, place)
    if name.type == "string":
        reader.definitions[place].modifiers.append("ambient")
    return reader.visit_children(body, place)


def visit_ambient(reader: Reader, node: Node, scope: int) -> str:
    if not any(child.type == "global" for child in node.children):
        return reader.visit_children(node, scope)
    place = reader.define("global", "module", node, node, scope)
    reader.definitions[place].modifiers.append("global")
    return reader.visit_children(node, place)
