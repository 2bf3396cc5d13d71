"""Reads expressions: the chains of names and calls that are stored as text, and the calls and reads in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.codegraph.code_records import LONGEST_TEXT, MODULE, UNKNOWN_EXPRESSION, Export, Import
from holdfast.codegraph.languages.typescript.functions import FUNCTIONS, read_function
from holdfast.codegraph.languages.typescript.objects import read_object
from holdfast.codegraph.languages.typescript.typescript_reading import Reader, place_of
from holdfast.codegraph.languages.typescript.typescript_types import read_type

if TYPE_CHECKING:
    from tree_sitter import Node

_LITERALS = {
    "string": "<str>",
    "template_string": "<str>",
    "number": "<num>",
    "regex": "<regex>",
    "true": "<bool>",
    "false": "<bool>",
    "null": "<null>",
    "undefined": "<null>",
    "array": "<list>",
}
_TRANSPARENT = frozenset({"parenthesized_expression", "await_expression", "non_null_expression"})
# Global names that no project defines: recording each use would double the number of references.
_WELL_KNOWN = frozenset(
    """undefined console Math JSON Object Array Promise Error String Number Boolean Symbol Date RegExp Map Set WeakMap
    WeakSet NaN Infinity globalThis window document process Buffer TypeError RangeError Proxy Reflect arguments
    parseInt parseFloat isNaN setTimeout clearTimeout""".split()
)


def read_expression(reader: Reader, node: Node, scope: int) -> str:
    """Records all calls and reads of an expression and returns its text."""
    links: list[tuple[str, Node]] = []
    while True:
        kind = node.type
        if kind == "member_expression":
            links.append((".", node.child_by_field_name("property") or node))
            inner = node.child_by_field_name("object")
        elif kind == "call_expression":
            links.append(("()", node))
            inner = node.child_by_field_name("function")
        elif kind == "new_expression":
            links.append(("()", node))
            inner = node.child_by_field_name("constructor")
        elif kind == "subscript_expression":
            links.append(("[]", node))
            inner = node.child_by_field_name("object")
        elif kind in _TRANSPARENT:
            inner = node.named_children[0] if node.named_child_count else None
        else:
            break
        if inner is None:
            return UNKNOWN_EXPRESSION
        node = inner
    if node.type == "import" or (node.type == "identifier" and links and reader.text(node) == "require"):
        text, links = _required(reader, links, scope)
    else:
        text = _atom(reader, node, scope, bool(links))
    return _chain(reader, text, node, links, scope) if links else text


def _chain(reader: Reader, text: str, last: Node, links: list[tuple[str, Node]], scope: int) -> str:
    """Follows the links from the innermost to the outermost; records each call, and a read at the end."""
    kind = ""
    for kind, node in reversed(links):
        if len(text) > LONGEST_TEXT:
            text = UNKNOWN_EXPRESSION
        if kind == ".":
            text = f"{text}.{reader.text(node)}"
            last = node
        elif kind == "()":
            if not text.endswith(("()", "[]")):
                reader.refer(text, "call", last, scope)
            _arguments(reader, node, text, scope)
            text = _typed_call(reader, node, text, scope) or f"{text}()"
        else:
            index = node.child_by_field_name("index")
            if index is not None and index.type == "string":
                text, last, kind = f"{text}.{reader.text(index)[1:-1]}", index, "."
            elif index is not None:
                reader.visit(index, scope)
                text += "[]"
    if kind == ".":
        reader.refer(text, "read", last, scope)
    return text


def _typed_call(reader: Reader, node: Node, callee: str, scope: int) -> str:
    """The text of a call with type arguments: a name bound to the type of a new object."""
    types = node.child_by_field_name("type_arguments")
    if types is None:
        return ""
    read_type(reader, types, scope)
    if node.type != "new_expression" or "(" in callee or callee.startswith("<"):
        return ""
    return _as_type(reader, node, f"{callee}{reader.short(types)}", scope)


def _as_type(reader: Reader, node: Node, type_text: str, scope: int) -> str:
    name = f"<as:{place_of(node)}>"
    reader.bind(name, "type", type_text, node, scope)
    return name


def _arguments(reader: Reader, call: Node, callee: str, scope: int) -> None:
    found = call.child_by_field_name("arguments")
    if found is None:
        return
    if found.type == "template_string":
        reader.visit_children(found, scope)
        return
    for place, argument in enumerate(found.named_children):
        context = f"{callee}():{place}"
        if argument.type in FUNCTIONS:
            read_function(reader, argument, scope, context=context)
        elif argument.type == "object":
            read_object(reader, argument, scope, context=context)
        else:
            reader.visit(argument, scope)


def _required(reader: Reader, links: list[tuple[str, Node]], scope: int) -> tuple[str, list[tuple[str, Node]]]:
    """The module of `require("m")` or `import("m")`: an import bound to a name that nobody can write."""
    _, call = links[-1]
    arguments = call.child_by_field_name("arguments")
    source = arguments.named_children[0] if arguments is not None and arguments.named_child_count else None
    if call.type != "call_expression" or source is None or source.type != "string":
        return UNKNOWN_EXPRESSION, links
    alias = f"<import:{place_of(call)}>"
    row, column = source.start_point
    reader.imports.append(Import(reader.text(source)[1:-1], (), row + 1, scope, alias, 0, "dynamic", column))
    return alias, links[:-1]


def _atom(reader: Reader, node: Node, scope: int, is_linked: bool) -> str:
    """The text of an expression that is no chain."""
    kind = node.type
    if kind == "identifier":
        name = reader.text(node)
        if not is_linked and name not in _WELL_KNOWN:
            reader.refer(name, "read", node, scope)
        return name
    if kind in ("this", "super"):
        return kind
    if kind in FUNCTIONS:
        return read_function(reader, node, scope)
    if kind == "object":
        return read_object(reader, node, scope)
    if kind in _LITERALS:
        if node.named_child_count and kind != "string":
            reader.visit_children(node, scope)
        return _LITERALS[kind]
    text = UNKNOWN_EXPRESSION
    if reader.enter():
        text = _compound(reader, node, scope)
        reader.leave()
    return text


def _compound(reader: Reader, node: Node, scope: int) -> str:
    kind = node.type
    if kind in ("as_expression", "satisfies_expression"):
        return _cast(reader, node, scope)
    if kind == "ternary_expression":
        return _ternary(reader, node, scope)
    if kind == "binary_expression":
        return _binary(reader, node, scope)
    handler = reader.handlers.get(kind)
    if handler is None or handler is read_expression:
        return reader.visit_children(node, scope)
    return handler(reader, node, scope)


def _ternary(reader: Reader, node: Node, scope: int) -> str:
    """Reads `a ? b : c ? d : e` from left to right, without recursion; returns the first text that is known."""
    texts: list[str] = []
    last: Node | None = node
    while last is not None and last.type == "ternary_expression":
        condition, chosen = last.child_by_field_name("condition"), last.child_by_field_name("consequence")
        if condition is not None:
            reader.visit(condition, scope)
        if chosen is not None:
            texts.append(read_expression(reader, chosen, scope))
        last = last.child_by_field_name("alternative")
    if last is not None:
        texts.append(read_expression(reader, last, scope))
    return next((text for text in texts if text not in (UNKNOWN_EXPRESSION, "<null>")), UNKNOWN_EXPRESSION)


def _cast(reader: Reader, node: Node, scope: int) -> str:
    inner, *types = node.named_children
    text = read_expression(reader, inner, scope)
    if node.type == "satisfies_expression" or not types:  # `as const` has no type
        for one in types:
            read_type(reader, one, scope)
        return text
    read_type(reader, types[0], scope)
    return _as_type(reader, node, reader.short(types[0]), scope)


def _binary(reader: Reader, node: Node, scope: int) -> str:
    """Reads operands from left to right, without recursion into the left side: long sums nest deeply."""
    rights: list[Node] = []
    operator = ""
    while node.type == "binary_expression":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            break
        operator = operator or (node.children[1].type if node.child_count > 1 else "")
        rights.append(right)
        node = left
    texts = [read_expression(reader, one, scope) for one in (node, *reversed(rights))]
    if operator in ("||", "??"):
        return texts[0]
    return texts[-1] if operator == "&&" else UNKNOWN_EXPRESSION


def visit_assignment(reader: Reader, node: Node, scope: int) -> str:
    """Records `this.name = value`, `exports.name = value` and `module.exports = value`."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return reader.visit_children(node, scope)
    target = reader.text(left) if left.end_byte - left.start_byte < LONGEST_TEXT else ""
    if scope == MODULE and target.startswith(("module.exports", "exports.")):
        name = "export=" if target == "module.exports" else target.rpartition(".")[2]
        reader.exports.append(Export(name, reader.value(right, scope), node.start_point[0] + 1))
        return UNKNOWN_EXPRESSION
    if left.type == "identifier":
        return reader.visit(right, scope)
    reader.visit(left, scope)
    value = reader.value(right, scope)
    if target.startswith("this.") and target.count(".") == 1 and value != UNKNOWN_EXPRESSION:
        reader.bind(target, "value", value, left, scope)
    return value


def visit_jsx(reader: Reader, node: Node, scope: int) -> str:
    """Records the component of an element; names in lower case are built in."""
    name = node.child_by_field_name("name")
    if name is not None:
        text = reader.text(name)
        if "." in text or text[:1].isupper():
            last = name if "." not in text else (name.child_by_field_name("property") or name)
            reader.refer(text, "read", last, scope)
    for child in node.named_children:
        if child != name:
            reader.visit(child, scope)
    return UNKNOWN_EXPRESSION
