"""Finds the file, folder or symbol that a person or agent names."""

from __future__ import annotations

import difflib
import os
import re
from typing import TYPE_CHECKING, NamedTuple

from holdfast.codegraph.analysis.left_out import NOTHING_INDEXED
from holdfast.core.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from holdfast.codegraph.analysis.adjacency import Adjacency
    from holdfast.core.code import CodeSymbol, IndexedFile

_LONGEST = 1_000
_MOST_SUGGESTED = 5
_FORM = "Name a file, a folder, file:symbol, file:line, or a symbol."


class Target(NamedTuple):
    """What was named: files, and one symbol of a single file if there is one."""

    name: str
    kind: str
    files: tuple[IndexedFile, ...]
    symbol: CodeSymbol | None = None


def find_target(graph: Adjacency, text: str) -> Target:
    """Returns what a text names: a path, the end of one, a folder, `path:symbol`, `path:line` or a symbol.

    Raises NotFound with similar names if nothing has this name, and if several files or symbols have it.
    """
    text = _stripped(text)
    if not text or len(text) > _LONGEST:
        raise InvalidInput("a name of code is empty or too long", hint=_FORM)
    if not graph.files:
        raise NotFound(f"{text} in the code index", hint=NOTHING_INDEXED)
    if (file := _file(graph, text)) is not None:
        return Target(file.path, "file", (file,))
    path, symbol = _split(text)
    if symbol and (file := _file(graph, path)) is not None:
        return _in_file(graph, file, symbol)
    if inside := _below(graph, text):
        return Target(text.rstrip("/") or ".", "folder", inside)
    if not symbol and "/" not in text and (named := _symbol_anywhere(graph, text)) is not None:
        return named
    raise NotFound(f"{text} in the code index", hint=_suggest(_similar_paths(graph, path)) or _FORM)


def file_named(text: str) -> str:
    """Returns the path of the file that a text would name, whether or not there is one."""
    return _split(_stripped(text))[0]


def _stripped(text: str) -> str:
    return text.strip().removeprefix("./").removesuffix("()")


def _split(text: str) -> tuple[str, str]:
    """Splits `path:symbol`, also written as pytest does: `path::Class::test`."""
    path, _, symbol = text.partition("::" if "::" in text else ":")
    return path, symbol.replace("::", ".")


def _file(graph: Adjacency, path: str) -> IndexedFile | None:
    """Returns the file with this path, or the only one whose path ends with it."""
    if path in graph.by_path:
        return graph.by_path[path]
    ending = [file for known, file in graph.by_path.items() if known.endswith(f"/{path}")]
    if len(ending) > 1:
        raise NotFound(
            f"one file with the name {path}, there are several", hint=_suggest(sorted(file.path for file in ending))
        )
    return ending[0] if ending else None


def _below(graph: Adjacency, folder: str) -> tuple[IndexedFile, ...]:
    folder = folder.rstrip("/")
    inside = (file for path, file in graph.by_path.items() if folder in (".", "") or path.startswith(f"{folder}/"))
    return tuple(inside)


def _in_file(graph: Adjacency, file: IndexedFile, symbol: str) -> Target:
    if line := re.fullmatch(r"L?(\d{1,9})(?:[-:]\d*)?", symbol):
        found = graph.symbol_at(file.id, int(line[1]))
        return _named(file, found) if found else Target(file.path, "file", (file,))
    symbols = {known.name: known for known in reversed(graph.symbols(file.id))}
    if symbol in symbols:
        return _named(file, symbols[symbol])
    ending = [name for name in symbols if name.endswith(f".{symbol}")]
    if len(ending) == 1:
        return _named(file, symbols[ending[0]])
    similar = ending or difflib.get_close_matches(symbol, symbols, _MOST_SUGGESTED, 0.5)
    hint = _suggest([f"{file.path}:{name}" for name in similar]) or f"{file.path} defines no such name."
    raise NotFound(f"{symbol} in {file.path}", hint=hint)


def _symbol_anywhere(graph: Adjacency, name: str) -> Target | None:
    """Returns the only symbol of the project with this name."""
    graph.load_symbols(graph.files.keys())
    everywhere = [(file, symbol) for id, file in graph.files.items() for symbol in graph.symbols(id)]
    found = {
        f"{file.path}:{symbol.name}": (file, symbol)
        for file, symbol in everywhere
        if symbol.name == name or symbol.name.endswith(f".{name}")
    }
    exact = {key: value for key, value in found.items() if value[1].name == name}
    found = exact or found
    if len(found) > 1:
        raise NotFound(f"one symbol with the name {name}, there are several", hint=_suggest(sorted(found)))
    if found:
        return _named(*next(iter(found.values())))
    names = sorted({symbol.name.rpartition(".")[2] for _, symbol in everywhere})
    similar = [*_similar_paths(graph, name), *difflib.get_close_matches(name, names, _MOST_SUGGESTED, 0.75)]
    if similar:
        raise NotFound(f"{name} in the code index", hint=_suggest(similar))
    return None


def _named(file: IndexedFile, symbol: CodeSymbol) -> Target:
    return Target(f"{file.path}:{symbol.name}", symbol.kind, (file,), symbol)


def _similar_paths(graph: Adjacency, path: str) -> list[str]:
    """Returns the files whose names resemble that of a path, those with a similar path first."""
    names: dict[str, list[str]] = {}
    for known in graph.by_path:
        names.setdefault(_stem(known), []).append(known)
    close = difflib.get_close_matches(_stem(path), names, _MOST_SUGGESTED, 0.7)
    paths = [known for name in close for known in names[name]]
    return sorted(paths, key=lambda known: -difflib.SequenceMatcher(None, known, path).ratio())


def _stem(path: str) -> str:
    """The name of a file without its ending, which would make all files of a language resemble each other."""
    return os.path.splitext(path.rpartition("/")[2])[0]


def _suggest(names: list[str]) -> str:
    if not names:
        return ""
    shown = names[:_MOST_SUGGESTED]
    more = f" (and {len(names) - len(shown)} more)" if len(names) > len(shown) else ""
    return f"Did you mean {', '.join(shown)}{more}?"
