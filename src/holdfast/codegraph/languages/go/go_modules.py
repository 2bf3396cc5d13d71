"""Finds the folders of Go packages: modules of the project and vendored packages."""

from __future__ import annotations

import re
from functools import cached_property

from holdfast.codegraph.languages import ProjectFiles
from holdfast.codegraph.project_folders import all_folders, files_by_folder, joined
from holdfast.codegraph.tracking import Tracker

_MODULE = re.compile(r'^[ \t]*module[ \t]+"?([^\s"]+)', re.MULTILINE)
_REPLACED = re.compile(
    r'^[ \t]*(?:replace[ \t]+)?"?([^\s"(]+)"?(?:[ \t]+v\S+)?[ \t]+=>[ \t]+"?(\.\.?/[^\s"]*|\.\.?)', re.MULTILINE
)


class GoModules:
    """The packages of a project by folder."""

    def __init__(self, project: ProjectFiles, tracker: Tracker) -> None:
        self._project = project
        self._tracker = tracker

    @cached_property
    def folders(self) -> dict[str, list[str]]:
        """The Go files of each folder."""
        return files_by_folder(self._project.paths, ".go")

    @cached_property
    def _roots(self) -> list[tuple[str, str]]:
        """The import paths of modules with their folders, the longest first."""
        found: dict[str, str] = {}
        for folder in sorted(all_folders(path for paths in self.folders.values() for path in paths)):
            written = self._project.text(f"{folder}/go.mod" if folder else "go.mod")
            if written is None:
                continue
            for name, target in _REPLACED.findall(written):
                found.setdefault(name, joined(folder, target))
            module = _MODULE.search(written)
            if module is not None:
                found[module[1]] = folder
        return sorted(found.items(), key=lambda one: -len(one[0]))

    def find(self, module: str) -> str | None:
        """Returns the folder of a package by its import path; None if it is not part of the project."""
        self._tracker.look_up(module.rpartition("/")[2])
        for name, folder in self._roots:
            if module == name or module.startswith(f"{name}/"):
                inside = module[len(name) + 1 :]
                found = f"{folder}/{inside}".strip("/")
                if found in self.folders:
                    return found
        vendored = f"vendor/{module}"
        return vendored if vendored in self.folders else None

    def is_ours(self, module: str) -> bool:
        """Does an import path belong to a module of the project?"""
        return any(module == name or module.startswith(f"{name}/") for name, _ in self._roots)
