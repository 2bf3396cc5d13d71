"""Resolves the places of a TypeScript or JavaScript file to definitions in the project."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    FileRecord,
    FileResolution,
    Site,
    Unresolved,
)
from holdfast.codegraph.languages.typescript.evaluation import ExpressionStep, Target
from holdfast.codegraph.languages.typescript.typescript_inference import TypeInference
from holdfast.codegraph.languages.typescript.typescript_names import Defined, ModuleFile, NameLookup
from holdfast.codegraph.languages.typescript.typescript_type_syntax import parse_type
from holdfast.codegraph.named_parts import part_key
from holdfast.codegraph.tracking import Tracker

if TYPE_CHECKING:
    from holdfast.codegraph.languages import ProjectFiles
    from holdfast.codegraph.languages.typescript.typescript_names import Meaning

_TYPES = {"call": CALLS, "decorator": CALLS}
_MOST_TARGETS = 6  # of one place: a union of more is no useful answer


class TypeScriptResolver:
    """Resolves files one by one; remembers what it found out about others."""

    def __init__(self, project: ProjectFiles) -> None:
        self._project = project
        self._tracker = Tracker()
        self._names = NameLookup(project, self._tracker)
        self._inference = TypeInference(self._names, self._tracker)

    def resolve(self, path: str) -> FileResolution:
        self._tracker.begin()
        record = self._project.record(path)
        if record is None:
            return FileResolution(path, (), (), (), ())
        one = _ScriptFile(record, self._names, self._inference, self._tracker)
        one.resolve()
        paths, names = self._tracker.dependencies()
        own = part_key(path, "")
        lookups = tuple(sorted(name for name in names if not name.startswith(own)))
        return FileResolution(path, tuple(one.sites), tuple(one.unresolved), tuple(sorted(paths - {path})), lookups)


class _ScriptFile:
    """One file while it is resolved."""

    def __init__(self, record: FileRecord, names: NameLookup, inference: TypeInference, tracker: Tracker) -> None:
        self._record = record
        self._path = record.path
        self._names = names
        self._inference = inference
        self._tracker = tracker
        self.sites: dict[Site, None] = {}
        self.unresolved: list[Unresolved] = []

    def resolve(self) -> None:
        for one in self._record.imports:
            self._tracker.next_place()
            self._import(one.module, [name.name for name in one.names], IMPORTS, one.line, one.column, one.scope)
        for export in self._record.exports:
            if export.module:
                self._tracker.next_place()
                names = [] if export.expression == "*" else [export.expression]
                self._import(export.module, names, EXPORTS, export.line, 0, MODULE)
        for place, definition in enumerate(self._record.definitions):
            if definition.kind in ("class", "interface"):
                self._tracker.next_place()
                self._bases(place, definition.bases, EXTENDS)
                self._bases(place, definition.implements, IMPLEMENTS)
        for reference in self._record.references:
            self._tracker.next_place()
            self._reference(reference)

    def _import(self, module: str, names: list[str], type_: str, line: int, column: int, scope: int) -> None:
        target = self._names.specifiers.find(self._path, module)
        if target is None:
            why = "external" if self._names.specifiers.is_external(module) else "missing"
            self.unresolved.append(Unresolved(module, type_, line, column, scope, why))
            return
        self._add(Site(scope, target, "", type_, line, column, EXACT))
        for name in names:
            meaning = self._names.exported(target, name) if name != "*" else None
            if meaning is not None:
                self._add_meaning(meaning, type_, line, column, scope)
            elif name != "*":
                self.unresolved.append(Unresolved(f"{module}#{name}", type_, line, column, scope, "unknown"))

    def _add_meaning(self, meaning: Meaning, type_: str, line: int, column: int, scope: int) -> None:
        if isinstance(meaning, ModuleFile):
            self._add(Site(scope, meaning.path, "", type_, line, column, EXACT))
            return
        targets = self._inference.step_of(meaning).targets
        self._add_targets(targets, type_, line, column, scope, EXACT)

    def _add_targets(
        self, targets: tuple[Target, ...], type_: str, line: int, column: int, scope: int, confidence: str
    ) -> None:
        for path, place in targets[:_MOST_TARGETS]:
            table = self._names.table(path)
            if table is not None:
                symbol = table.at(place).qualified if place != MODULE else ""
                self._add(Site(scope, path, symbol, type_, line, column, confidence))

    def _add(self, site: Site) -> None:
        self.sites[site] = None

    def _bases(self, place: int, bases: tuple[str, ...], type_: str) -> None:
        definition = self._record.definitions[place]
        for text in bases:
            syntax = parse_type(text)
            meaning = (
                self._inference.written.find(self._path, definition.parent, syntax[1]) if syntax[0] == "ref" else None
            )
            line, column = definition.name_line, definition.name_column
            if meaning is None:
                self.unresolved.append(Unresolved(text, type_, line, column, place, "unknown"))
            else:
                self._add_meaning(meaning, type_, line, column, place)

    def _reference(self, one: CodeReference) -> None:
        if one.kind == "type":
            meaning = self._inference.written.find(self._path, one.scope, one.expression)
            if isinstance(meaning, (Defined, ModuleFile)):
                self._add_meaning(meaning, USES, one.line, one.column, one.scope)
            else:
                self.unresolved.append(Unresolved(one.expression, USES, one.line, one.column, one.scope, "unknown"))
        elif one.kind == "key":
            targets = self._inference.contexts.key(self._path, one.scope, one.expression, one.line)
            self._add_targets(targets, USES, one.line, one.column, one.scope, INFERRED)
        else:
            self._value(one)

    def _value(self, one: CodeReference) -> None:
        type_ = _TYPES.get(one.kind, USES)
        steps = self._inference.steps(self._path, one.scope, one.expression, one.line)
        for step in steps[:-1]:
            self._add_step(step, USES, one)
        last = steps[-1]
        if last.targets:
            self._add_step(last, type_, one)
        elif last.type is None:
            self.unresolved.append(Unresolved(one.expression, type_, one.line, one.column, one.scope, "unknown"))

    def _add_step(self, step: ExpressionStep, type_: str, one: CodeReference) -> None:
        confidence = INFERRED if step.is_inferred else EXACT
        self._add_targets(step.targets, type_, one.line, one.column, one.scope, confidence)


resolver = TypeScriptResolver
