"""Resolves the imports, base types and references of files in languages with declared types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from holdfast.codegraph.code_records import (
    CALLS,
    EXACT,
    EXTENDS,
    IMPLEMENTS,
    IMPORTS,
    USES,
    CodeReference,
    Site,
    Unresolved,
)
from holdfast.codegraph.languages.declared.declared_inference import DeclaredInference
from holdfast.codegraph.languages.declared.declared_names import DeclaredNames
from holdfast.codegraph.languages.declared.declared_types import parse_declared
from holdfast.codegraph.languages.expression_values import INSTANCE, SUPER, VARIABLE, Answer, CodeValue
from holdfast.codegraph.languages.file_index import FileIndex
from holdfast.codegraph.languages.file_resolver import AnswerResolver, Place
from holdfast.codegraph.tracking import Tracker


class DeclaredResolver(AnswerResolver):
    """Resolves files of one language in a project; remembers what it learned of other files."""

    edges: Mapping[str, str] = {"call": CALLS, "decorator": USES, "type": USES, "read": USES}
    shown = ("call", "base")  # Unresolved types and reads are mostly library names and fields.

    def __init__(self, names: DeclaredNames, tracker: Tracker) -> None:
        super().__init__(tracker, names.files)
        self._names = names
        self._inference = DeclaredInference(names, tracker)

    def _imports(self, index: FileIndex) -> Iterator[Place]:
        for statement in index.record.imports:
            self._tracker.next_place()
            targets = self._names.targets(index, statement)
            line, column, scope = statement.line, statement.column, statement.scope
            if not targets:
                why = "external" if targets is None else "missing"
                written = statement.module or next((name.name for name in statement.names), "")
                yield Unresolved(written, IMPORTS, line, column, scope, why)
                continue
            for value in targets:
                yield Site(scope, value.path, self._symbol(value), IMPORTS, line, column, EXACT)

    def _bases(self, index: FileIndex) -> Iterator[Place]:
        for place, definition in enumerate(index.definitions):
            for written, type in (
                *((one, EXTENDS) for one in definition.bases),
                *((one, IMPLEMENTS) for one in definition.implements),
            ):
                self._tracker.next_place()
                answer = self._inference.written(written, index.path, place)
                name = parse_declared(written).name or written
                scope = self._names.owner(index, place)
                line, column = definition.name_line, definition.name_column
                yield from self._sites(answer, CodeReference(name, "base", line, column, scope), type)

    def _answer(self, index: FileIndex, reference: CodeReference) -> Answer:
        is_called = reference.kind == "call"
        return self._inference.evaluate(reference.expression, index.path, reference.scope, reference.line, is_called)

    def _targets(self, answer: Answer, kind: str) -> list[CodeValue]:
        """Returns the definitions that a reference names: of a method and a field of one name, that which fits."""
        # A name is looked up as it is written; a base comes with a value of its type.
        found = [
            one for one in answer.values if one.place >= 0 and (kind == "base" or one.kind not in (INSTANCE, SUPER))
        ]
        if kind not in ("call", "read"):
            return found
        return [one for one in found if (one.kind == VARIABLE) == (kind == "read")] or found

    def _is_external(self, value: CodeValue) -> bool:
        # What has no place is a name of the library, such as a method of a list.
        return value.place < 0
