"""Reads types: their text, the names they use, and members of object types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.codegraph.code_records import LONGEST_TEXT, UNKNOWN_EXPRESSION
from holdfast.codegraph.languages.typescript.typescript_reading import Reader

if TYPE_CHECKING:
    from tree_sitter import Node

_BUILT_IN = frozenset(
    """Array Promise Record Partial Readonly Required Pick Omit Exclude Extract NonNullable ReturnType Parameters Map
    Set WeakMap WeakSet ReadonlyArray Awaited Date RegExp Error Function Object Symbol String Number Boolean Iterable
    Uint8Array ArrayBuffer HTMLElement Element Node Event unknown""".split()
)


def annotation(reader: Reader, node: Node, scope: int) -> str:
    """The text of a type annotation, without its colon; records the names in it."""
    inner = node.named_children[0] if node.type == "type_annotation" and node.named_child_count else node
    if inner.type != "predefined_type":
        read_type(reader, inner, scope)
    text = reader.short(inner)
    return text.removeprefix(":").strip()


def read_type(reader: Reader, node: Node, scope: int) -> None:
    """Records the names that a type uses."""
    pending = [node]
    while pending:
        one = pending.pop()
        kind = one.type
        if kind == "type_identifier":
            name = reader.text(one)
            if name not in _BUILT_IN:
                reader.refer(name, "type", one, scope)
        elif kind in ("nested_type_identifier", "nested_identifier"):
            if one.end_byte - one.start_byte < LONGEST_TEXT:
                reader.refer(reader.text(one), "type", one.named_children[-1] if one.named_children else one, scope)
        elif kind in ("type_query", "member_expression", "call_expression"):
            for child in one.named_children if kind == "type_query" else [one]:
                reader.visit(child, scope)
        elif kind in ("required_parameter", "optional_parameter", "type_parameter", "property_signature"):
            pending.extend(child for child in one.named_children if child.type not in ("identifier", "type_identifier"))
            if kind == "type_parameter":
                pending.extend(one.named_children[1:])
                _hide(reader, one, scope)
        elif kind in ("infer_type", "mapped_type_clause") and one.named_child_count:
            reader.locals.setdefault(scope, set()).add(reader.text(one.named_children[0]))
            pending.extend(one.named_children[1:])
        elif one.named_child_count:
            pending.extend(one.named_children)


def _hide(reader: Reader, parameter: Node, scope: int) -> None:
    name = parameter.child_by_field_name("name")
    if name is not None:
        reader.locals.setdefault(scope, set()).add(reader.text(name))


def read_type_parameters(reader: Reader, node: Node, place: int) -> None:
    """Keeps the type parameters of a definition as words: `<T extends Hull = Boat`."""
    found = node.child_by_field_name("type_parameters")
    if found is None:
        return
    for one in found.named_children:
        if one.type == "type_parameter":
            reader.definitions[place].modifiers.append(f"<{reader.short(one)}")
            _hide(reader, one, place)
            for child in one.named_children[1:]:
                read_type(reader, child, place)


def visit_type(reader: Reader, node: Node, scope: int) -> str:
    read_type(reader, node, scope)
    return UNKNOWN_EXPRESSION
