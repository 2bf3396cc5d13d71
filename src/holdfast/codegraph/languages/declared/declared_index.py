"""The parts of a record by scope and name."""

from __future__ import annotations

from collections import defaultdict

from holdfast.codegraph.code_records import MODULE, Binding, Definition, FileRecord, Import, ImportedName
from holdfast.codegraph.languages import ProjectFiles
from holdfast.codegraph.languages.expression_values import CLASS, FUNCTION, VARIABLE, CodeValue
from holdfast.codegraph.tracking import Tracker

_KINDS = {"class": CLASS, "interface": CLASS, "enum": CLASS, "type": CLASS, "function": FUNCTION, "method": FUNCTION}


class DeclaredIndex:
    """One file of a language with declared types."""

    def __init__(self, record: FileRecord) -> None:
        self.record = record
        self.path = record.path
        self.definitions = record.definitions
        self.children: dict[int, dict[str, list[int]]] = defaultdict(dict)
        for place, one in enumerate(record.definitions):
            self.children[one.parent].setdefault(one.name, []).append(place)
        self.bindings: dict[tuple[int, str], list[Binding]] = defaultdict(list)
        for binding in record.bindings:
            self.bindings[binding.scope, binding.name].append(binding)
        self.imports: dict[int, dict[str, tuple[Import, ImportedName]]] = defaultdict(dict)
        self.stars: dict[int, list[Import]] = defaultdict(list)
        for statement in record.imports:
            for name in statement.names:
                if name.name == "*":
                    self.stars[statement.scope].append(statement)
                else:
                    self.imports[statement.scope].setdefault(name.alias, (statement, name))

        # Blocks that add members to a type, by the name of the type.
        self.blocks: dict[str, list[int]] = defaultdict(list)
        for place, one in enumerate(record.definitions):
            if one.kind == "block" and one.type:
                self.blocks[one.qualified.rpartition(".")[2]].append(place)

    @property
    def package(self) -> str:
        """The package that the file says it belongs to."""
        return next((one.name for one in self.record.exports if one.kind == "package"), "")

    def value(self, place: int) -> CodeValue:
        """Returns the definition at a place as a value."""
        return CodeValue(_KINDS.get(self.definitions[place].kind, VARIABLE), self.path, place)

    def named(self, scope: int, name: str) -> list[CodeValue]:
        """Returns the definitions of a name in a scope."""
        return [self.value(place) for place in self.children.get(scope, {}).get(name, ())]

    def around(self, scope: int, *kinds: str) -> int:
        """Returns the innermost definition of some kinds at or around a scope, or MODULE."""
        while scope != MODULE and self.definitions[scope].kind not in kinds:
            scope = self.definitions[scope].parent
        return scope


class DeclaredFiles:
    """The files of a project, by path; notes which ones were consulted."""

    def __init__(self, project: ProjectFiles, tracker: Tracker) -> None:
        self._project = project
        self._tracker = tracker
        self._indexes: dict[str, DeclaredIndex | None] = {}

    def index(self, path: str) -> DeclaredIndex | None:
        """Returns a file, or None if it is not part of the project."""
        self._tracker.consult(path)
        if path not in self._indexes:
            record = self._project.record(path)
            # References are most of a record, and only the file itself needs them.
            self._indexes[path] = DeclaredIndex(record._replace(references=())) if record is not None else None
        return self._indexes[path]

    def definition(self, value: CodeValue) -> Definition | None:
        """Returns the definition of a value."""
        index = self.index(value.path) if value.place >= 0 else None
        return index.definitions[value.place] if index is not None else None
