"""Resolves the imports, base classes and references of Python files to files and symbols of the project."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.codegraph.code_records import (
    CALLS,
    EXACT,
    EXTENDS,
    IMPORTS,
    INFERRED,
    USES,
    CodeReference,
    FileResolution,
    Import,
    Site,
    Unresolved,
)
from holdfast.codegraph.languages import ProjectFiles
from holdfast.codegraph.languages.expression_values import EXTERNAL, MODULE_VALUE, Answer, CodeValue
from holdfast.codegraph.languages.python.python_inference import Inference
from holdfast.codegraph.languages.python.python_names import Names, RecordIndex
from holdfast.codegraph.languages.python.python_type_syntax import names_in, parse_type
from holdfast.codegraph.tracking import Tracker

_TYPES = {"call": CALLS, "decorator": CALLS, "type": USES, "read": USES}


class PythonResolver:
    """Resolves Python files of one project; remembers what it learned of other files."""

    def __init__(self, project: ProjectFiles) -> None:
        self._tracker = Tracker()
        self._names = Names(project, self._tracker)
        self._inference = Inference(self._names, self._tracker)

    def resolve(self, path: str) -> FileResolution:
        """Resolves all places of one file."""
        self._tracker.begin()
        index = self._names.open(path)
        assert index is not None, path
        places = [*self._imports(index), *self._bases(index), *self._references(index)]
        sites = tuple(dict.fromkeys(place for place in places if isinstance(place, Site)))
        unresolved = tuple(place for place in places if isinstance(place, Unresolved))
        paths, names = self._tracker.dependencies()
        return FileResolution(path, sites, unresolved, tuple(sorted(paths - {path})), tuple(sorted(names)))

    def _imports(self, index: RecordIndex) -> Iterator[Site | Unresolved]:
        for statement in index.record.imports:
            self._tracker.next_place()
            module = self._names.module_of(index.path, statement)
            if module is None:
                why = "missing" if self._names.is_ours(index.path, statement) else "external"
                written = "." * statement.level + statement.module
                yield Unresolved(written, IMPORTS, statement.line, statement.column, statement.scope, why)
                continue
            if self._names.modules.is_file(module):
                yield self._imported(statement, module, "")
            yield from self._imported_names(index.path, statement, module)

    def _imported(self, statement: Import, path: str, symbol: str) -> Site:
        return Site(statement.scope, path, symbol, IMPORTS, statement.line, statement.column, EXACT)

    def _imported_names(self, path: str, statement: Import, module: str) -> Iterator[Site | Unresolved]:
        for name in statement.names:
            if name.name == "*":
                continue
            answer = self._names.exported(module, name.name)
            targets = [value for value in answer.values if value.kind != EXTERNAL]
            for value in targets:
                if value.kind != MODULE_VALUE or self._names.modules.is_file(value.path):
                    yield self._imported(statement, value.path, self._symbol(value))
            if not answer.values:
                written = "." * statement.level + f"{statement.module}.{name.name}".lstrip(".")
                yield Unresolved(written, IMPORTS, statement.line, statement.column, statement.scope, "missing")

    def _bases(self, index: RecordIndex) -> Iterator[Site | Unresolved]:
        for place, definition in enumerate(index.record.definitions):
            for written in definition.bases:
                for name in names_in(parse_type(written.partition("[")[0])):
                    self._tracker.next_place()
                    answer = self._inference.evaluate(name, index.path, definition.parent, definition.start_line)
                    line, column = definition.name_line, definition.name_column
                    yield from self._sites(answer, CodeReference(name, "base", line, column, place), EXTENDS)

    def _references(self, index: RecordIndex) -> Iterator[Site | Unresolved]:
        for reference in index.record.references:
            written = reference.expression
            is_name = reference.kind == "read" and "." not in written
            if is_name and self._inference.is_local(written, index.path, reference.scope):
                continue
            self._tracker.next_place()
            answer = self._inference.evaluate(written, index.path, reference.scope, reference.line)
            yield from self._sites(answer, reference, _TYPES[reference.kind])

    def _sites(self, answer: Answer, reference: CodeReference, type: str) -> Iterator[Site | Unresolved]:
        targets = [value for value in answer.values if value.path]
        tier = INFERRED if answer.is_inferred or len({(v.path, self._symbol(v)) for v in targets}) > 1 else EXACT
        for value in targets:
            if value.kind != MODULE_VALUE or self._names.modules.is_file(value.path):
                symbol = self._symbol(value)
                yield Site(reference.scope, value.path, symbol, type, reference.line, reference.column, tier)
        if not targets and reference.kind in ("call", "base", "decorator"):
            why = "external" if any(value.kind == EXTERNAL for value in answer.values) else "unknown"
            yield Unresolved(reference.expression, type, reference.line, reference.column, reference.scope, why)

    def _symbol(self, value: CodeValue) -> str:
        index = self._names.index(value.path) if value.place >= 0 else None
        return index.record.definitions[value.place].qualified if index is not None else ""
