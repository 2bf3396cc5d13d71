"""Go: packages of modules, methods of types in all files of a package, and embedded types."""

from __future__ import annotations

from holdfast.codegraph.languages import ProjectFiles, Resolver
from holdfast.codegraph.records import FileRecord
from holdfast.core.frozen import frozen


@frozen
class Go:
    """The language Go."""

    extensions: tuple[str, ...] = (".go",)
    configuration: tuple[str, ...] = ("go.mod",)
    version: int = 1

    def extract(self, path: str, source: bytes, hash: str) -> FileRecord:
        """Reads one file."""
        from holdfast.codegraph.languages.go.extract import extract

        return extract(path, source, hash)

    def resolver(self, project: ProjectFiles) -> Resolver:
        """Returns a resolver for the Go files of a project."""
        from holdfast.codegraph.languages.declared.resolve import DeclaredResolver
        from holdfast.codegraph.languages.go.names import GoNames
        from holdfast.codegraph.tracking import Tracker

        tracker = Tracker()
        return DeclaredResolver(project, GoNames(project, tracker), tracker)


LANGUAGE = Go()
