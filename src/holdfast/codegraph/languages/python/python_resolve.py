"""Resolves the imports, base classes and references of Python files to files and symbols of the project."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from holdfast.codegraph.code_records import (
    CALLS,
    EXACT,
    EXTENDS,
    IMPORTS,
    USES,
    CodeReference,
    Import,
    Site,
    Unresolved,
)
from holdfast.codegraph.languages import ProjectFiles
from holdfast.codegraph.languages.expression_values import EXTERNAL, MODULE_VALUE, Answer, CodeValue
from holdfast.codegraph.languages.file_index import FileIndex
from holdfast.codegraph.languages.file_resolver import AnswerResolver, Place
from holdfast.codegraph.languages.python.python_inference import Inference
from holdfast.codegraph.languages.python.python_names import Names
from holdfast.codegraph.languages.python.python_type_syntax import names_in, parse_type
from holdfast.codegraph.tracking import Tracker


class PythonResolver(AnswerResolver):
    """Resolves Python files of one project; remembers what it learned of other files."""

    edges: Mapping[str, str] = {"call": CALLS, "decorator": CALLS, "type": USES, "read": USES}
    shown = ("call", "base", "decorator")

    def __init__(self, project: ProjectFiles) -> None:
        tracker = Tracker()
        self._names = Names(project, tracker)
        self._inference = Inference(self._names, tracker)
        super().__init__(tracker, self._names.files)

    def _imports(self, index: FileIndex) -> Iterator[Place]:
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
            yield from self._imported_names(statement, module)

    def _imported(self, statement: Import, path: str, symbol: str) -> Site:
        return Site(statement.scope, path, symbol, IMPORTS, statement.line, statement.column, EXACT)

    def _imported_names(self, statement: Import, module: str) -> Iterator[Place]:
        for name in statement.names:
            if name.name == "*":
                continue
            answer = self._names.exported(module, name.name)
            targets = [value for value in answer.values if value.kind != EXTERNAL]
            for value in targets:
                if self._is_file(value):
                    yield self._imported(statement, value.path, self._symbol(value))
            if not answer.values:
                written = "." * statement.level + f"{statement.module}.{name.name}".lstrip(".")
                yield Unresolved(written, IMPORTS, statement.line, statement.column, statement.scope, "missing")

    def _bases(self, index: FileIndex) -> Iterator[Place]:
        for place, definition in enumerate(index.definitions):
            for written in definition.bases:
                for name in names_in(parse_type(written.partition("[")[0])):
                    self._tracker.next_place()
                    answer = self._inference.evaluate(name, index.path, definition.parent, definition.start_line)
                    line, column = definition.name_line, definition.name_column
                    yield from self._sites(answer, CodeReference(name, "base", line, column, place), EXTENDS)

    def _answer(self, index: FileIndex, reference: CodeReference) -> Answer | None:
        written, scope = reference.expression, reference.scope
        is_name = reference.kind == "read" and "." not in written
        if is_name and self._inference.is_local(written, index.path, scope):
            return None
        return self._inference.evaluate(written, index.path, scope, reference.line)

    def _targets(self, answer: Answer, kind: str) -> list[CodeValue]:
        return [value for value in answer.values if value.path]

    def _is_external(self, value: CodeValue) -> bool:
        return value.kind == EXTERNAL

    def _is_file(self, value: CodeValue) -> bool:
        return value.kind != MODULE_VALUE or self._names.modules.is_file(value.path)


resolver = PythonResolver
