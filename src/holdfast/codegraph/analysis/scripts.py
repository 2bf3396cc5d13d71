"""The commands that a project installs, as its package files declare them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from holdfast.core.code import EntryPoint

if TYPE_CHECKING:
    from holdfast.codegraph.analysis.adjacency import Adjacency

_MOST = 100


def installed_commands(graph: Adjacency, text: Callable[[str], str | None]) -> Iterator[tuple[int, EntryPoint]]:
    """Yields the commands in `pyproject.toml` and `package.json` that lead to a file of the project."""
    declared = [*_python_scripts(text("pyproject.toml") or ""), *_node_scripts(text("package.json") or "")]
    for name, path, symbol in declared[:_MOST]:
        for known, file in graph.by_path.items():
            if known == path or known.endswith(f"/{path}"):
                defined = graph.symbol_named(file.id, symbol) if symbol else None
                symbol, line = (defined.name, defined.start_line) if defined else ("", 1)
                yield file.id, EntryPoint(symbol, "command", name, line)
                break


def _python_scripts(text: str) -> Iterator[tuple[str, str, str]]:
    fields: Mapping[str, Any] = {}
    with suppress(tomllib.TOMLDecodeError, RecursionError):
        fields = tomllib.loads(text)
    for table in (_at(fields, "project", "scripts"), _at(fields, "tool", "poetry", "scripts")):
        for name, target in table.items():
            module, _, function = target.partition(":") if isinstance(target, str) else ("", "", "")
            if module:
                yield name, f"{module.strip().replace('.', '/')}.py", function.strip()


def _node_scripts(text: str) -> Iterator[tuple[str, str, str]]:
    fields: Any = {}
    with suppress(ValueError, RecursionError):
        fields = json.loads(text)
    programs = _at(fields, "bin") or {str(_field(fields, "name")): _field(fields, "bin")}
    for name, path in programs.items():
        if isinstance(path, str):
            yield name, path.removeprefix("./"), ""


def _at(fields: Any, *names: str) -> Mapping[str, Any]:
    for name in names:
        fields = _field(fields, name)
    return fields if isinstance(fields, dict) else {}


def _field(fields: Any, name: str) -> Any:
    return fields.get(name) if isinstance(fields, dict) else None
