"""TypeScript and JavaScript: reads files with tree-sitter, and resolves imports, names, members and receiver types."""

from __future__ import annotations

from holdfast.codegraph.languages.package_language import PackageLanguage

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

LANGUAGE = PackageLanguage(__name__, ("tsconfig.json", "jsconfig.json", "package.json"), version=3)
