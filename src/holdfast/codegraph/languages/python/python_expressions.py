"""Writes Python expressions, types and targets of assignments in the form of the records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from holdfast.codegraph.code_parsing import text
from holdfast.codegraph.code_records import LONGEST_TEXT, UNKNOWN_EXPRESSION, chained

if TYPE_CHECKING:
    from tree_sitter import Node

_LITERALS = {
    "string": "<str>",
    "concatenated_string": "<str>",
    "integer": "<int>",
    "float": "<float>",
    "true": "<bool>",
    "false": "<bool>",
    "none": "<none>",
    "list": "<list>",
    "list_comprehension": "<list>",
    "tuple": "<tuple>",
    "expression_list": "<tuple>",
    "dictionary": "<dict>",
    "dictionary_comprehension": "<dict>",
    "set": "<set>",
    "set_comprehension": "<set>",
    "generator_expression": "<generator>",
    "comparison_operator": "<bool>",
    "not_operator": "<bool>",
}
# Longer chains are not followed: each call in a chain is a reference of its own, which would take quadratic time.
_LONGEST_CHAIN = 40
_SAME_ELEMENTS = ("sorted", "list", "tuple", "set", "frozenset", "reversed", "iter", "deque", "tqdm")
# What some built-in functions return, as steps from their argument.
_BUILT_IN = {"max": "[*]", "min": "[*]", "next": "[*]", "type": ".__class__"}
_BUILT_IN |= dict.fromkeys(_SAME_ELEMENTS, "")
_GENERIC = frozenset(
    "Union Optional Dict List Sequence Iterable Iterator Mapping Tuple Type Callable Awaitable Annotated dict list "
    "tuple type set Set Generator".split()
)
_ELEMENTS = ("list", "list_comprehension", "set", "set_comprehension", "generator_expression")


def expression(node: Node | None) -> str:
    """Returns an expression in the form of the records."""
    parts: list[str] = []
    for _ in range(_LONGEST_CHAIN):
        if node is None:
            break
        kind = node.type
        if kind == "identifier":
            return chained(text(node), parts)
        if kind == "attribute":
            name = node.child_by_field_name("attribute")
            parts.append("." + text(name) if name else ".?")
            node = node.child_by_field_name("object")
        elif kind == "call":
            step, node = _called(node)
            parts.append(step)
        elif kind == "subscript":
            parts.append(_subscript(node))
            node = node.child_by_field_name("value")
        elif kind in ("await", "parenthesized_expression", "list_splat"):
            node = node.named_children[0] if node.named_children else None
        elif kind in _CHOICES:
            return chained(_choice(node), parts) if not parts else UNKNOWN_EXPRESSION
        elif kind in _LITERALS:
            return chained(_LITERALS[kind], parts) if parts else _literal(node)
        else:
            break
    return UNKNOWN_EXPRESSION


def _called(node: Node) -> tuple[str, Node | None]:
    """Returns the step that a call adds, and what it adds it to: for some built-in functions, their argument."""
    function = node.child_by_field_name("function")
    if function is not None and function.type == "identifier" and (step := _BUILT_IN.get(text(function))) is not None:
        arguments = call_arguments(node)
        if arguments and arguments[0].type in ("identifier", "attribute", "call", "subscript"):
            return step, arguments[0]
    return "()", function


def called_name(node: Node | None) -> str:
    """Returns the last name of what a call calls: `cast` for `typing.cast(...)`; "" for anything else."""
    function = node.child_by_field_name("function") if node is not None and node.type == "call" else None
    if function is None or function.type not in ("identifier", "attribute"):
        return ""
    return text(function.child_by_field_name("attribute") or function)


def call_arguments(node: Node | None) -> list[Node]:
    """Returns the arguments of a call, keywords included; none for anything else."""
    arguments = node.child_by_field_name("arguments") if node is not None and node.type == "call" else None
    return [part for part in arguments.named_children if part.type != "comment"] if arguments is not None else []


def elements(node: Node | None) -> str:
    """Returns the expression of an element of what is iterated."""
    arguments = call_arguments(node)
    while arguments and called_name(node) in _SAME_ELEMENTS:
        node = arguments[0]
        arguments = call_arguments(node)
    iterated = expression(node)
    known = iterated != UNKNOWN_EXPRESSION and "|" not in iterated and len(iterated) < LONGEST_TEXT
    return f"{iterated}[*]" if known else UNKNOWN_EXPRESSION


def type_alias(node: Node | None, declared: str) -> str:
    """Returns the type that an assignment gives a name: an alias, or the bound of a type variable; "" if it is none."""
    if node is None:
        return ""
    if declared.rpartition(".")[2] == "TypeAlias":
        return type_text(node)
    function, arguments = called_name(node), call_arguments(node)
    if function in ("TypeVar", "NewType"):
        bounds = [part.child_by_field_name("value") for part in arguments if text(part).startswith("bound")]
        plain = [part for part in arguments[1:] if part.type != "keyword_argument"]
        return " | ".join(type_text(part) for part in [*bounds, *plain] if part is not None)
    head = node.child_by_field_name("value") if node.type == "subscript" else None
    return type_text(node) if head is not None and text(head).rpartition(".")[2] in _GENERIC else ""


def _subscript(node: Node) -> str:
    index = node.child_by_field_name("subscript")
    if index is not None and index.type == "slice":
        return ""
    return f"[{text(index)}]" if index is not None and index.type == "integer" and len(text(index)) < 3 else "[]"


_CHOICES = ("conditional_expression", "boolean_operator")


def _choice(node: Node) -> str:
    """Returns the alternatives of `a or b`, `a and b` and `a if c else b`, joined by `|`."""
    named = node.named_children
    if node.type == "conditional_expression" and len(named) == 3:
        options = [named[0], named[2]]
    elif any(child.type == "and" for child in node.children):
        options = named[-1:]
    else:
        options = named
    simple = [expression(option) for option in options if option.type not in _CHOICES]
    known = [option for option in simple if option not in (UNKNOWN_EXPRESSION, "<none>")]
    return "|".join(dict.fromkeys(known)) or UNKNOWN_EXPRESSION


def _literal(node: Node) -> str:
    """Returns a literal; a list, set or generator with the expression of its first element: `<list>{Item()}`."""
    kind = _LITERALS[node.type]
    if node.type not in _ELEMENTS or not node.named_children:
        return kind
    first = node.child_by_field_name("body") or node.named_children[0]
    element = expression(first) if first.type in ("call", "identifier", "attribute") else UNKNOWN_EXPRESSION
    return kind if element == UNKNOWN_EXPRESSION or "{" in element else f"{kind}{{{element}}}"


def type_text(node: Node | None) -> str:
    """Returns a type as written, without quotes and line breaks; "" if it is too long."""
    if node is None or node.end_byte - node.start_byte > 8 * LONGEST_TEXT:
        return ""
    written = " ".join(text(node).split())
    if '"' in written or "'" in written:
        written = written.replace('"', "").replace("'", "")
    return written if len(written) <= LONGEST_TEXT else ""


def one_of(node: Node | None) -> str:
    """Returns the type that is one of a tuple of types, or the type itself."""
    return type_text(node).strip("()").replace(",", " |").rstrip("| ")


def targets(node: Node, value: str) -> Iterator[tuple[Node, str]]:
    """Yields each name or attribute that an assignment binds, with the expression of its value.

    Names in a pattern get the items of the value: in `a, b = pair()`, the value of `b` is `pair()[1]`.
    """
    pending = [(node, value)]
    while pending:
        target, bound = pending.pop()
        if target.type in ("identifier", "attribute"):
            yield target, bound
        elif target.type in ("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list"):
            for place, item in enumerate(target.named_children):
                known = bound != UNKNOWN_EXPRESSION and place < 10 and len(bound) < LONGEST_TEXT and "|" not in bound
                pending.append((item, f"{bound}[{place}]" if known else UNKNOWN_EXPRESSION))
        elif target.type == "list_splat_pattern":
            pending.extend((child, UNKNOWN_EXPRESSION) for child in target.named_children)
        elif target.type == "as_pattern_target":
            pending.extend((child, bound) for child in target.named_children[:1])
