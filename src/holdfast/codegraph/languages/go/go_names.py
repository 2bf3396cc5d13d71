"""Looks up names in Go: in the files of a package, in imported packages, and in types with their methods."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from holdfast.codegraph.code_records import MODULE, Import
from holdfast.codegraph.languages import ProjectFiles
from holdfast.codegraph.languages.declared.declared_names import DeclaredNames
from holdfast.codegraph.languages.expression_values import MODULE_VALUE, NOTHING, OUTSIDE, Answer, CodeValue, one
from holdfast.codegraph.languages.file_index import FileIndex
from holdfast.codegraph.languages.go.go_modules import GoModules
from holdfast.codegraph.tracking import Tracker

_VERSION = re.compile(r"v\d+$")


class _Package(NamedTuple):
    """The top-level names of a package, and the methods of its types."""

    names: dict[str, tuple[CodeValue, ...]]
    methods: dict[tuple[str, str], tuple[CodeValue, ...]]


class GoNames(DeclaredNames):
    """The names of one project."""

    language = "go"

    def __init__(self, project: ProjectFiles, tracker: Tracker) -> None:
        super().__init__(project, tracker)
        self.modules = GoModules(project, tracker)
        self._used: tuple[str, dict[str, set[str]]] = ("", {})

    # -- packages -------------------------------------------------------------------------------------------------

    def _package(self, folder: str, package: str) -> _Package:
        question = "package", folder, package
        return self._tracker.answer(question, lambda: self._read_package(folder, package), _Package({}, {}))

    def _read_package(self, folder: str, package: str) -> _Package:
        # A file that appears in the folder changes the package.
        self._tracker.look_up(folder.rpartition("/")[2] or ".")
        names: dict[str, list[CodeValue]] = defaultdict(list)
        methods: dict[tuple[str, str], list[CodeValue]] = defaultdict(list)
        for path in self.modules.folders.get(folder, ()):
            index = self.files.index(path)
            if index is None or index.package != package:
                continue
            for place, definition in enumerate(index.definitions):
                owner = next((word[3:] for word in definition.modifiers if word.startswith("of ")), "")
                if owner:
                    methods[owner, definition.name].append(index.value(place))
                elif definition.parent == MODULE and definition.name != "init":
                    names[definition.name].append(index.value(place))
        return _Package(
            {name: tuple(found) for name, found in names.items()},
            {key: tuple(found) for key, found in methods.items()},
        )

    def _main_package(self, folder: str) -> str:
        """Returns the name of the package that others import from a folder."""
        for path in self.modules.folders.get(folder, ()):
            index = self.files.index(path)
            if index is not None and not path.endswith("_test.go"):
                return index.package
        return ""

    def _imported(self, index: FileIndex, name: str) -> Answer:
        for statement in index.record.imports:
            if statement.names:
                continue
            folder = self.modules.find(statement.module)
            if name == (statement.alias or self._local_name(statement, folder)):
                return one(CodeValue(MODULE_VALUE, folder)) if folder is not None else OUTSIDE
        for statement in index.stars:
            folder = self.modules.find(statement.module)
            found = self.in_namespace(folder, name) if folder is not None else NOTHING
            if found.values:
                return found
        return NOTHING

    def _local_name(self, statement: Import, folder: str | None) -> str:
        if folder is not None:
            return self._main_package(folder)
        *_, before, last = ["", *statement.module.split("/")]
        last = before if _VERSION.fullmatch(last) else last
        return last.partition(".")[0].removeprefix("go-")

    # -- DeclaredNames --------------------------------------------------------------------------------------------

    def top_level(self, index: FileIndex, scope: int, name: str) -> Answer:
        folder = index.path.rpartition("/")[0]
        found = self._package(folder, index.package).names.get(name)
        return Answer(found) if found else self._imported(index, name)

    def in_namespace(self, namespace: str, name: str) -> Answer:
        package = self._package(namespace, self._main_package(namespace))
        return Answer(package.names.get(name, ()))

    def members(self, value: CodeValue, name: str) -> list[CodeValue]:
        index = self.files.index(value.path)
        if index is None:
            return []
        folder, owner = value.path.rpartition("/")[0], index.definitions[value.place].name
        package = self._package(folder, index.package)
        return [*index.named(value.place, name), *package.methods.get((owner, name), ())]

    def targets(self, index: FileIndex, statement: Import) -> Iterable[CodeValue] | None:
        """Returns the files of a package whose names are used, else the file that stands for the package."""
        folder = self.modules.find(statement.module)
        if folder is None:
            return () if self.modules.is_ours(statement.module) else None
        package = self._package(folder, self._main_package(folder))
        local = statement.alias or self._local_name(statement, folder)
        used = {
            value.path for name in self._names_used(index.path).get(local, ()) for value in package.names.get(name, ())
        }
        return [CodeValue(MODULE_VALUE, path) for path in sorted(used) or self._main_files(folder)]

    def _names_used(self, path: str) -> dict[str, set[str]]:
        """Returns the names that a file uses of each package."""
        if self._used[0] != path:
            record = self._project.record(path)
            found: dict[str, set[str]] = defaultdict(set)
            for reference in record.references if record is not None else ():
                package, dot, rest = reference.expression.partition(".")
                if dot:
                    found[package].add(re.split(r"[.(\[]", rest, maxsplit=1)[0])
            self._used = path, found
        return self._used[1]

    def _main_files(self, folder: str) -> list[str]:
        paths = [path for path in self.modules.folders[folder] if not path.endswith("_test.go")]
        name = folder.rpartition("/")[2]
        preferred = [path for path in paths if path.endswith((f"/{name}.go", "/doc.go"))]
        return (preferred or paths)[:1]


NAMES = GoNames
