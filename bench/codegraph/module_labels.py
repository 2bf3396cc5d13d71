"""Finds the files that scip-python means by names of modules.

It names a module in two ways that its definition does not have: by the name of the installed package instead of the
project, and for relative imports by the part after the dots alone, without any name where there are only dots.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_MODULE = re.compile(r"^scip-python \S+ \S+ \S+ `?([\w.]+)`?/__init__:$")
_DOTS = re.compile(rb"(\.+)(\s|\w)")


def module_name(symbol: str) -> str | None:
    """Returns the dotted name of a module's symbol, or None for any other symbol."""
    found = _MODULE.match(symbol)
    return found[1] if found else None


class ModuleLabels:
    """The modules of a project by the path of their file and by their full dotted name."""

    def __init__(self, modules: Mapping[str, str], sources: Mapping[str, bytes]) -> None:
        self._symbols = modules
        self._by_name = {module_name(symbol): symbol for symbol in modules.values()}
        self._lines = {path: sources.get(path, b"").split(b"\n") for path in modules}

    def defined(self, symbol: str, path: str, line: int, column: int) -> str:
        """Returns the symbol that the module of a reference is defined by; the same symbol if there is none."""
        name = module_name(symbol)
        if name in self._by_name:
            return self._by_name[name]
        if (name is None and " local " not in symbol) or " python-stdlib " in symbol:
            return symbol
        lines = self._lines.get(path, [])
        dots = _DOTS.match(lines[line], column) if line < len(lines) else None
        if name is None and (dots is None or not dots[2].isspace()):
            return symbol
        folders, parts = path.split("/")[:-1], name.split(".") if name else []
        start = len(folders) + 1 - len(dots[1]) if dots else len(folders)
        # A module that is imported from a relative package has no dots before it: the closest one is meant.
        ends = range(start, -1, -1) if dots is None else (start,)
        files = (file for end in ends for file in _files([*folders[:end], *parts]))
        return next((self._symbols[file] for file in files if file in self._symbols), symbol)


def _files(parts: Sequence[str]) -> tuple[str, ...]:
    path = "/".join(parts)
    return f"{path}/__init__.py", f"{path}/__init__.pyi", f"{path}.py", f"{path}.pyi"
