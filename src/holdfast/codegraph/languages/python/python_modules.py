"""Finds the files of Python modules: packages, src layouts, several source roots and namespace packages."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable
from functools import cached_property

from holdfast.codegraph.project_folders import all_folders
from holdfast.codegraph.tracking import Tracker

_SUFFIXES = (".py", ".pyi")
# Source roots that files elsewhere use also for modules that are not in a package.
_SOURCES = ("src", "lib", "python")
_TESTS = ("test", "tests", "testing")
# Source roots below these folders are used only by files below the same folder.
_APART = ("data", "fixtures", "testdata", "vendor", "_vendor", "third_party", "examples", "docs", "benchmarks")


class Modules:
    """The modules of a project, by path alone. Notes every name it looks up."""

    def __init__(self, paths: Collection[str], tracker: Tracker) -> None:
        self._paths = paths
        self._tracker = tracker
        # What absolute names mean to the files of a folder: star imports ask again and again.
        self._found: dict[tuple[str, str], str | None] = {}

    @cached_property
    def _python(self) -> list[str]:
        return [path for path in self._paths if path.endswith(_SUFFIXES)]

    @cached_property
    def _folders(self) -> set[str]:
        """All folders with Python files in or below them."""
        return all_folders(self._python)

    @cached_property
    def _roots_by_name(self) -> dict[str, list[str]]:
        """The folders from which a top-level name can be imported: those that are no package themselves."""
        roots: dict[str, set[str]] = {}
        for path in self._python:
            folder, _, file = path.rpartition("/")
            stem = file.rpartition(".")[0]
            if stem == "__init__":
                folder, _, stem = folder.rpartition("/")
            if stem and not self._is_package(folder):
                roots.setdefault(stem, set()).add(folder)
        return {name: sorted(found) for name, found in roots.items()}

    def find(self, module: str, importer: str) -> str | None:
        """Returns the file or folder of an absolute module name: a folder for a package without `__init__`.

        Source roots are tried by their closeness to the importing file.
        """
        parts = module.split(".")
        self._tracker.look_up(*parts)
        key = module, importer.rpartition("/")[0]
        if key not in self._found:
            below = (self.below(root, parts) for root in self._roots(parts[0], importer))
            self._found[key] = next((found for found in below if found is not None), None)
        return self._found[key]

    def is_ours(self, module: str, importer: str) -> bool:
        """Does the first part of a module name exist in the project?"""
        first = module.partition(".")[0]
        self._tracker.look_up(first)
        return any(self.below(root, [first]) is not None for root in self._roots(first, importer))

    def relative(self, importer: str, level: int, module: str) -> str | None:
        """Returns the file or folder that a relative import means."""
        folder = importer.rpartition("/")[0]
        for _ in range(level - 1):
            if not folder:
                return None
            folder = folder.rpartition("/")[0]
        parts = module.split(".") if module else []
        self._tracker.look_up(*parts, folder.rpartition("/")[2])
        return self.below(folder, parts)

    def below(self, folder: str, parts: Iterable[str]) -> str | None:
        """Returns the file or folder of a module below a folder."""
        path = "/".join(part for part in (folder, *parts) if part)
        for suffix in _SUFFIXES:
            package = f"{path}/__init__{suffix}" if path else f"__init__{suffix}"
            if package in self._paths:
                return package
            if path + suffix in self._paths:
                return path + suffix
        return path if path in self._folders else None

    def child(self, module: str, name: str) -> str | None:
        """Returns the module of that name in a package, given by its file or folder."""
        folder = package_folder(module)
        self._tracker.look_up(name)
        return None if folder is None else self.below(folder, [name])

    def is_file(self, module: str) -> bool:
        """Is the module a file, not a folder without `__init__`?"""
        return module.endswith(_SUFFIXES)

    def _roots(self, name: str, importer: str) -> list[str]:
        own = importer.rpartition("/")[0]
        if name in sys.stdlib_module_names:
            return [own] if own in self._roots_by_name.get(name, ()) else []
        known = [root for root in self._roots_by_name.get(name, ()) if self._can_use(own, root, name)]
        # Folders without `__init__` can be packages as well, but only below the likely roots.
        likely = [root for root in (own, self._root_of(own), "", "src", "lib") if self._has(root, name)]
        return sorted({*known, *likely}, key=lambda root: _distance(root, own))

    def _can_use(self, folder: str, root: str, name: str) -> bool:
        """Can files of a folder import a name from a source root?"""
        parts = root.split("/")
        if not self._is_package(f"{root}/{name}") and parts[-1] not in _SOURCES:
            return not root or f"{folder}/".startswith(f"{root}/")
        apart = next((place for place, part in enumerate(parts) if part in _APART), None)
        return apart is None or f"{folder}/".startswith("/".join(parts[: apart + 1]) + "/")

    def _has(self, root: str, name: str) -> bool:
        return (f"{root}/{name}" if root else name) in self._folders

    def _root_of(self, folder: str) -> str:
        """Returns the folder that contains the outermost package around a folder."""
        while folder and self._is_package(folder):
            folder = folder.rpartition("/")[0]
        return folder

    def _is_package(self, folder: str) -> bool:
        return bool(folder) and any(f"{folder}/__init__{suffix}" in self._paths for suffix in _SUFFIXES)


def package_folder(module: str) -> str | None:
    """Returns the folder of a package, given by its file or folder; None for a module that is no package."""
    if not module.endswith(_SUFFIXES):
        return module
    folder, _, file = module.rpartition("/")
    return folder if file.startswith("__init__.") else None


def _distance(root: str, folder: str) -> tuple[int, bool, int, str]:
    """Orders source roots by the number of steps from a folder; then sources before tests, then by name."""
    a, b = root.split("/") if root else [], folder.split("/") if folder else []
    common = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        common += 1
    return len(a) + len(b) - 2 * common, any(part in _TESTS for part in a), len(a), root
