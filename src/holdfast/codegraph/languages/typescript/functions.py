"""Reads functions, methods and function expressions: parameters, types, bodies and returned values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.codegraph.code_records import MODULE, SIGNATURE, UNKNOWN_EXPRESSION, Parameter
from holdfast.codegraph.languages.typescript.typescript_patterns import bind_pattern
from holdfast.codegraph.languages.typescript.typescript_reading import Reader, place_of
from holdfast.codegraph.languages.typescript.typescript_types import annotation, read_type_parameters

if TYPE_CHECKING:
    from tree_sitter import Node

FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
_WORDS = frozenset({"async", "static", "get", "set", "abstract", "readonly", "override", "declare", "accessor"})


def visit_function(reader: Reader, node: Node, scope: int) -> str:
    """A function declaration or an overload."""
    name = node.child_by_field_name("name")
    if name is None:
        return reader.visit_children(node, scope)
    place = reader.define(reader.text(name), "function", node, name, scope)
    read_signature(reader, node, place)
    return UNKNOWN_EXPRESSION


def read_function(reader: Reader, node: Node, scope: int, context: str = "") -> str:
    """A function expression; it becomes a block. `context` is the call and the place of the argument it is."""
    name = f"<arrow:{place_of(node)}>"
    place = reader.define(name, "block", node, node, scope)
    if node.type == "arrow_function":
        reader.definitions[place].modifiers.append("arrow")
    read_signature(reader, node, place, context)
    return name


def read_method(reader: Reader, node: Node, owner: int) -> int | None:
    """A method of a class, an interface or an object. Returns its definition."""
    name = node.child_by_field_name("name")
    if name is None:
        return None
    words = words_of(node)
    kind = "property" if words & {"get", "set"} else "method"
    place = reader.define(member_name(reader, name, owner), kind, node, name, owner)
    reader.definitions[place].modifiers.extend(sorted(words))
    read_signature(reader, node, place)
    return place


def member_name(reader: Reader, name: Node, scope: int) -> str:
    """The name of a member; quotes are removed, and a computed name is kept as written."""
    if name.type == "computed_property_name":
        reader.visit_children(name, scope)
    text = reader.text(name)
    return text[1:-1] if name.type == "string" else text[:80]


def words_of(node: Node) -> set[str]:
    """The words before a definition that matter to a resolver."""
    return {child.type for child in node.children if child.type in _WORDS}


def read_signature(reader: Reader, node: Node, place: int, context: str = "") -> None:
    """Reads the parameters, the return type and the body of a function into its definition."""
    if reader.enter():
        _read_signature(reader, node, place, context)
        reader.leave()


def _read_signature(reader: Reader, node: Node, place: int, context: str) -> None:
    definition = reader.definitions[place]
    if any(child.type == "async" for child in node.children[:2]) and "async" not in definition.modifiers:
        definition.modifiers.append("async")
    read_type_parameters(reader, node, place)
    parameters = node.child_by_field_name("parameters") or node.child_by_field_name("parameter")
    if parameters is not None:
        many = parameters.named_children if parameters.type == "formal_parameters" else [parameters]
        for index, one in enumerate(child for child in many if child.type != "comment"):
            _read_parameter(reader, one, place, index, context)
    returned = node.child_by_field_name("return_type") or node.child_by_field_name("type")
    if returned is not None:
        definition.type = annotation(reader, returned, place)
    body = node.child_by_field_name("body")
    if body is None:
        definition.modifiers.append(SIGNATURE)
        return
    if body.type == "statement_block":
        reader.visit_children(body, place)
        return
    definition.values.append(_returned(reader, body, place))


def _returned(reader: Reader, node: Node, scope: int) -> str:
    """The text of a returned value. The declared type types the parameters of a returned function."""
    declared = reader.definitions[scope].type if scope != MODULE else ""
    if not declared or node.type not in FUNCTIONS:
        return reader.value(node, scope)
    holder = f"<as:{place_of(node)}>"
    reader.bind(holder, "type", declared, node, scope)
    return read_function(reader, node, scope, context=f"{holder}:-1")


def visit_return(reader: Reader, node: Node, scope: int) -> str:
    for child in node.named_children:
        text = _returned(reader, child, scope)
        if scope != MODULE and not reader.definitions[scope].type:
            reader.definitions[scope].values.append(text)
    return UNKNOWN_EXPRESSION


def _read_parameter(reader: Reader, node: Node, place: int, index: int, context: str) -> None:
    definition = reader.definitions[place]
    pattern = node.child_by_field_name("pattern") or node.child_by_field_name("left") or node
    default = node.child_by_field_name("value") or node.child_by_field_name("right")
    type_node = node.child_by_field_name("type")
    type_text = annotation(reader, type_node, place) if type_node is not None else ""
    value = reader.value(default, place) if default is not None else ""
    if pattern.type == "rest_pattern" and pattern.named_child_count:
        pattern = pattern.named_children[0]
        definition.modifiers.append("rest")
        if not type_text:
            context = ""
    is_name = pattern.type in ("identifier", "this")
    name = reader.text(pattern) if is_name else f"<{index}>"
    definition.parameters.append(Parameter(name, type_text, value))
    reader.locals.setdefault(place, set()).add(name)
    if context and not type_text:
        reader.bind(name, "argument", f"{context}:{index}", node, place)
    if not is_name:
        bind_pattern(reader, pattern, name, place)
    if definition.name == "constructor" and any(child.type in _PROPERTY_WORDS for child in node.children):
        field = reader.define(name, "property", node, pattern, definition.parent)
        reader.definitions[field].type = type_text
    for child in node.named_children:
        if child.type == "decorator":
            reader.visit(child, place)


_PROPERTY_WORDS = frozenset({"accessibility_modifier", "readonly", "override_modifier"})
