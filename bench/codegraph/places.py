"""The places of calls and imports in a file, found independently of the extractor that is measured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import PurePosixPath

from tree_sitter import Language, Node, Parser, Query, QueryCursor

_PYTHON_CALLS = "(call function: [(identifier) @name (attribute attribute: (identifier) @name)])"
_PYTHON_IMPORTS = "[(import_statement) (import_from_statement) (future_import_statement)] @import"
_SCRIPT_CALLS = """
(call_expression function: [(identifier) @name (member_expression property: (_) @name)])
(new_expression constructor: [(identifier) @name (member_expression property: (_) @name)])
"""
_SCRIPT_IMPORTS = """
(import_statement) @import
(export_statement source: (_)) @import
(call_expression function: (import)) @import
((call_expression function: (identifier) @_name) @import (#eq? @_name "require"))
"""
_GRAMMARS = {
    ".py": ("tree_sitter_python", "language", "python"),
    ".pyi": ("tree_sitter_python", "language", "python"),
    ".ts": ("tree_sitter_typescript", "language_typescript", "script"),
    ".mts": ("tree_sitter_typescript", "language_typescript", "script"),
    ".cts": ("tree_sitter_typescript", "language_typescript", "script"),
    ".tsx": ("tree_sitter_typescript", "language_tsx", "script"),
    ".js": ("tree_sitter_javascript", "language", "script"),
    ".mjs": ("tree_sitter_javascript", "language", "script"),
    ".cjs": ("tree_sitter_javascript", "language", "script"),
    ".jsx": ("tree_sitter_javascript", "language", "script"),
}
_QUERIES = {"python": (_PYTHON_CALLS, _PYTHON_IMPORTS), "script": (_SCRIPT_CALLS, _SCRIPT_IMPORTS)}


@dataclass(frozen=True, slots=True)
class Places:
    """The places of the names that are called, and the first and last places of each import."""

    calls: frozenset[tuple[int, int]]
    imports: tuple[tuple[tuple[int, int], tuple[int, int]], ...]

    def in_import(self, line: int, column: int) -> bool:
        return any(first <= (line, column) < last for first, last in self.imports)


def places_of(path: str, source: bytes) -> Places | None:
    """The places of a file, or None if it is in another language."""
    suffix = PurePosixPath(path).suffix.lower()
    if suffix not in _GRAMMARS:
        return None
    parser, calls, imports = _tools(_GRAMMARS[suffix])
    root = parser.parse(source).root_node
    lines = Columns(source)
    return Places(
        frozenset(lines.place(*node.start_point) for node in _captured(calls, root, "name")),
        tuple(
            (lines.place(*node.start_point), lines.place(*node.end_point))
            for node in _captured(imports, root, "import")
        ),
    )


class Columns:
    """Converts columns in bytes into columns in UTF-16 units."""

    def __init__(self, source: bytes) -> None:
        self._lines = source.split(b"\n")
        self._plain = source.isascii()

    def place(self, line: int, column: int) -> tuple[int, int]:
        if self._plain or line >= len(self._lines) or self._lines[line].isascii():
            return line, column
        return line, len(self._lines[line][:column].decode(errors="replace").encode("utf-16-le")) // 2


def _captured(query: Query, root: Node, name: str) -> Iterator[Node]:
    yield from QueryCursor(query).captures(root).get(name, ())


@cache
def _tools(grammar: tuple[str, str, str]) -> tuple[Parser, Query, Query]:
    module, function, family = grammar
    language = Language(getattr(import_module(module), function)())
    calls, imports = _QUERIES[family]
    return Parser(language), Query(language, calls), Query(language, imports)
