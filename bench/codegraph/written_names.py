"""Corrects symbols of scip-python that have another name than the code.

It gives all names that a module gets by `from other import *` the symbol of one of them: after `from ._client import *`
in a package, `package.Client()` is labelled as `AsyncClient`. What is meant follows from the code: the top-level
definition with the written name in the module of the symbol, else the only one in the repository.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

_TOP_LEVEL = re.compile(r"^(scip-python \S+ \S+ \S+ `?[\w.]+`?/)(\w+)(?:#|\(\)\.|\.)$")
_ALIAS = re.compile(rb"\bas\s+(\w+)")
_NAME = re.compile(r"\w+")


class WrittenNames:
    """The top-level definitions of a repository by name, and the names that are aliases somewhere in it."""

    def __init__(self, definitions: Iterable[str], sources: Mapping[str, bytes]) -> None:
        self._defined: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for symbol in definitions:
            if found := _TOP_LEVEL.match(symbol):
                self._defined[found[2]].add((found[1], symbol))
        self._aliases = {name.decode() for source in sources.values() for name in _ALIAS.findall(source)}
        self._lines = {path: source.split(b"\n") for path, source in sources.items()}

    def meant(self, symbol: str, path: str, line: int, column: int) -> str | None:
        """Returns the symbol that a reference means: the same if it has the written name; None if nobody can tell."""
        labelled = _TOP_LEVEL.match(symbol)
        written = self._written(path, line, column)
        if labelled is None or written in ("", labelled[2]) or written in self._aliases:
            return symbol
        choices = self._defined.get(written, set())
        same = [choice for module, choice in choices if module == labelled[1]]
        found = same or [choice for _, choice in choices]
        return found[0] if len(found) == 1 else None

    def _written(self, path: str, line: int, column: int) -> str:
        lines = self._lines.get(path, [])
        text = lines[line].decode("utf-8", "replace") if line < len(lines) else ""
        found = _NAME.match(text.encode("utf-16-le")[2 * column :].decode("utf-16-le", "replace"))
        return found[0] if found else ""
