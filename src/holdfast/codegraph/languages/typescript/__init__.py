"""TypeScript and JavaScript: reads files with tree-sitter, and resolves imports, names, members and receiver types."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.codegraph.code_records import FileRecord
    from holdfast.codegraph.languages import ProjectFiles, Resolver

GRAMMARS = {
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "tsx",
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".jsx": "javascript",
}


class TypeScript:
    """The language TypeScript with TSX, and JavaScript with JSX."""

    extensions = tuple(GRAMMARS)
    configuration = ("tsconfig.json", "jsconfig.json", "package.json")
    version = 3

    def extract(self, path: str, source: bytes, hash: str) -> FileRecord:
        from holdfast.codegraph.languages.typescript.typescript_extract import extract

        return extract(path, source, hash)

    def resolver(self, project: ProjectFiles) -> Resolver:
        from holdfast.codegraph.languages.typescript.typescript_resolve import TypeScriptResolver

        return TypeScriptResolver(project)


LANGUAGE = TypeScript()
