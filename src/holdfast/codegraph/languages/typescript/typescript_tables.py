"""The records of one file, arranged for looking up names."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from holdfast.codegraph.code_records import MODULE, Binding, Definition, Export, FileRecord, Import
from holdfast.codegraph.languages.evaluator import latest
from holdfast.codegraph.named_parts import OF_ONE_FILE, missing_export_key, part_key, plain_name, scope_name

if TYPE_CHECKING:
    from holdfast.codegraph.tracking import Tracker

TYPES = frozenset({"class", "interface", "type", "enum", "module"})
_LEXICAL = frozenset({"function", "method", "property", "block", "module"})


class _Lookups(dict[str, int]):
    """The numbers under which the tracker knows the names of one file."""

    def __init__(self, path: str, tracker: Tracker) -> None:
        self._path = path
        self._tracker = tracker

    def __missing__(self, name: str) -> int:
        self[name] = number = self._tracker.number(part_key(self._path, plain_name(name)))
        return number


class FileTable:
    """What a file defines, imports and exports, by name. Its methods note for the tracker what was looked up."""

    def __init__(self, record: FileRecord, tracker: Tracker) -> None:
        self.path = record.path
        self._tracker = tracker
        self._lookups = _Lookups(record.path, tracker)
        self._scopes: dict[int, int] = {}
        self._is_module = bool(record.imports or record.exports)
        self._definitions = record.definitions
        self._children: dict[int, dict[str, list[int]]] = defaultdict(dict)
        for index, one in enumerate(record.definitions):
            self._children[one.parent].setdefault(one.name, []).append(index)
        self._bindings: dict[tuple[int, str], list[Binding]] = defaultdict(list)
        for binding in record.bindings:
            self._bindings[binding.scope, binding.name].append(binding)
        # All names that a scope says something of.
        self._names: dict[int, set[str]] = {scope: set(found) for scope, found in self._children.items()}
        for scope, bound in self._bindings:
            self._names.setdefault(scope, set()).add(bound)
        for index, one in enumerate(record.definitions):
            if one.parameters:
                self._names.setdefault(index, set()).update([parameter.name for parameter in one.parameters])
        # Local name: the import and the name it has in its module; "" for the module itself.
        self._imported: dict[str, tuple[Import, str]] = {}
        for one_import in record.imports:
            if one_import.alias:
                self._imported[one_import.alias] = (one_import, "")
            for name in one_import.names:
                self._imported[name.alias] = (one_import, "" if name.name == "*" else name.name)
        self._exports: dict[str, Export] = {}
        self._stars: list[Export] = []
        for export in record.exports:
            if export.name == "*":
                self._stars.append(export)
            else:
                self._exports.setdefault(export.name, export)

    # -- lookups, noted -------------------------------------------------------------------------------------------

    def at(self, place: int) -> Definition:
        """The definition at a place."""
        one = self._definitions[place]
        self._tracker.note(self._lookups[one.name])
        return one

    def around(self, scope: int) -> Definition:
        """The definition of a scope, for what is visible in it and around it."""
        self._note_scope(scope)
        return self._definitions[scope]

    def named(self, parent: int, name: str) -> list[int]:
        """The definitions of a name directly in another one or at the top level."""
        self._tracker.note(self._lookups[name])
        found = self._children.get(parent)
        return found.get(name, []) if found else []

    def visible(self, scope: int, name: str) -> list[int]:
        """The definitions of a name that are visible in a scope by the name alone."""
        one = self.around(scope)
        is_lexical = one.kind in _LEXICAL and "object" not in one.modifiers
        return self._children.get(scope, {}).get(name, []) if is_lexical else []

    def is_said(self, scope: int, name: str) -> bool:
        """Does a scope say something of a name?"""
        self._note_scope(scope)
        return name in self._names.get(scope, ())

    def binding(self, scope: int, name: str, line: int) -> tuple[int, Binding] | None:
        """The last binding of a name at or before a line, else its first, with its number."""
        if scope == MODULE:
            self._tracker.note(self._lookups[name])
        else:
            self._note_scope(scope)
        found = self._bindings.get((scope, name), ())
        place = latest(found, line)
        return (place, found[place]) if place >= 0 else None

    def assigned(self, place: int, name: str) -> tuple[int, Binding] | None:
        """The first `this.name = value` in a method of a class, with the place of the method."""
        assigned = f"this.{name}"
        self._tracker.note(self._lookups[assigned])
        for methods in self._children.get(place, {}).values():
            for method in methods:
                found = self._bindings.get((method, assigned))
                if found:
                    return method, found[0]
        return None

    def imported(self, name: str) -> tuple[Import, str] | None:
        """The import of a local name, and the name it has in its module; "" for the module itself."""
        self._tracker.note(self._lookups[name])
        return self._imported.get(name)

    def exported(self, name: str) -> Export | None:
        """The export of a name."""
        found = self._exports.get(name)
        if found is not None or name in OF_ONE_FILE:
            self._tracker.note(self._lookups[name])
        else:
            self._tracker.look_up(missing_export_key(name))
        return found

    def stars(self) -> list[Export]:
        """The modules from which everything is exported again."""
        self._tracker.note(self._lookups["*"])
        return self._stars

    def _note_scope(self, scope: int) -> None:
        number = self._scopes.get(scope)
        if number is None:
            number = self._scopes[scope] = self._lookups[scope_name(self._definitions[scope].qualified)]
        self._tracker.note(number)

    # -- not noted ------------------------------------------------------------------------------------------------

    def global_names(self) -> dict[str, tuple[int, ...]]:
        """The names that a declaration file declares for all files: all if it is no module, else some."""
        scopes = [] if self._is_module else [MODULE]
        scopes += [place for place, one in enumerate(self._definitions) if "global" in one.modifiers]
        found: dict[str, tuple[int, ...]] = {}
        for scope in scopes:
            for name, places in self._children.get(scope, {}).items():
                found.setdefault(name, tuple(places))
        return found


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
