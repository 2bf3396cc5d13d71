"""Reads one Rust file into a record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from holdfast.codegraph.code_parsing import text
from holdfast.codegraph.code_records import DEEPEST_SCOPE, Import, ImportedName, Parameter
from holdfast.codegraph.languages.declared.declared_reading import DeclaredReader, Expressions, Link, type_text
from holdfast.codegraph.languages.declared.declared_types import parse_declared
from holdfast.codegraph.languages.rust.rust_tokens import calls_in

if TYPE_CHECKING:
    from tree_sitter import Node

_EXPRESSIONS = Expressions(
    names=frozenset(["identifier", "field_identifier", "type_identifier", "self", "crate", "super", "metavariable"]),
    links={
        "field_expression": Link("value", "field"),
        "scoped_identifier": Link("path", "name"),
        "scoped_type_identifier": Link("path", "name"),
        "call_expression": Link("function", suffix="()"),
        "index_expression": Link(suffix="[]"),
        "generic_function": Link("function"),
        "generic_type": Link("type"),
        "generic_type_with_turbofish": Link("type"),
        "try_expression": Link(),
        "await_expression": Link(),
        "parenthesized_expression": Link(),
        "reference_expression": Link("value"),
        "unary_expression": Link(),
    },
    typed={"struct_expression": "name", "type_cast_expression": "type"},
)
# Patterns that contain the value itself; `Option` and `Result` stand for what they contain.
_WRAPPING = ("Some", "Ok")
_NAMES = ("identifier", "shorthand_field_identifier")


class _RustReader(DeclaredReader):
    language = "rust"
    expressions = _EXPRESSIONS

    def __init__(self) -> None:
        super().__init__()
        self.handlers["tokens"] = self._read_tokens

    def bases(self, node: Node) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The traits that a trait extends, or that an `impl` block implements."""
        if node.type == "impl_item":
            trait = type_text(node.child_by_field_name("trait"))
            return (), (trait,) if trait else ()
        return (_bounds(node) if node.type == "trait_item" else ()), ()

    def modifiers(self, node: Node) -> tuple[str, ...]:
        """Type parameters with their first bound, those of `where` included."""
        found: dict[str, str] = {}
        parameters = node.child_by_field_name("type_parameters")
        for part in parameters.named_children if parameters is not None else ():
            name = part.child_by_field_name("name") or part.child_by_field_name("left")
            if name is not None and part.type != "lifetime_parameter":
                found[text(name)] = next(iter(_bounds(part)), "")
        for clause in node.named_children:
            for part in clause.named_children if clause.type == "where_clause" else ():
                left = part.child_by_field_name("left")
                if left is not None and left.type == "type_identifier":
                    found[text(left)] = found.get(text(left)) or next(iter(_bounds(part)), "")
        return tuple(f"<{name} {bound}" for name, bound in found.items())

    def complete(self, place: int, node: Node) -> None:
        made = self.definitions[place]
        within = self.definitions[made.parent] if made.parent >= 0 else None
        if node.type == "impl_item":
            # Definitions in the block are named like members of the type.
            outer = f"{within.qualified}." if within is not None else ""
            name = parse_declared(made.type).name.rpartition(".")[2]
            made.qualified = f"{outer}{name}" if name else made.qualified
        elif node.type == "macro_definition":
            made.name, made.qualified = f"{made.name}!", f"{made.qualified}!"
        elif within is not None and within.kind in ("interface", "block") and "()" not in within.name:
            is_method = made.kind == "function" and (within.kind == "interface" or within.type)
            made.kind = "method" if is_method else made.kind

    def parameter(self, node: Node) -> Iterable[Parameter]:
        if node.type in _NAMES:  # a parameter of a closure
            return [Parameter(text(node))]
        written = type_text(node.child_by_field_name("type"))
        pattern = node.child_by_field_name("pattern")
        return [Parameter(text(name), written) for name in _pattern_names(pattern)[:1]]

    # -- imports --------------------------------------------------------------------------------------------------

    def read_import(self, node: Node) -> None:
        scope, line, column = self.scope(node), node.start_point.row + 1, node.start_point.column
        if node.type == "mod_item":
            name = node.child_by_field_name("name")
            module = text(name) if name is not None else ""
            self.imports.append(
                Import(_path_attribute(node) or module, (), line, scope, module, kind="include", column=column)
            )
            return
        if node.type == "extern_crate_declaration":
            name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
            if name is not None:
                names = (ImportedName(text(name), text(alias or name)),)
                self.imports.append(Import("", names, line, scope, column=column))
            return
        for path, imported in _uses(node.child_by_field_name("argument")):
            self.imports.append(Import("::".join(path), (imported,), line, scope, column=column))

    # -- variables ------------------------------------------------------------------------------------------------

    def read_variable(self, node: Node) -> None:
        if node.type in ("field_declaration", "const_item", "static_item"):
            name = node.child_by_field_name("name")
            if name is not None:
                written = type_text(node.child_by_field_name("type"))
                self.declare(name, written, self.expression(node.child_by_field_name("value")), node)
        elif node.type == "enum_variant":
            self.declare_constant(node)
        else:
            self._read_pattern(node)

    def _read_pattern(self, node: Node) -> None:
        """Binds the names of `let`, `if let`, `for` and the arms of `match`."""
        pattern, value = node.child_by_field_name("pattern"), node.child_by_field_name("value")
        written = type_text(node.child_by_field_name("type"))
        form = "element" if node.type == "for_expression" else "value"
        if node.type == "match_arm":
            outer = node.parent.parent if node.parent is not None else None
            value = outer.child_by_field_name("value") if outer is not None else None
            pattern = pattern.named_children[0] if pattern is not None and pattern.named_child_count else None
        names = _pattern_names(pattern)
        is_whole = pattern is not None and (pattern.type in _NAMES or _is_wrapping(pattern))
        bound = self.expression(value) if is_whole and len(names) == 1 else ""
        for name in names:
            self.bind(name, written if is_whole else "", bound, self.scope(node), form)

    # -- references -----------------------------------------------------------------------------------------------

    def read_call(self, node: Node) -> None:
        if node.type != "macro_invocation":
            super().read_call(node)
            return
        macro = node.child_by_field_name("macro")
        if macro is not None:
            self.refer_to(f"{self.expression(macro)}!", "call", self.last_name(macro), self.scope(node))

    def _read_tokens(self, tree: Node) -> None:
        scope = self.scope(tree)
        for called, name in calls_in(tree):
            self.refer_to(called, "call", name, scope)

    def refer(self, node: Node, kind: str, name: Node) -> None:
        parent = node.parent
        if parent is not None and kind == "type":
            if parent.type == "scoped_type_identifier":
                node = parent
            elif parent.child_by_field_name("name") == node and parent.type != "struct_expression":
                return
        elif parent is not None and (
            node in (parent.child_by_field_name(one) for one in ("path", "function", "macro", "argument"))
            or (parent.type == "field_expression" and parent.child_by_field_name("value") == node)
            or parent.type in ("use_list", "use_as_clause", "scoped_use_list", "use_wildcard", "generic_function")
        ):
            return  # A part of a longer chain, what a call calls, or an import.
        super().refer(node, kind, name)


extract = _RustReader.extract


def _bounds(node: Node) -> tuple[str, ...]:
    found = node.child_by_field_name("bounds")
    return tuple(type_text(one) for one in found.named_children if one.type != "lifetime") if found else ()


def _path_attribute(node: Node) -> str:
    """Returns the file of `#[path = "file.rs"] mod name;`."""
    before = node.prev_named_sibling
    while before is not None and before.type == "attribute_item":
        written = text(before).replace(" ", "")
        if written.startswith('#[path="'):
            return written[8:].partition('"')[0]
        before = before.prev_named_sibling
    return ""


def _uses(tree: Node | None) -> Iterator[tuple[tuple[str, ...], ImportedName]]:
    """Yields the module and the name of each import in a tree of imports, without those of absurd depth."""
    pending: list[tuple[Node, tuple[str, ...]]] = [(tree, ())] if tree is not None else []
    while pending:
        node, before = pending.pop()
        if node.type == "use_list":
            inner, children = before, node.named_children
        elif node.type == "scoped_use_list":
            inner = (*before, *_parts(node.child_by_field_name("path")))
            children = _children(node.child_by_field_name("list"))
        else:
            yield from _used(node, before)
            continue
        if len(inner) < DEEPEST_SCOPE:
            pending.extend((child, inner) for child in reversed(children))


def _used(node: Node, before: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], ImportedName]]:
    """Yields the module and the name of one import; nothing for what is no import."""
    kind = node.type
    if kind in ("identifier", "self", "crate", "super", "scoped_identifier"):
        yield from _named([*before, *_parts(node)], "")
    elif kind == "use_as_clause":
        alias = node.child_by_field_name("alias")
        yield from _named(
            [*before, *_parts(node.child_by_field_name("path"))], text(alias) if alias is not None else ""
        )
    elif kind == "use_wildcard":
        path = node.named_children[0] if node.named_child_count else None
        yield (*before, *_parts(path)), ImportedName("*", "*")


def _named(parts: list[str], alias: str) -> Iterator[tuple[tuple[str, ...], ImportedName]]:
    """Yields the import of a path; `a::b::{self}` names the module `b` itself."""
    if parts and parts[-1] == "self" and len(parts) > 1:
        parts = parts[:-1]
    if parts:
        yield tuple(parts[:-1]), ImportedName(parts[-1], alias or parts[-1])


def _parts(node: Node | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in text(node).split("::") if part.strip()) if node is not None else ()


def _children(node: Node | None) -> list[Node]:
    return node.named_children if node is not None else []


def _is_wrapping(pattern: Node) -> bool:
    name = pattern.child_by_field_name("type") if pattern.type == "tuple_struct_pattern" else None
    return name is not None and text(name) in _WRAPPING


def _pattern_names(pattern: Node | None) -> list[Node]:
    """Returns the names that a pattern binds, in order. A name in upper case is a constant."""
    found: list[Node] = []
    pending = [pattern] if pattern is not None else []
    while pending:
        node = pending.pop()
        if node.type in _NAMES:
            if not text(node)[:1].isupper():
                found.append(node)
        elif node.type not in ("scoped_identifier", "type_identifier", "field_identifier"):
            head = node.child_by_field_name("type")
            pending.extend(child for child in reversed(node.named_children) if child != head)
    return found
