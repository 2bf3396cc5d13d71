"""Resolves the imports, base types and references of files in languages with declared types."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.codegraph.code_records import (
    CALLS,
    EXACT,
    EXTENDS,
    IMPLEMENTS,
    IMPORTS,
    INFERRED,
    USES,
    CodeReference,
    FileResolution,
    Site,
    Unresolved,
)
from holdfast.codegraph.languages import ProjectFiles
from holdfast.codegraph.languages.declared.declared_index import DeclaredIndex
from holdfast.codegraph.languages.declared.declared_inference import DeclaredInference
from holdfast.codegraph.languages.declared.declared_names import DeclaredNames
from holdfast.codegraph.languages.declared.declared_types import parse_declared
from holdfast.codegraph.languages.expression_values import INSTANCE, SUPER, VARIABLE, Answer, CodeValue
from holdfast.codegraph.tracking import Tracker

_EDGES = {"call": CALLS, "decorator": USES, "type": USES, "read": USES}
_SHOWN = ("call", "base")  # Unresolved types and reads are mostly library names and fields.


class DeclaredResolver:
    """Resolves files of one language in a project; remembers what it learned of other files."""

    def __init__(self, project: ProjectFiles, names: DeclaredNames, tracker: Tracker) -> None:
        self._project = project
        self._names = names
        self._tracker = tracker
        self._inference = DeclaredInference(names, tracker)

    def resolve(self, path: str) -> FileResolution:
        """Resolves all places of one file."""
        self._tracker.begin()
        index = self._names.files.index(path)
        record = self._project.record(path)
        assert index is not None, path
        assert record is not None, path
        places = [*self._imports(index), *self._bases(index), *self._references(index, record.references)]
        sites = tuple(dict.fromkeys(place for place in places if isinstance(place, Site)))
        unresolved = tuple(place for place in places if isinstance(place, Unresolved))
        paths, names = self._tracker.dependencies()
        return FileResolution(path, sites, unresolved, tuple(sorted(paths - {path})), tuple(sorted(names)))

    def _imports(self, index: DeclaredIndex) -> Iterator[Site | Unresolved]:
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

    def _bases(self, index: DeclaredIndex) -> Iterator[Site | Unresolved]:
        for place, definition in enumerate(index.definitions):
            for written, type in (
                *((one, EXTENDS) for one in definition.bases),
                *((one, IMPLEMENTS) for one in definition.implements),
            ):
                self._tracker.next_place()
                answer = self._inference.typed(parse_declared(written), index.path, place)
                name = parse_declared(written).name or written
                scope = self._names.owner(index, place)
                line, column = definition.name_line, definition.name_column
                yield from self._sites(answer, CodeReference(name, "base", line, column, scope), type)

    def _references(self, index: DeclaredIndex, references: tuple[CodeReference, ...]) -> Iterator[Site | Unresolved]:
        for reference in references:
            self._tracker.next_place()
            is_called = reference.kind == "call"
            answer = self._inference.evaluate(
                reference.expression, index.path, reference.scope, reference.line, is_called
            )
            yield from self._sites(answer, reference, _EDGES[reference.kind])

    def _sites(self, answer: Answer, reference: CodeReference, type: str) -> Iterator[Site | Unresolved]:
        targets = _targets(answer, reference.kind)
        is_one = len({(value.path, self._symbol(value)) for value in targets}) == 1
        tier = EXACT if is_one and not answer.is_inferred else INFERRED
        for value in targets:
            yield Site(reference.scope, value.path, self._symbol(value), type, reference.line, reference.column, tier)
        if not targets and reference.kind in _SHOWN:
            # What has no place is a name of the library, such as a method of a list.
            why = "external" if any(value.place < 0 for value in answer.values) else "unknown"
            yield Unresolved(reference.expression, type, reference.line, reference.column, reference.scope, why)

    def _symbol(self, value: CodeValue) -> str:
        definition = self._names.files.definition(value)
        return definition.qualified if definition is not None else ""


def _targets(answer: Answer, kind: str) -> list[CodeValue]:
    """Returns the definitions that a reference names: of a method and a field of one name, that which fits."""
    # A name stands for itself; a base is given by a value of its type.
    found = [one for one in answer.values if one.place >= 0 and (kind == "base" or one.kind not in (INSTANCE, SUPER))]
    fitting = [one for one in found if (one.kind == VARIABLE) == (kind == "read")] if kind in ("call", "read") else []
    return fitting or found
