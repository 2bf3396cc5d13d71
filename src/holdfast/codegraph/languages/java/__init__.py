"""Java: classes of packages, imports, inheritance and declared types."""

from __future__ import annotations

from holdfast.codegraph.languages.declared.declared_language import DeclaredLanguage

LANGUAGE = DeclaredLanguage(__name__)
