"""Finds what a name means: definitions in the scopes around it, imports, exports of other files, global names."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from holdfast.codegraph.changed_names import DECLARATIONS
from holdfast.codegraph.code_records import MODULE, Binding, Export, Import, Parameter
from holdfast.codegraph.languages.typescript.specifiers import Specifiers
from holdfast.codegraph.languages.typescript.typescript_tables import TYPES, FileTable
from holdfast.codegraph.named_parts import IS_MODULE, global_key

if TYPE_CHECKING:
    from holdfast.codegraph.languages import ProjectFiles
    from holdfast.codegraph.tracking import Tracker

_MOST_STARS = 200


class Defined(NamedTuple):
    """Definitions of one name in one file: overloads and merged declarations."""

    path: str
    places: tuple[int, ...]


class ModuleFile(NamedTuple):
    """A whole module."""

    path: str


class Expression(NamedTuple):
    """A value that is written as an expression, at the top level of a file."""

    path: str
    text: str


class Local(NamedTuple):
    """A local name: what its scope says of it. `number` tells bindings of the same name apart."""

    path: str
    scope: int
    number: int
    binding: Binding


class Argument(NamedTuple):
    """A parameter of the function `scope`."""

    path: str
    scope: int
    number: int
    parameter: Parameter


Meaning = Defined | ModuleFile | Expression | Local | Argument


class NameLookup:
    """Looks up names in the files of a project."""

    def __init__(self, project: ProjectFiles, tracker: Tracker) -> None:
        self._project = project
        self._tracker = tracker
        self.specifiers = Specifiers(project, tracker)
        self._tables: dict[str, FileTable] = {}

    def table(self, path: str) -> FileTable | None:
        """The table of a file; None if it is no code file."""
        table = self._tables.get(path)
        if table is None:
            record = self._project.record(path)
            if record is None:
                return None
            table = self._tables[path] = FileTable(record, self._tracker)
        return table

    def find(self, path: str, scope: int, name: str, line: int = 0) -> Meaning | None:
        """What a name means in a scope, in the nearest scope around it that says so."""
        table = self.table(path)
        if table is None:
            return None
        while scope != MODULE:
            if table.is_said(scope, name):
                found = self._in_scope(table, scope, name, line)
                if found is not None:
                    return found
            scope = table.around(scope).parent
        return self.at_top_level(table, name, line)

    def _in_scope(self, table: FileTable, scope: int, name: str, line: int) -> Meaning | None:
        bound = table.binding(scope, name, line)
        if bound is not None:
            return Local(table.path, scope, *bound)
        for number, parameter in enumerate(table.around(scope).parameters):
            if parameter.name == name:
                return Argument(table.path, scope, number, parameter)
        places = table.visible(scope, name)
        return Defined(table.path, tuple(places)) if places else None

    def at_top_level(self, table: FileTable, name: str, line: int = 0) -> Meaning | None:
        places = table.named(MODULE, name)
        if places:
            return Defined(table.path, tuple(places))
        imported = table.imported(name)
        if imported is not None:
            return self._imported(table.path, *imported)
        bound = table.binding(MODULE, name, line)
        if bound is not None:
            return Local(table.path, MODULE, *bound)
        return self._global(name)

    def _imported(self, path: str, one: Import, name: str) -> Meaning | None:
        target = self.specifiers.find(path, one.module)
        if target is None:
            return None
        return self.exported(target, name) if name else ModuleFile(target)

    def exported(self, path: str, name: str) -> Meaning | None:
        """What another file gets when it imports a name: follows re-exports, also in circles."""
        return self._tracker.answer(("export", path, name), lambda: self._exported(path, name), None)

    def _exported(self, path: str, name: str) -> Meaning | None:
        table = self.table(path)
        if table is None:
            return None
        export = table.exported(name)
        if export is not None:
            return self._re_exported(path, export) if export.module else self._own(table, export.expression)
        if name != "default":
            for star in table.stars()[:_MOST_STARS]:
                target = self.specifiers.find(path, star.module)
                found = self.exported(target, name) if target is not None else None
                if found is not None:
                    return found
        return self._from_whole(table, name)

    def _re_exported(self, path: str, export: Export) -> Meaning | None:
        target = self.specifiers.find(path, export.module)
        if target is None:
            return None
        return ModuleFile(target) if export.expression == "*" else self.exported(target, export.expression)

    def _own(self, table: FileTable, expression: str) -> Meaning | None:
        """What an exported expression means in its file; a class or an object without a name is named by its place."""
        if expression.replace("$", "_").isidentifier():
            return self.at_top_level(table, expression)
        found = table.named(MODULE, expression)
        return Defined(table.path, tuple(found)) if found else Expression(table.path, expression)

    def _from_whole(self, table: FileTable, name: str) -> Meaning | None:
        """A name of a file with `module.exports = value` or `export = value`: the value, or a member of it."""
        whole = table.exported("export=")
        if whole is None:
            return None
        meaning = self._own(table, whole.expression)
        if name in ("default", "export="):
            return meaning
        if isinstance(meaning, Defined):
            inner = self.table(meaning.path)
            places = inner.named(meaning.places[0], name) if inner is not None else []
            if places:
                return Defined(meaning.path, tuple(places))
        return Expression(table.path, f"{whole.expression}.{name}")

    def _global(self, name: str) -> Meaning | None:
        """A name declared for all files, in a declaration file without imports or in `declare global`."""
        self._tracker.look_up(global_key(name), global_key(IS_MODULE))
        return self._globals.get(name)

    @cached_property
    def _globals(self) -> dict[str, Defined]:
        found: dict[str, Defined] = {}
        for path in sorted(one for one in self._project.paths if one.endswith(DECLARATIONS)):
            table = self.table(path)
            for name, places in table.global_names().items() if table is not None else ():
                found.setdefault(name, Defined(path, places))
        return found

    def types(self, meaning: Defined) -> tuple[int, ...]:
        """Those definitions of a name that are types."""
        table = self.table(meaning.path)
        if table is None:
            return ()
        return tuple(place for place in meaning.places if table.at(place).kind in TYPES)
