"""Small TypeScript projects in memory, with their configuration files."""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.codegraph.code_records import FileResolution
from holdfast.codegraph.languages.language_registry import language_name
from holdfast.codegraph.languages.typescript import LANGUAGE
from tests.codegraph.projects import SourceFiles


class Project(SourceFiles):
    """A project whose files are resolved in order."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files
        code = {path: text for path, text in files.items() if language_name(path) == "typescript"}
        super().__init__(code, LANGUAGE)
        self._resolved = {path: self.resolver.resolve(path) for path in self.records}

    def text(self, path: str) -> str | None:
        return self._files.get(path)

    def resolution(self, path: str) -> FileResolution:
        return self._resolved[path]

    def edges(self, path: str, type_: str) -> set[str]:
        """The targets of a file's sites of one type, as `path#symbol`."""
        return {f"{site.path}#{site.symbol}" for site in self.resolution(path).sites if site.type == type_}

    def calls(self, path: str) -> dict[int, set[str]]:
        """The targets of a file's calls by line."""
        found: dict[int, set[str]] = {}
        for site in self.resolution(path).sites:
            if site.type == "calls":
                found.setdefault(site.line, set()).add(f"{site.path}#{site.symbol}")
        return found
