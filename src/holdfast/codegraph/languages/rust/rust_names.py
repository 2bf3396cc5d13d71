"""Looks up names in Rust: in modules and crates, through `use`, and in types with their `impl` blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from holdfast.codegraph.code_records import MODULE, Import
from holdfast.codegraph.languages import ProjectFiles
from holdfast.codegraph.languages.declared.declared_names import DeclaredNames, OwnType, WrittenBase
from holdfast.codegraph.languages.declared.declared_types import parse_declared
from holdfast.codegraph.languages.expression_values import (
    CLASS,
    INSTANCE,
    MODULE_VALUE,
    NOTHING,
    OUTSIDE,
    Answer,
    CodeValue,
    one,
)
from holdfast.codegraph.languages.file_index import FileIndex
from holdfast.codegraph.languages.rust.rust_modules import RustModules
from holdfast.codegraph.tracking import Tracker


class RustNames(DeclaredNames):
    """The names of one project. The namespace of a module is its file, `#`, and its place in the file."""

    language = "rust"

    def __init__(self, project: ProjectFiles, tracker: Tracker) -> None:
        super().__init__(project, tracker)
        self.modules = RustModules(project, self.files, tracker)

    # -- modules --------------------------------------------------------------------------------------------------

    def top_level(self, index: FileIndex, scope: int, name: str) -> Answer:
        found = self.in_namespace(f"{index.path}#{scope}", name)
        if found.values:
            return found
        if name.endswith("!"):
            return self._macro(index, name)
        crate = self.modules.crate(name)
        # Every name is defined somewhere: the others are crates outside the project, or names of the language.
        return one(_module(crate)) if crate is not None else OUTSIDE

    def _macro(self, index: FileIndex, name: str) -> Answer:
        """Returns a macro of the crate's root or of a module right below it: those are visible everywhere."""
        root = self.modules.root(index.path)
        top = self.files.index(root) if root is not None else None
        if top is None:
            return OUTSIDE
        below = (self._included(top, one) for one in top.record.imports if one.kind == "include")
        for path in (top.path, *(path for path in below if path is not None)):
            found = self.files.index(path)
            if found is not None and found.named(MODULE, name):
                return Answer(tuple(found.named(MODULE, name)))
        return OUTSIDE

    def in_namespace(self, namespace: str, name: str) -> Answer:
        question = "name", namespace, name
        return self._tracker.answer(question, lambda: self._find(namespace, name), NOTHING)

    def _find(self, namespace: str, name: str) -> Answer:
        path, _, place = namespace.rpartition("#")
        index, scope = self.files.index(path), int(place)
        if index is None:
            return NOTHING
        # A module and a function of the same name do not hide each other.
        found = [self._own(path, index, value) for value in index.named(scope, name)]
        for statement in index.record.imports:
            if statement.kind == "include" and statement.scope == scope and statement.alias == name:
                file = self._included(index, statement)
                found += [_module(file)] if file is not None else []
        found += self.imported(index, scope, name).values
        if found:
            return Answer(tuple(dict.fromkeys(found)))
        for star in index.stars:
            starts = self._path(index, scope, star.module.split("::")) if star.scope == scope else NOTHING
            for value in starts.values:
                starred = self._member(value, name)
                if starred.values:
                    return starred
        return NOTHING

    @staticmethod
    def _own(path: str, index: FileIndex, value: CodeValue) -> CodeValue:
        return _module(path, value.place) if index.definitions[value.place].kind == "module" else value

    def _included(self, index: FileIndex, statement: Import) -> str | None:
        """Returns the file of `mod name;`."""
        if statement.module != statement.alias:
            return self.modules.at(index.path, statement.module)
        inline: list[str] = []
        scope = statement.scope
        while scope != MODULE:
            inline.insert(0, index.definitions[scope].name)
            scope = index.definitions[scope].parent
        return self.modules.child(index.path, tuple(inline), statement.alias)

    def imported(self, index: FileIndex, scope: int, name: str) -> Answer:
        found = index.imports[scope].get(name)
        if not found:
            return NOTHING
        statement, imported = found[0]
        parts = [*_parts(statement), *([imported.name] if imported is not None else [])]
        question = "use", index.path, scope, name
        return self._tracker.answer(question, lambda: self._path(index, scope, parts), NOTHING)

    def _path(self, index: FileIndex, scope: int, parts: Sequence[str]) -> Answer:
        """Returns what a path of `use` means; external if it begins with a crate outside the project."""
        module = index.around(scope, "module")
        first, *rest = parts
        answer = self._first(index, module, first, is_alone=not rest)
        for part in rest:
            if part == "super":
                values = [self._outer(value.path) for value in answer.values if value.kind == MODULE_VALUE]
                answer = Answer(tuple(value for value in values if value is not None))
                continue
            found = [self._member(value, part) for value in answer.values if value.kind != "external"]
            if not found and answer.values:
                return OUTSIDE
            answer = Answer(tuple(value for one_found in found for value in one_found.values))
        return answer

    def _first(self, index: FileIndex, module: int, name: str, is_alone: bool) -> Answer:
        if name in ("crate", "self", "super"):
            found = self._relative(index, module, name)
            return one(found) if found is not None else NOTHING
        crate = self.modules.crate(name)
        if crate is not None:
            return one(_module(crate))
        # `use name;` alone would find itself.
        local = self.in_namespace(f"{index.path}#{module}", name) if not is_alone else NOTHING
        return local if local.values else OUTSIDE

    def _relative(self, index: FileIndex, module: int, name: str) -> CodeValue | None:
        if name == "crate":
            root = self.modules.root(index.path)
            return _module(root) if root is not None else None
        here = f"{index.path}#{module}"
        return CodeValue(MODULE_VALUE, here) if name == "self" else self._outer(here)

    def _outer(self, namespace: str) -> CodeValue | None:
        """Returns the module around a module."""
        path, _, place = namespace.rpartition("#")
        index = self.files.index(path)
        if index is not None and int(place) != MODULE:
            return _module(path, index.around(index.definitions[int(place)].parent, "module"))
        parent = self.modules.parent(path)
        return _module(parent) if parent is not None else None

    def _member(self, value: CodeValue, name: str) -> Answer:
        if value.kind == MODULE_VALUE:
            return self.in_namespace(value.path, name)
        return Answer(tuple(self.members(value, name))) if value.kind == CLASS else NOTHING

    # -- types ----------------------------------------------------------------------------------------------------

    def own_value(self, index: FileIndex, scope: int, name: str) -> Answer | OwnType | None:
        if name in ("crate", "super"):
            found = self._relative(index, index.around(scope, "module"), name)
            return one(found) if found is not None else NOTHING
        if name not in ("self", "Self"):
            return None
        kind = INSTANCE if name == "self" else CLASS
        while scope != MODULE:
            definition = index.definitions[scope]
            if definition.kind == "interface" or (definition.kind in ("class", "enum") and name == "Self"):
                return one(CodeValue(kind, index.path, scope))
            if definition.kind == "block" and definition.type:
                return OwnType(WrittenBase(definition.type, index.path, scope), kind)
            scope = definition.parent
        return None

    def members(self, value: CodeValue, name: str) -> list[CodeValue]:
        index = self.files.index(value.path)
        if index is None:
            return []
        own = index.named(value.place, name)
        for block_index, place in self._blocks(value):
            if own:
                break
            own = block_index.named(place, name)
        return own

    def bases(self, value: CodeValue) -> list[WrittenBase]:
        found = super().bases(value)
        for index, place in self._blocks(value):
            found += [WrittenBase(one, index.path, place) for one in index.definitions[place].implements]
        return found

    def _blocks(self, value: CodeValue) -> Iterator[tuple[FileIndex, int]]:
        """Yields the `impl` blocks of a type: in its file, then in the other files of the folder and of its modules."""
        definition = self.files.definition(value)
        if definition is None or definition.kind not in ("class", "enum", "interface"):
            return
        folder, _, file = value.path.rpartition("/")
        inside = f"{folder}/{file.removesuffix('.rs')}".strip("/")
        self._tracker.look_up(folder.rpartition("/")[2] or ".")
        others = [*self.modules.by_folder.get(folder, ()), *self.modules.by_folder.get(inside, ())]
        for path in (value.path, *(other for other in others if other != value.path)):
            index = self.files.index(path)
            if index is None:
                continue
            for place in index.blocks.get(definition.name, ()):
                block = index.definitions[place]
                if path == value.path or self._is(value, index, block.parent, block.type):
                    yield index, place

    def _is(self, value: CodeValue, index: FileIndex, scope: int, written: str) -> bool:
        """Does a written type mean a definition?"""
        parts = parse_declared(written).name.split(".")
        found = self._path(index, scope, parts) if len(parts) > 1 else self.top_level(index, scope, parts[0])
        return any((one.path, one.place) == (value.path, value.place) for one in found.values)

    def owner(self, index: FileIndex, place: int) -> int:
        definition = index.definitions[place]
        if definition.kind != "block":
            return place
        known = index.named(definition.parent, parse_declared(definition.type).name)
        return known[0].place if known else place

    # -- imports --------------------------------------------------------------------------------------------------

    def targets(self, index: FileIndex, statement: Import) -> Iterable[CodeValue] | None:
        if statement.kind == "include":
            file = self._included(index, statement)
            return [CodeValue(MODULE_VALUE, file)] if file is not None else []
        name = statement.names[0].name
        parts = [part for part in (*_parts(statement), name) if part != "*"]
        answer = self._path(index, statement.scope, parts) if parts else NOTHING
        if any(value.kind == "external" for value in answer.values):
            return None
        return [
            value._replace(path=value.path.rpartition("#")[0]) if value.kind == MODULE_VALUE else value
            for value in answer.values
        ]


def _module(path: str, place: int = MODULE) -> CodeValue:
    return CodeValue(MODULE_VALUE, f"{path}#{place}")


def _parts(statement: Import) -> list[str]:
    return statement.module.split("::") if statement.module else []


NAMES = RustNames
