"""The steps of walks: from files or symbols to the code that depends on them, or to the code they depend on."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from holdfast.codegraph.analysis.edge_weights import edge_weight, strongest
from holdfast.codegraph.analysis.walk import WalkStep
from holdfast.codegraph.code_records import CALLS, IMPORTS

if TYPE_CHECKING:
    from holdfast.codegraph.analysis.adjacency import Adjacency, SymbolNode
    from holdfast.core.code import SymbolEdge

# A call of a class is a call of its constructor.
_CONSTRUCTORS = ("__init__", "__new__", "constructor")


def dependent_files(graph: Adjacency, files: Collection[int]) -> Iterator[WalkStep[int]]:
    """Yields the steps to the files that depend on these."""
    edges = graph.file_edges(files, reverse=True)
    return (WalkStep(edge.target, edge.source, strongest(edge.types)) for edge in edges)


def needed_files(graph: Adjacency, files: Collection[int]) -> Iterator[WalkStep[int]]:
    """Yields the steps to the files that these depend on."""
    edges = graph.file_edges(files, reverse=False)
    return (WalkStep(edge.source, edge.target, strongest(edge.types)) for edge in edges)


def dependent_symbols(graph: Adjacency, symbols: Collection[SymbolNode]) -> Iterator[WalkStep[SymbolNode]]:
    """Yields the steps to the symbols that depend on these or on their members.

    Code at the top level belongs to the definition on its line, such as a variable or a decorated function. Otherwise
    it belongs to the file as a whole, from which the walk does not go on: not everything that imports a file depends
    on every name that the file uses.
    """
    named = [symbol for symbol in symbols if symbol[1]]
    for origin, edge in graph.symbol_edges(named, reverse=True, members=True):
        yield from _step_back(graph, origin, edge)
    classes = {(file, name.rpartition(".")[0]): (file, name) for file, name in named if _is_constructor(name)}
    for of, edge in graph.symbol_edges(list(classes), reverse=True, members=False):
        if edge.type == CALLS:
            yield from _step_back(graph, classes[of], edge)


def needed_symbols(graph: Adjacency, symbols: Collection[SymbolNode]) -> Iterator[WalkStep[SymbolNode]]:
    """Yields the steps to the symbols that these or their members depend on."""
    named = [symbol for symbol in symbols if symbol[1]]
    for origin, edge in graph.symbol_edges(named, reverse=False, members=True):
        to = edge.target_file, edge.target
        if not is_inside(to, origin):
            yield WalkStep(origin, to, edge_weight(edge.type, edge.confidence))


def is_inside(symbol: SymbolNode, of: SymbolNode) -> bool:
    """Is a symbol another one or a part of it?"""
    return symbol[0] == of[0] and (symbol[1] == of[1] or symbol[1].startswith(f"{of[1]}."))


def _step_back(graph: Adjacency, origin: SymbolNode, edge: SymbolEdge) -> Iterator[WalkStep[SymbolNode]]:
    source = edge.source
    if not source and edge.type != IMPORTS:
        defined = graph.symbol_at(edge.source_file, edge.line)
        source = defined.name if defined else ""
    elif edge.type == IMPORTS:
        source = ""
    to = edge.source_file, source
    if not is_inside(to, origin):
        yield WalkStep(origin, to, edge_weight(edge.type, edge.confidence))


def _is_constructor(name: str) -> bool:
    outer, _, last = name.rpartition(".")
    return bool(outer) and last in _CONSTRUCTORS
