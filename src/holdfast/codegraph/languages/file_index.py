"""The parts of a record by scope and name, and the files of a project as a resolver uses them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property

from holdfast.codegraph.code_records import MODULE, Binding, Definition, FileRecord, Import, ImportedName
from holdfast.codegraph.languages import ProjectFiles
from holdfast.codegraph.languages.expression_values import VARIABLE, CodeValue
from holdfast.codegraph.tracking import Tracker


class FileIndex:
    """One file. `kinds` are the kinds of values that its kinds of definitions are; others are variables."""

    def __init__(self, record: FileRecord, kinds: Mapping[str, str]) -> None:
        self.record = record
        self.path = record.path
        self.definitions = record.definitions
        self._kinds = kinds
        self.children: dict[int, dict[str, list[int]]] = defaultdict(dict)
        for place, definition in enumerate(record.definitions):
            self.children[definition.parent].setdefault(definition.name, []).append(place)
        self.bindings: dict[tuple[int, str], list[Binding]] = defaultdict(list)
        for binding in record.bindings:
            self.bindings[binding.scope, binding.name].append(binding)
        # What local names are imported as; without a name, the module itself.
        self.imports: dict[int, dict[str, list[tuple[Import, ImportedName | None]]]] = defaultdict(dict)
        self.stars: list[Import] = []
        for statement in record.imports:
            self._add_import(statement)

    def _add_import(self, statement: Import) -> None:
        local = self.imports[statement.scope]
        if not statement.names and statement.kind != "include":
            name = statement.alias or statement.module.partition(".")[0]
            local.setdefault(name, []).append((statement, None))
        for imported in statement.names:
            if imported.name == "*":
                self.stars.append(statement)
            else:
                local.setdefault(imported.alias, []).append((statement, imported))

    @cached_property
    def blocks(self) -> Mapping[str, list[int]]:
        """The blocks that add members to a type, by the name of the type."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, definition in enumerate(self.definitions):
            if definition.kind == "block" and definition.type:
                found[definition.qualified.rpartition(".")[2]].append(place)
        return found

    @property
    def package(self) -> str:
        """The package that the file says it belongs to."""
        return next((one.name for one in self.record.exports if one.kind == "package"), "")

    def value(self, place: int, receiver: CodeValue | None = None) -> CodeValue:
        """Returns the definition at a place as a value."""
        return CodeValue(self._kinds.get(self.definitions[place].kind, VARIABLE), self.path, place, receiver)

    def named(self, scope: int, name: str) -> list[CodeValue]:
        """Returns the definitions of a name in a scope."""
        return [self.value(place) for place in self.children.get(scope, {}).get(name, ())]

    def around(self, scope: int, *kinds: str) -> int:
        """Returns the innermost definition of some kinds at or around a scope, or MODULE."""
        while scope != MODULE and self.definitions[scope].kind not in kinds:
            scope = self.definitions[scope].parent
        return scope


class IndexedFiles:
    """The files of a project, by path; notes which ones were consulted."""

    def __init__(self, project: ProjectFiles, tracker: Tracker, kinds: Mapping[str, str]) -> None:
        self._project = project
        self._tracker = tracker
        self._kinds = kinds
        self._indexes: dict[str, FileIndex | None] = {}
        self._opened: FileIndex | None = None

    def open(self, path: str) -> FileIndex:
        """Returns all parts of a file, until another one is opened."""
        record = self._project.record(path)
        assert record is not None, path
        self._opened = FileIndex(record, self._kinds)
        return self._opened

    def index(self, path: str) -> FileIndex | None:
        """Returns a file, or None if it is not part of the project. Without what other files cannot depend on."""
        self._tracker.consult(path)
        if self._opened is not None and self._opened.path == path:
            return self._opened
        if path not in self._indexes:
            record = self._project.record(path)
            self._indexes[path] = FileIndex(_kept(record), self._kinds) if record is not None else None
        return self._indexes[path]

    def definition(self, value: CodeValue) -> Definition | None:
        """Returns the definition of a value."""
        index = self.index(value.path) if value.place >= 0 else None
        return index.definitions[value.place] if index is not None else None


def _kept(record: FileRecord) -> FileRecord:
    """Returns the part of a record that other files can depend on; the rest is most of it."""
    return record._replace(references=(), bindings=record.open_bindings())
