"""Finds the file that an import names: relative paths, tsconfig paths, packages of the workspace, index files."""

from __future__ import annotations

import posixpath
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.codegraph.languages.typescript.typescript_configuration import (
    PackageFile,
    PathMapping,
    entries_of,
    imports_of,
    join_path,
    parse_json,
    path_mapping,
)
from holdfast.codegraph.project_folders import all_folders

if TYPE_CHECKING:
    from holdfast.codegraph.languages import ProjectFiles
    from holdfast.codegraph.tracking import Tracker

_ENDINGS = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.mts", ".d.cts")
# The source that an output file is made of.
_SOURCES = {
    ".js": (".ts", ".tsx", ".d.ts"),
    ".jsx": (".tsx",),
    ".mjs": (".mts", ".d.mts", ".ts"),
    ".cjs": (".cts", ".d.cts", ".ts"),
}
_BUILT = ("dist", "lib", "build", "out", "es", "esm", "cjs", "types")


class Specifiers:
    """Resolves module specifiers of one project; notes every name it looks up."""

    def __init__(self, project: ProjectFiles, tracker: Tracker) -> None:
        self._project = project
        self._tracker = tracker
        self._mappings: dict[str, PathMapping | None] = {}

    def find(self, path: str, specifier: str) -> str | None:
        """The file that `specifier` means in the file `path`, or None if it is not in the project."""
        return self._tracker.answer(
            ("file", posixpath.dirname(path), specifier), lambda: self._find(path, specifier), None
        )

    def is_external(self, specifier: str) -> bool:
        return not specifier.startswith((".", "/"))

    def _find(self, path: str, specifier: str) -> str | None:
        specifier = specifier.partition("?")[0]  # bundlers accept a query
        folder = posixpath.dirname(path)
        if specifier.startswith("."):
            return self._file(join_path(folder, specifier))
        if specifier.startswith("#"):
            package = self._own_package(folder)
            found = imports_of(package, specifier) if package else []
            return next((file for place in found if (file := self._source(place))), None)
        return self._mapped(folder, specifier) or self._in_package(specifier)

    def _file(self, place: str | None) -> str | None:
        """The code file at a path without extension, with one, or of a folder."""
        if place is None:
            return None
        paths = self._project.paths
        stem, ending = posixpath.splitext(place)
        self._tracker.look_up(place, f"{place}/index" if place else "index", *([stem] if ending in _SOURCES else []))
        if place in paths:
            return place
        for one in _SOURCES.get(ending, ()):
            if stem + one in paths:
                return stem + one
        for one in _ENDINGS:
            if place + one in paths:
                return place + one
        index = f"{place}/index" if place else "index"
        return next((index + one for one in _ENDINGS if index + one in paths), None)

    def _source(self, place: str) -> str | None:
        """The source of a file that a package names: itself, or the file it is built from."""
        found = self._file(place)
        if found is not None:
            return found
        stem = place
        for ending in (".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs"):
            if place.endswith(ending):
                stem = place.removesuffix(ending)
                break
        parts = stem.split("/")
        for index, part in enumerate(parts):
            if part in _BUILT:
                for middle in (["src"], []):
                    rest = parts[index + 1 :]
                    while True:
                        found = self._file("/".join([*parts[:index], *middle, *rest]))
                        if found is not None or len(rest) < 2:
                            break
                        rest = rest[1:]  # dist/types/index.d.ts is made of src/index.ts
                    if found is not None:
                        return found
        return self._file(stem) if stem != place else None

    def _mapped(self, folder: str, specifier: str) -> str | None:
        mapping = self._mapping(folder)
        if mapping is None:
            return None
        for pattern, targets in mapping.patterns:
            start, star, end = pattern.partition("*")
            if star and specifier.startswith(start) and specifier.endswith(end):
                middle = specifier[len(start) : len(specifier) - len(end)]
            elif not star and specifier == pattern:
                middle = ""
            else:
                continue
            for target in targets:
                found = self._source(target.replace("*", middle, 1))
                if found is not None:
                    return found
        return self._file(join_path(mapping.base, specifier)) if mapping.base is not None else None

    def _mapping(self, folder: str) -> PathMapping | None:
        """The mapping of the nearest tsconfig file."""
        if folder not in self._mappings:
            found = None
            for name in ("tsconfig.json", "jsconfig.json"):
                found = found or path_mapping(posixpath.join(folder, name), self._project.text)
            if (found is None or (not found.patterns and found.base is None)) and folder:
                found = self._mapping(posixpath.dirname(folder))
            self._mappings[folder] = found
        return self._mappings[folder]

    def _in_package(self, specifier: str) -> str | None:
        parts = specifier.split("/")
        size = 2 if specifier.startswith("@") else 1
        package = self._packages.get("/".join(parts[:size]))
        if package is None:
            return None
        subpath = "/".join(["", *parts[size:]])
        return next((file for place in entries_of(package, subpath) if (file := self._source(place))), None)

    def _own_package(self, folder: str) -> PackageFile | None:
        while folder not in self._packages_by_folder:
            if not folder:
                return None
            folder = posixpath.dirname(folder)
        return self._packages_by_folder[folder]

    @cached_property
    def _packages(self) -> dict[str, PackageFile]:
        """All packages with a name, the one in the shallowest folder first."""
        found: dict[str, PackageFile] = {}
        for folder in sorted(self._packages_by_folder, key=lambda one: (one.count("/"), one)):
            package = self._packages_by_folder[folder]
            if package.name:
                found.setdefault(package.name, package)
        return found

    @cached_property
    def _packages_by_folder(self) -> dict[str, PackageFile]:
        found = {}
        for folder in all_folders(self._project.paths):
            text = self._project.text(f"{folder}/package.json" if folder else "package.json")
            if text is not None:
                fields = parse_json(text)
                name = fields.get("name")
                found[folder] = PackageFile(name if isinstance(name, str) else "", folder, fields)
        return found
