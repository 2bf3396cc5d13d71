"""Collects the parts of a record while a file is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.codegraph.code_records import (
    MODULE,
    Binding,
    CodeReference,
    Definition,
    Export,
    FileRecord,
    Import,
    Parameter,
    qualified_name,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_VALUES = 4


class OpenDefinition:
    """A definition while its body is read."""

    __slots__ = (
        "bases", "decorators", "implements", "kind", "modifiers", "name", "name_node", "node", "parameters", "parent",
        "qualified", "type", "values",
    )  # fmt: skip

    def __init__(self, name: str, qualified: str, kind: str, node: Node, name_node: Node, parent: int) -> None:
        self.name = name
        self.qualified = qualified
        self.kind = kind
        self.node = node
        self.name_node = name_node
        self.parent = parent
        self.bases: tuple[str, ...] = ()
        self.implements: tuple[str, ...] = ()
        self.parameters: list[Parameter] = []
        self.type = ""
        self.values: list[str] = []
        self.decorators: list[str] = []
        self.modifiers: list[str] = []

    def closed(self) -> Definition:
        (line, column), node = self.name_node.start_point, self.node
        return Definition(
            self.name,
            self.qualified,
            self.kind,
            node.start_point[0] + 1,
            node.end_point[0] + 1,
            node.start_byte,
            node.end_byte,
            line + 1,
            column,
            self.parent,
            self.bases,
            self.implements,
            tuple(self.parameters),
            self.type,
            tuple(self.values[:_MOST_VALUES]),
            tuple(self.decorators),
            tuple(self.modifiers),
        )


class RecordReader:
    """The parts of one file that were found so far."""

    def __init__(self) -> None:
        self.definitions: list[OpenDefinition] = []
        self.imports: list[Import] = []
        self.exports: list[Export] = []
        self.references: list[CodeReference] = []
        self.bindings: list[Binding] = []

    def define(self, name: str, kind: str, node: Node, name_node: Node, parent: int) -> int:
        """Adds a definition and returns its place."""
        qualified = qualified_name(self.definitions[parent].qualified if parent != MODULE else "", name)
        self.definitions.append(OpenDefinition(name, qualified, kind, node, name_node, parent))
        return len(self.definitions) - 1

    def sort(self) -> None:
        """Puts what was found kind by kind in source order."""
        self.imports.sort(key=lambda one: (one.line, one.column))
        self.references.sort(key=lambda one: (one.line, one.column))
        self.bindings.sort(key=lambda one: one.line)

    def record(self, path: str, language: str, hash: str, lines: int, has_errors: bool) -> FileRecord:
        """Returns the record of the file."""
        return FileRecord(
            path,
            language,
            hash,
            lines,
            tuple(one.closed() for one in self.definitions),
            tuple(self.imports),
            tuple(self.exports),
            tuple(self.references),
            tuple(self.bindings),
            has_errors,
        )
