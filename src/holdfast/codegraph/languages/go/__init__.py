"""Go: packages of modules, methods of types in all files of a package, and embedded types."""

from __future__ import annotations

from holdfast.codegraph.languages.declared.declared_language import DeclaredLanguage

LANGUAGE = DeclaredLanguage(__name__, ("go.mod",))
