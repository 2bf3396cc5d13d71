"""Looks up names in Java: in classes around a place, in the package, and through imports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

from holdfast.codegraph.code_records import MODULE, Import
from holdfast.codegraph.languages.declared.declared_names import DeclaredNames, OwnType, WrittenBase
from holdfast.codegraph.languages.expression_values import (
    CLASS,
    INSTANCE,
    MODULE_VALUE,
    NOTHING,
    OUTSIDE,
    SUPER,
    Answer,
    CodeValue,
    one,
)
from holdfast.codegraph.languages.file_index import FileIndex

_TYPES = ("class", "interface", "enum")


class JavaNames(DeclaredNames):
    """The names of one project. A package is a namespace; a public class is in the file of its name."""

    language = "java"
    methods_are_apart = True
    open_kinds = (*_TYPES, "block")

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """The files by their name without extension."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self._project.paths):
            if path.endswith(".java"):
                found[path.rpartition("/")[2].removesuffix(".java")].append(path)
        return found

    @cached_property
    def _packages(self) -> frozenset[str]:
        """The ends of all folders with files, as names of packages."""
        found: set[str] = set()
        for paths in self._by_name.values():
            for path in paths:
                parts = path.split("/")[:-1]
                found.update(".".join(parts[start:]) for start in range(len(parts)))
        return frozenset(found)

    # -- packages -------------------------------------------------------------------------------------------------

    def _in_package(self, package: str, name: str, importer: str = "") -> Answer:
        """Returns a class of a package; of several with this name, that closest to the importing file."""
        question = "class", package, name, importer
        return self._tracker.answer(question, lambda: self._find(package, name, importer), NOTHING)

    def _find(self, package: str, name: str, importer: str) -> Answer:
        self._tracker.look_up(name)
        end = f"/{package.replace('.', '/')}/{name}.java" if package else f"/{name}.java"
        paths = [path for path in self._by_name.get(name, ()) if f"/{path}".endswith(end)]
        paths.sort(key=lambda path: -_common(path, importer))
        for path in paths:
            index = self.files.index(path)
            if index is not None and index.package == package:
                found = [value for value in index.named(MODULE, name) if value.kind == CLASS]
                if found:
                    return Answer(tuple(found[:1]))
        return NOTHING

    def top_level(self, index: FileIndex, scope: int, name: str) -> Answer:
        own = [value for value in index.named(MODULE, name) if value.kind == CLASS]
        if own:
            return Answer(tuple(own[:1]))
        found = self.imported(index, MODULE, name)
        if not found.values:
            found = self._in_package(index.package, name, index.path)
        for star in index.stars if not found.values else ():
            found = self._named(star.module, name, index.path)
            if found.values:
                break
        if found.values:
            return found
        if self._is_package(name):
            return one(CodeValue(MODULE_VALUE, name))
        is_open = any(not self._is_ours(star.module) for star in index.stars)
        return OUTSIDE if is_open else NOTHING

    def imported(self, index: FileIndex, scope: int, name: str) -> Answer:
        for statement, _ in index.imports[scope].get(name, ()):
            answer = self._named(statement.module, name, index.path)
            return answer if answer.values or self._is_ours(statement.module) else OUTSIDE
        return NOTHING

    def _named(self, module: str, name: str, importer: str) -> Answer:
        """Returns a name of a package, or a member of a class given by its full name."""
        found = self._in_package(module, name, importer)
        if found.values:
            return found
        holder = self._class(module, importer)
        return Answer(tuple(value for one_held in holder.values for value in self.members(one_held, name)))

    def _class(self, full: str, importer: str) -> Answer:
        """Returns a class by its full name; it may be inside another one."""
        package, _, name = full.rpartition(".")
        if not package:
            return NOTHING
        found = self._in_package(package, name, importer)
        if found.values or not name[:1].isupper():
            return found
        outer = self._class(package, importer)
        inner = [value for one_held in outer.values for value in self.members(one_held, name) if value.kind == CLASS]
        return Answer(tuple(inner))

    def _is_package(self, name: str) -> bool:
        """Is a name the beginning of a package of the project?"""
        self._tracker.look_up(name.rpartition(".")[2])
        return any(package == name or package.startswith(f"{name}.") for package in self._packages)

    def _is_ours(self, module: str) -> bool:
        """Does a package or class belong to a package of the project?"""
        package = ".".join(part for part in module.split(".") if not part[:1].isupper())
        self._tracker.look_up(package.rpartition(".")[2])
        return package in self._packages

    def in_namespace(self, namespace: str, name: str) -> Answer:
        found = self._in_package(namespace, name)
        if found.values:
            return found
        longer = f"{namespace}.{name}"
        return one(CodeValue(MODULE_VALUE, longer)) if self._is_package(longer) else OUTSIDE

    # -- classes --------------------------------------------------------------------------------------------------

    def own_value(self, index: FileIndex, scope: int, name: str) -> Answer | OwnType | None:
        if name not in ("this", "super"):
            return None
        while scope != MODULE:
            definition = index.definitions[scope]
            if definition.kind in _TYPES or definition.bases:
                return one(CodeValue(INSTANCE if name == "this" else SUPER, index.path, scope))
            scope = definition.parent
        return NOTHING

    def members(self, value: CodeValue, name: str) -> list[CodeValue]:
        index = self.files.index(value.path)
        if index is None or name == index.definitions[value.place].name:
            return []  # A constructor has the name of its class, and is no member.
        return index.named(value.place, name)

    def bases(self, value: CodeValue) -> list[WrittenBase]:
        definition = self.files.definition(value)
        if definition is None:
            return []
        written = (*definition.bases, *definition.implements)
        return [WrittenBase(one_base, value.path, definition.parent) for one_base in written]

    def targets(self, index: FileIndex, statement: Import) -> Iterable[CodeValue] | None:
        name = statement.names[0].name
        if name == "*":
            holder = self._class(statement.module, index.path)
            if holder.values:
                return holder.values
            # All classes of a package: those that are used are targets of their own.
            return [] if self._is_ours(statement.module) else None
        found = self._named(statement.module, name, index.path)
        return found.values if found.values else [] if self._is_ours(statement.module) else None


def _common(path: str, other: str) -> int:
    """Returns how many folders two paths share."""
    count = 0
    for a, b in zip(path.split("/"), other.split("/"), strict=False):
        if a != b:
            break
        count += 1
    return count


NAMES = JavaNames
