"""Resolves the places of a TypeScript or JavaScript file to definitions in the project."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from holdfast.codegraph.code_records import (
    CALLS,
    EXACT,
    EXPORTS,
    EXTENDS,
    IMPLEMENTS,
    IMPORTS,
    INFERRED,
    MODULE,
    USES,
    CodeReference,
    Site,
    Unresolved,
)
from holdfast.codegraph.languages.file_resolver import FileResolver, Place
from holdfast.codegraph.languages.typescript.evaluation import ExpressionStep, Target
from holdfast.codegraph.languages.typescript.typescript_inference import TypeInference
from holdfast.codegraph.languages.typescript.typescript_names import Defined, ModuleFile, NameLookup
from holdfast.codegraph.languages.typescript.typescript_type_syntax import parse_type
from holdfast.codegraph.tracking import Tracker

if TYPE_CHECKING:
    from holdfast.codegraph.languages import ProjectFiles
    from holdfast.codegraph.languages.typescript.typescript_names import Meaning

_TYPES = {"call": CALLS, "decorator": CALLS}
_MOST_TARGETS = 6  # of one place: a union of more is no useful answer


class _Mention(NamedTuple):
    """Where a name is written in a file, and the type of the edges from there."""

    path: str
    scope: int
    type: str
    line: int
    column: int

    def site(self, path: str, symbol: str, confidence: str = EXACT) -> Site:
        return Site(self.scope, path, symbol, self.type, self.line, self.column, confidence)

    def unresolved(self, expression: str, why: str = "unknown") -> Unresolved:
        return Unresolved(expression, self.type, self.line, self.column, self.scope, why)


class TypeScriptResolver(FileResolver):
    """Resolves TypeScript and JavaScript files of one project; remembers what it learned of other files."""

    def __init__(self, project: ProjectFiles) -> None:
        super().__init__(Tracker())
        self._project = project
        self._names = NameLookup(project, self._tracker)
        self._inference = TypeInference(self._names, self._tracker)

    def _places(self, path: str) -> Iterator[Place]:
        record = self._project.record(path)
        assert record is not None, path
        for one in record.imports:
            self._tracker.next_place()
            at = _Mention(path, one.scope, IMPORTS, one.line, one.column)
            yield from self._import(at, one.module, [name.name for name in one.names])
        for export in record.exports:
            if export.module:
                self._tracker.next_place()
                at = _Mention(path, MODULE, EXPORTS, export.line, 0)
                yield from self._import(at, export.module, [export.expression])
        for place, definition in enumerate(record.definitions):
            if definition.kind in ("class", "interface"):
                self._tracker.next_place()
                for type_, bases in ((EXTENDS, definition.bases), (IMPLEMENTS, definition.implements)):
                    at = _Mention(path, place, type_, definition.name_line, definition.name_column)
                    for text in bases:
                        yield from self._base(at, definition.parent, text)
        for reference in record.references:
            self._tracker.next_place()
            yield from self._reference(path, reference)

    def _import(self, at: _Mention, module: str, names: Sequence[str]) -> Iterator[Place]:
        target = self._names.specifiers.find(at.path, module)
        if target is None:
            yield at.unresolved(module, "external" if self._names.specifiers.is_external(module) else "missing")
            return
        yield at.site(target, "")
        for name in names:
            meaning = self._names.exported(target, name) if name != "*" else None
            if meaning is not None:
                yield from self._meant(at, meaning)
            elif name != "*":
                yield at.unresolved(f"{module}#{name}")

    def _base(self, at: _Mention, scope: int, text: str) -> Iterator[Place]:
        syntax = parse_type(text)
        meaning = self._inference.written.find(at.path, scope, syntax[1]) if syntax[0] == "ref" else None
        yield from self._meant(at, meaning) if meaning is not None else [at.unresolved(text)]

    def _reference(self, path: str, one: CodeReference) -> Iterator[Place]:
        at = _Mention(path, one.scope, USES, one.line, one.column)
        if one.kind == "type":
            meaning = self._inference.written.find(path, one.scope, one.expression)
            if isinstance(meaning, (Defined, ModuleFile)):
                yield from self._meant(at, meaning)
            else:
                yield at.unresolved(one.expression)
        elif one.kind == "key":
            targets = self._inference.contexts.key(path, one.scope, one.expression, one.line)
            yield from self._targets(at, targets, INFERRED)
        else:
            yield from self._value(at, one)

    def _value(self, at: _Mention, one: CodeReference) -> Iterator[Place]:
        *before, last = self._inference.steps(at.path, one.scope, one.expression, one.line)
        for step in before:
            yield from self._step(at, step)
        at = at._replace(type=_TYPES.get(one.kind, USES))
        if last.targets:
            yield from self._step(at, last)
        elif last.type is None:
            yield at.unresolved(one.expression)

    def _step(self, at: _Mention, step: ExpressionStep) -> Iterator[Place]:
        return self._targets(at, step.targets, INFERRED if step.is_inferred else EXACT)

    def _meant(self, at: _Mention, meaning: Meaning) -> Iterator[Place]:
        if isinstance(meaning, ModuleFile):
            yield at.site(meaning.path, "")
        else:
            yield from self._targets(at, self._inference.step_of(meaning).targets, EXACT)

    def _targets(self, at: _Mention, targets: Sequence[Target], confidence: str) -> Iterator[Place]:
        for path, place in targets[:_MOST_TARGETS]:
            table = self._names.table(path)
            if table is not None:
                yield at.site(path, table.at(place).qualified if place != MODULE else "", confidence)


resolver = TypeScriptResolver
