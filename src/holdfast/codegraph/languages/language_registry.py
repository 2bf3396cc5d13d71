"""Which language reads which files. A language is imported when the first of its files is read."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import cast

from holdfast.codegraph.languages import Language

# The package of a language offers it as `LANGUAGE`.
_BY_EXTENSION = {
    ".py": "python",
    ".pyi": "python",
    ".pyw": "python",
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "typescript",
    ".js": "typescript",
    ".mjs": "typescript",
    ".cjs": "typescript",
    ".jsx": "typescript",
    ".go": "go",
    ".java": "java",
    ".rs": "rust",
}


def language_name(path: str) -> str | None:
    """Returns the package of the language of a file, by its extension; None if the file is no code."""
    return _BY_EXTENSION.get(path[path.rfind(".") :].lower())


@cache
def language(name: str) -> Language:
    """Returns a language by the name of its package."""
    return cast(Language, import_module(f"holdfast.codegraph.languages.{name}").LANGUAGE)


@cache
def configuration_names() -> frozenset[str]:
    """The names of all files that resolvers read as configuration."""
    return frozenset(file for name in set(_BY_EXTENSION.values()) for file in language(name).configuration)
