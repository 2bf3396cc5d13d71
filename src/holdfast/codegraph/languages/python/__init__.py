"""Python: reads files with tree-sitter and resolves imports, names, methods and the types of receivers."""

from __future__ import annotations

from holdfast.codegraph.languages.package_language import PackageLanguage

LANGUAGE = PackageLanguage(__name__, version=2)
