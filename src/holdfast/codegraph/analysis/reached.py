"""Turns the nodes of a walk into answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from holdfast.codegraph.analysis.neighbours import (
    dependent_files,
    dependent_symbols,
    is_inside,
    needed_files,
    needed_symbols,
)
from holdfast.codegraph.analysis.walk import Reach, WalkedPath, paths_to, walk
from holdfast.codegraph.code_records import IMPORTS
from holdfast.codegraph.recognised_tests import is_test_file
from holdfast.core.code_analysis import ReachedCode

if TYPE_CHECKING:
    from holdfast.codegraph.analysis.adjacency import Adjacency, SymbolNode
    from holdfast.codegraph.analysis.targets import Target


def reached_code(graph: Adjacency, target: Target, depth: int, dependents: bool) -> tuple[ReachedCode, ...]:
    """Returns the code that depends on a target, or that it depends on: nearest first, then by weight and name.

    From a symbol the walk goes from symbol to symbol; from a file or folder, from file to file.
    """
    if target.symbol is not None:
        found = _from_symbol(graph, (target.files[0].id, target.symbol.name), depth, dependents)
    else:
        found = _from_files(graph, [file.id for file in target.files], depth, dependents)
    return tuple(sorted(found, key=lambda code: (code.depth, -code.weight, code.name)))


def _from_files(graph: Adjacency, start: list[int], depth: int, dependents: bool) -> Iterator[ReachedCode]:
    steps = dependent_files if dependents else needed_files
    reached = walk(start, lambda level: steps(graph, level), depth)
    for id, path in paths_to(reached, lambda file: graph.files[file].path):
        yield _code(reached[id], path, graph.files[id].path, "", None)


def _from_symbol(graph: Adjacency, start: SymbolNode, depth: int, dependents: bool) -> Iterator[ReachedCode]:
    steps = dependent_symbols if dependents else needed_symbols
    reached = walk([start], lambda level: steps(graph, level), depth)
    graph.load_symbols({file for file, _ in reached})
    # A file that only imports the name is named only if nothing in it is known to use the name.
    used_in = {file for (file, name), reach in reached.items() if name and reach.depth}
    for node, path in paths_to(reached, lambda symbol: node_name(graph, symbol)):
        file, name = node
        only_imports = path.types[-1] == IMPORTS
        if not is_inside(node, start) and not (only_imports and file in used_in):
            symbol = graph.symbol_named(file, name) if name else None
            yield _code(reached[node], path, graph.files[file].path, name, symbol and symbol.start_line)


def node_name(graph: Adjacency, node: SymbolNode) -> str:
    """Returns the name of a symbol in answers: `path:symbol`, or `path` for the top level of a file."""
    path = graph.files[node[0]].path
    return f"{path}:{node[1]}" if node[1] else path


def _code(reach: Reach, path: WalkedPath, file: str, symbol: str, line: int | None) -> ReachedCode:
    return ReachedCode(
        name=path.names[-1],
        path=file,
        symbol=symbol,
        depth=reach.depth,
        weight=round(reach.weight, 4),
        via=path.names,
        types=path.types,
        confidence=path.confidence,
        line=line,
        is_test=is_test_file(file),
    )
