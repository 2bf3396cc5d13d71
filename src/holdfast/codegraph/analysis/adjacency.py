"""The edges of a code graph in memory: loaded from the store as a walk needs them, kept until the graph changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

from holdfast.codegraph.recognised_tests import is_test_file
from holdfast.core.code import CodeSymbol, FileEdge, SymbolEdge

if TYPE_CHECKING:
    from holdfast.store.reading.graph_reading import GraphReading

Key = TypeVar("Key")
Value = TypeVar("Value")
# One about a file that everything depends on has thousands of rows.
_MOST_ANSWERS = 16
# A symbol is a file with a name in it; the name "" is the top level of the file.
SymbolNode = tuple[int, str]


class Adjacency:
    """The graph of one project at one moment. The first walk reads only what it passes; later ones read nothing."""

    def __init__(self, reading: GraphReading, project: str, generation: int) -> None:
        self.generation = generation
        self.files = {file.id: file for file in reading.code_files(project)}
        self.by_path = {file.path: file for file in self.files.values()}
        self.stale = tuple(file.path for file in self.files.values() if file.stale)
        self._reading = reading
        self._file_edges: dict[bool, dict[int, list[FileEdge]]] = {False: {}, True: {}}
        self._symbol_edges: dict[tuple[bool, bool], dict[SymbolNode, list[SymbolEdge]]] = {}
        self._symbols: dict[int, list[CodeSymbol]] = {}
        self._answers: dict[Hashable, Any] = {}

    def answer(self, question: Hashable, compute: Callable[[], Value]) -> Value:
        """Returns what `compute` returns; a question that was asked lately is not computed again."""
        if question not in self._answers:
            if len(self._answers) >= _MOST_ANSWERS:
                del self._answers[next(iter(self._answers))]
            self._answers[question] = compute()
        found: Value = self._answers[question]
        return found

    @cached_property
    def tests(self) -> frozenset[int]:
        """The files that test runners collect."""
        return frozenset(id for id, file in self.files.items() if is_test_file(file.path))

    def file_edges(self, files: Collection[int], reverse: bool) -> Iterator[FileEdge]:
        """Yields the edges from files, or with `reverse` those to them, without the edges of stale files."""
        known = self._known_file_edges(files, reverse)
        return (edge for file in files for edge in known[file])

    def edge_counts(self, files: Collection[int], reverse: bool) -> dict[int, int]:
        """Returns how many edges `file_edges` has of each file."""
        known = self._known_file_edges(files, reverse)
        return {file: len(known[file]) for file in files}

    def symbol_edges(
        self, symbols: Collection[SymbolNode], reverse: bool, members: bool
    ) -> Iterator[tuple[SymbolNode, SymbolEdge]]:
        """Yields each symbol with each of its edges; with `members`, also with those of the symbols inside it."""
        known = self._symbol_edges.setdefault((reverse, members), {})
        _fill(known, symbols, partial(self._load_symbol_edges, reverse, members))
        return ((symbol, edge) for symbol in symbols for edge in known[symbol])

    def symbols(self, file: int) -> list[CodeSymbol]:
        """Returns the symbols of a file, by line."""
        self.load_symbols([file])
        return self._symbols[file]

    def load_symbols(self, files: Collection[int]) -> None:
        """Loads the symbols of several files at once."""
        _fill(self._symbols, files, self._reading.symbols_of)

    def symbol_at(self, file: int, line: int) -> CodeSymbol | None:
        """Returns the innermost symbol around a line."""
        around = [symbol for symbol in self.symbols(file) if symbol.start_line <= line <= symbol.end_line]
        return min(around, key=lambda symbol: (symbol.end_line - symbol.start_line, symbol.name), default=None)

    def symbol_named(self, file: int, name: str) -> CodeSymbol | None:
        """Returns the first symbol of a file with this name."""
        return next((symbol for symbol in self.symbols(file) if symbol.name == name), None)

    def _known_file_edges(self, files: Collection[int], reverse: bool) -> dict[int, list[FileEdge]]:
        known = self._file_edges[reverse]
        _fill(known, files, partial(self._load_file_edges, reverse))
        return known

    def _load_file_edges(self, reverse: bool, files: Collection[int]) -> Iterator[tuple[int, FileEdge]]:
        edges = self._reading.file_edges(files, reverse)
        return ((edge.target if reverse else edge.source, edge) for edge in edges if self._is_current(edge.source))

    def _load_symbol_edges(
        self, reverse: bool, members: bool, symbols: Collection[SymbolNode]
    ) -> Iterator[tuple[SymbolNode, SymbolEdge]]:
        asked = set(symbols)
        for edge in self._reading.symbol_edges(symbols, reverse, members):
            if self._is_current(edge.source_file):
                file, name = (edge.target_file, edge.target) if reverse else (edge.source_file, edge.source)
                yield from (((file, outer), edge) for outer in names_around(name) if (file, outer) in asked)

    def _is_current(self, file: int) -> bool:
        indexed = self.files.get(file)
        return indexed is not None and not indexed.stale


def names_around(name: str) -> Iterator[str]:
    """Yields a qualified name and those of the symbols around it, innermost first: `A.b.c`, `A.b`, `A`."""
    yield name
    while "." in name:
        name = name.rpartition(".")[0]
        yield name


def _fill(
    known: dict[Key, list[Value]],
    keys: Collection[Key],
    load: Callable[[Collection[Key]], Iterable[tuple[Key, Value]]],
) -> None:
    """Loads the values of all keys that are not known, at once."""
    missing = [key for key in keys if key not in known]
    if missing:
        loaded: dict[Key, list[Value]] = {key: [] for key in missing}
        for key, value in load(missing):
            loaded[key].append(value)
        known.update(loaded)
