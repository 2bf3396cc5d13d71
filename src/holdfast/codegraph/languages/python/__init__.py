"""Python: reads files with tree-sitter and resolves imports, names, methods and the types of receivers."""

from __future__ import annotations

from holdfast.codegraph.code_records import FileRecord
from holdfast.codegraph.languages import ProjectFiles, Resolver
from holdfast.core.frozen import frozen


@frozen
class Python:
    """The language Python, including stub files."""

    extensions: tuple[str, ...] = (".py", ".pyi", ".pyw")
    configuration: tuple[str, ...] = ()
    version: int = 2

    def extract(self, path: str, source: bytes, hash: str) -> FileRecord:
        """Reads one file."""
        from holdfast.codegraph.languages.python.python_extract import extract

        return extract(path, source, hash)

    def resolver(self, project: ProjectFiles) -> Resolver:
        """Returns a resolver for the Python files of a project."""
        from holdfast.codegraph.languages.python.python_resolve import PythonResolver

        return PythonResolver(project)


LANGUAGE = Python()
