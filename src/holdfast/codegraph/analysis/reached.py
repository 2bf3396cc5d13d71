"""Turns the nodes of a walk into answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from holdfast.codegraph.analysis.neighbours import (
    dependent_files,
    dependent_symbols,
    is_inside,
    needed_files,
    needed_symbols,
)
from holdfast.codegraph.analysis.recognised_tests import is_test_file
from holdfast.codegraph.analysis.walk import Reach, path_to, walk
from holdfast.codegraph.records import IMPORTS, TIERS
from holdfast.core.code_analysis import ReachedCode

if TYPE_CHECKING:
    from holdfast.codegraph.analysis.adjacency import Adjacency, SymbolNode
    from holdfast.codegraph.analysis.targets import Target

Node = TypeVar("Node")


def reached_code(graph: Adjacency, target: Target, depth: int, dependents: bool) -> tuple[ReachedCode, ...]:
    """Returns the code that depends on a target, or that it depends on: nearest first, then by weight and name.

    From a symbol the walk goes from symbol to symbol; from a file or folder, from file to file.
    """
    if target.symbol is not None:
        found = _from_symbol(graph, (target.files[0].id, target.symbol.name), depth, dependents)
    else:
        found = _from_files(graph, [file.id for file in target.files], depth, dependents)
    return tuple(sorted(found, key=lambda code: (code.depth, -code.weight, code.name)))


def _from_files(graph: Adjacency, start: list[int], depth: int, dependents: bool) -> list[ReachedCode]:
    steps = dependent_files if dependents else needed_files
    reached = walk(start, lambda level: steps(graph, level), depth)
    # The answer about a folder names what is outside it.
    names = {id: graph.files[id].path for id in reached}
    return [_code(reached, id, names.__getitem__, (names[id], ""), None) for id in reached if reached[id].depth]


def _from_symbol(graph: Adjacency, start: SymbolNode, depth: int, dependents: bool) -> list[ReachedCode]:
    steps = dependent_symbols if dependents else needed_symbols
    reached = walk([start], lambda level: steps(graph, level), depth)
    graph.load_symbols({file for file, _ in reached})
    # A file that only imports the name is named only if nothing in it is known to use the name.
    used_in = {file for (file, name), reach in reached.items() if name and reach.depth}
    found = []
    for node, reach in reached.items():
        file, name = node
        only_imports = reach.edge is not None and reach.edge.type == IMPORTS
        if reach.depth and not is_inside(node, start) and not (only_imports and file in used_in):
            symbol = graph.symbol_named(file, name) if name else None
            place = graph.files[file].path, name
            found.append(_code(reached, node, lambda n: node_name(graph, n), place, symbol and symbol.start_line))
    return found


def node_name(graph: Adjacency, node: SymbolNode) -> str:
    """Returns the name of a symbol in answers: `path:symbol`, or `path` for the top level of a file."""
    path = graph.files[node[0]].path
    return f"{path}:{node[1]}" if node[1] else path


def _code(
    reached: Mapping[Node, Reach], node: Node, name_of: Callable[[Node], str], place: tuple[str, str], line: int | None
) -> ReachedCode:
    nodes, edges = path_to(reached, node)
    path, symbol = place
    return ReachedCode(
        name=name_of(node),
        path=path,
        symbol=symbol,
        depth=reached[node].depth,
        weight=round(reached[node].weight, 4),
        via=tuple(name_of(passed) for passed in nodes),
        types=tuple(edge.type for edge in edges),
        confidence=max((edge.confidence for edge in edges), key=TIERS.index),
        line=line,
        is_test=is_test_file(path),
    )
