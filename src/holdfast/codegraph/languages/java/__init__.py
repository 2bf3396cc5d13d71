"""Java: classes of packages, imports, inheritance and declared types."""

from __future__ import annotations

from holdfast.codegraph.languages import ProjectFiles, Resolver
from holdfast.codegraph.records import FileRecord
from holdfast.core.frozen import frozen


@frozen
class Java:
    """The language Java."""

    extensions: tuple[str, ...] = (".java",)
    configuration: tuple[str, ...] = ()
    version: int = 1

    def extract(self, path: str, source: bytes, hash: str) -> FileRecord:
        """Reads one file."""
        from holdfast.codegraph.languages.java.extract import extract

        return extract(path, source, hash)

    def resolver(self, project: ProjectFiles) -> Resolver:
        """Returns a resolver for the Java files of a project."""
        from holdfast.codegraph.languages.declared.resolve import DeclaredResolver
        from holdfast.codegraph.languages.java.names import JavaNames
        from holdfast.codegraph.tracking import Tracker

        tracker = Tracker()
        return DeclaredResolver(project, JavaNames(project, tracker), tracker)


LANGUAGE = Java()
