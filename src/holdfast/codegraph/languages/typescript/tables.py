"""The records of one file, arranged for looking up names."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from holdfast.codegraph.records import Binding, Definition, Export, FileRecord, Import

TYPES = frozenset({"class", "interface", "type", "enum", "module"})
_LEXICAL = frozenset({"function", "method", "property", "block", "module"})


class FileTable:
    """What a file defines, imports and exports, by name."""

    def __init__(self, record: FileRecord) -> None:
        self.path = record.path
        self.definitions = record.definitions
        self.children: dict[int, dict[str, list[int]]] = defaultdict(dict)
        for index, one in enumerate(record.definitions):
            self.children[one.parent].setdefault(one.name, []).append(index)
        self.bindings: dict[tuple[int, str], list[Binding]] = defaultdict(list)
        for binding in record.bindings:
            self.bindings[binding.scope, binding.name].append(binding)
        # All names that a scope says something of.
        self.names: dict[int, set[str]] = {scope: set(found) for scope, found in self.children.items()}
        for scope, bound in self.bindings:
            self.names.setdefault(scope, set()).add(bound)
        for index, one in enumerate(record.definitions):
            if one.parameters:
                self.names.setdefault(index, set()).update([parameter.name for parameter in one.parameters])
        # Local name: the import and the name it has in its module; "" for the module itself.
        self.imported: dict[str, tuple[Import, str]] = {}
        for one_import in record.imports:
            if one_import.alias:
                self.imported[one_import.alias] = (one_import, "")
            for name in one_import.names:
                self.imported[name.alias] = (one_import, "" if name.name == "*" else name.name)
        self.exports: dict[str, Export] = {}
        self.stars: list[Export] = []
        for export in record.exports:
            if export.name == "*":
                self.stars.append(export)
            else:
                self.exports.setdefault(export.name, export)

    def is_lexical(self, index: int) -> bool:
        """Are the definitions inside this one visible by their names alone?"""
        one = self.definitions[index]
        return one.kind in _LEXICAL and "object" not in one.modifiers

    def named(self, parent: int, name: str) -> list[int]:
        found = self.children.get(parent)
        return found.get(name, []) if found else []

    def binding(self, scope: int, name: str, line: int) -> tuple[int, Binding] | None:
        """The last binding of a name at or before a line, else its first, with its number."""
        found = self.bindings.get((scope, name))
        if not found:
            return None
        place = 0
        for number, one in enumerate(found):
            if one.line <= line:
                place = number
        return place, found[place]


class Chain(NamedTuple):
    """An expression, taken apart: the name it begins with, and the steps that follow: `name`, `()` or `[]`."""

    base: str
    steps: tuple[str, ...]


@lru_cache(maxsize=100_000)
def take_apart(expression: str) -> Chain:
    """Takes an expression apart: `a.b().c[]` begins with `a`, followed by `b`, `()`, `c` and `[]`."""
    if expression.startswith("<"):
        end = expression.find(">") + 1
        base, rest = expression[:end], expression[end:]
    else:
        end = len(expression)
        for sign in ".([":
            place = expression.find(sign)
            if 0 <= place < end:
                end = place
        base, rest = expression[:end], expression[end:]
    steps: list[str] = []
    for part in rest.split("."):
        name = part
        while name.endswith(("()", "[]")):
            name = name[:-2]
        if name:
            steps.append(name)
        signs = part[len(name) :]
        steps.extend(signs[index : index + 2] for index in range(0, len(signs), 2))
    return Chain(base, tuple(steps))


def type_parameters(definition: Definition) -> tuple[tuple[str, str, str], ...]:
    """Name, constraint and default of each type parameter."""
    return _type_parameters(definition.modifiers) if definition.modifiers else ()


@lru_cache(maxsize=20_000)
def _type_parameters(modifiers: tuple[str, ...]) -> tuple[tuple[str, str, str], ...]:
    found = []
    for word in modifiers:
        if word.startswith("<"):
            rest, _, default = word[1:].partition(" = ")
            name, _, constraint = rest.partition(" extends ")
            found.append((name.removeprefix("const ").strip(), constraint.strip(), default.strip()))
    return tuple(found)
