"""Follows data along calls: from entry points to a function, to what it calls, back to its callers, and errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from holdfast.codegraph.analysis.neighbours import dependent_symbols, is_inside, needed_symbols
from holdfast.codegraph.analysis.reached import node_name
from holdfast.codegraph.analysis.walk import Reach, WalkStep, paths_to, walk
from holdfast.codegraph.code_records import CALLS, EXTENDS, IMPORTS, USES, Definition
from holdfast.core.code_analysis import Arrival, DataFlow, ErrorFlow, FlowStep

if TYPE_CHECKING:
    from holdfast.codegraph.analysis.adjacency import Adjacency, SymbolNode
    from holdfast.codegraph.analysis.targets import Target
    from holdfast.core.code import EntryPoint

# Entry points are usually far from the code that does the work.
_ARRIVAL_DEPTH = 10
_MOST_ARRIVALS, _MOST_STEPS = 20, 60
_ERROR_NAME = re.compile(r"(?:Error|Exception|Warning|Failure|Fault|Interrupt|Exit)$")
_DEEPEST_ERROR = 6

# Returns the definition of a symbol; None if its file cannot be read.
Define = Callable[["SymbolNode"], Definition | None]


class FlowTrace:
    """Traces the data flow of one target."""

    def __init__(self, graph: Adjacency, target: Target, depth: int, define: Define) -> None:
        self._graph = graph
        self._target = target
        self._depth = depth
        self._define = define
        self._start = _start(graph, target)

    def trace(self, entry_points: Iterable[tuple[int, EntryPoint]]) -> DataFlow:
        """Returns where data comes from and where it goes."""
        below = walk(self._start, lambda level: _only(needed_symbols(self._graph, level), CALLS), self._depth)
        above = walk(self._start, lambda level: _used(dependent_symbols(self._graph, level)), _ARRIVAL_DEPTH)
        direct = walk(self._start, lambda level: _only(dependent_symbols(self._graph, level), CALLS), 1)
        symbol = self._target.symbol
        return DataFlow(
            target=self._target.name,
            kind=self._target.kind,
            depth=self._depth,
            start=self._step(self._start[0], 0, (self._target.name,)) if symbol else None,
            arrivals=tuple(self._arrivals(above, entry_points)),
            passed_to=tuple(self._steps(below)),
            returned_to=tuple(self._steps(direct)),
            errors=tuple(self._errors(below)),
            stale=self._graph.stale,
        )

    def _steps(self, reached: Mapping[SymbolNode, Reach]) -> Iterator[FlowStep]:
        self._graph.load_symbols({file for file, _ in reached})
        paths = dict(paths_to(reached, lambda node: node_name(self._graph, node)))
        outside = [node for node in paths if node[1] and not any(is_inside(node, start) for start in self._start)]

        def order(node: SymbolNode) -> tuple[object, ...]:
            return reached[node].depth, node[0] in self._graph.tests, -reached[node].weight, paths[node].names[-1]

        for node in sorted(outside, key=order)[:_MOST_STEPS]:
            yield self._step(node, reached[node].depth, paths[node].names)

    def _step(self, node: SymbolNode, depth: int, via: tuple[str, ...]) -> FlowStep:
        path, symbol = self._graph.files[node[0]].path, self._graph.symbol_named(*node)
        definition = self._define(node)
        names = [parameter.name for parameter in definition.parameters] if definition else []
        named = [name for name in names if name not in ("self", "cls", "this", "*", "/")]
        returns = definition.type if definition and definition.kind in ("function", "method") else ""
        return FlowStep(
            node_name(self._graph, node), path, node[1], symbol.start_line if symbol else None, depth, via,
            tuple(named), returns,
        )  # fmt: skip

    def _arrivals(
        self, above: Mapping[SymbolNode, Reach], entry_points: Iterable[tuple[int, EntryPoint]]
    ) -> Iterator[Arrival]:
        """Yields the nearest entry points that lead to the target."""
        paths = dict(paths_to(above, lambda node: node_name(self._graph, node)))
        found = [
            (above[node].depth, point, node)
            for file, point in entry_points
            if (node := (file, point.symbol)) in above and file in self._graph.files
        ]
        for _, point, node in sorted(found, key=lambda entry: (entry[0], entry[2], entry[1]))[:_MOST_ARRIVALS]:
            via = paths[node].names[::-1] if node in paths else (node_name(self._graph, node),)
            yield Arrival(point.kind, point.name, self._graph.files[node[0]].path, point.line, via)

    def _errors(self, below: Collection[SymbolNode]) -> Iterator[ErrorFlow]:
        """Yields the errors that the code below raises, with the code that handles them.

        Calling the class of an error raises it; any other use of it or of a base class handles it.
        """
        raised: dict[SymbolNode, set[str]] = {}
        for node, edge in self._graph.symbol_edges([n for n in below if n[1]], reverse=False, members=True):
            error = edge.target_file, edge.target
            if edge.type == CALLS and not is_inside(error, node) and _is_error(self._graph, error):
                raised.setdefault(error, set()).add(node_name(self._graph, (edge.source_file, edge.source)))
        for error in sorted(raised):
            handled = set(self._handlers([error, *_bases(self._graph, error)])) - raised[error]
            yield ErrorFlow(node_name(self._graph, error), tuple(sorted(raised[error])), tuple(sorted(handled)))

    def _handlers(self, errors: Collection[SymbolNode]) -> Iterator[str]:
        for _, edge in self._graph.symbol_edges(errors, reverse=True, members=False):
            if edge.type == USES and edge.source and edge.source_file not in self._graph.tests:
                yield node_name(self._graph, (edge.source_file, edge.source))


def _start(graph: Adjacency, target: Target) -> list[SymbolNode]:
    """Returns the symbol, or the outermost symbols of all files."""
    if target.symbol is not None:
        return [(target.files[0].id, target.symbol.name)]
    graph.load_symbols([file.id for file in target.files])
    return [(file.id, s.name) for file in target.files for s in graph.symbols(file.id) if "." not in s.name]


def _only(steps: Iterable[WalkStep[SymbolNode]], type: str) -> Iterator[WalkStep[SymbolNode]]:
    return (step for step in steps if step.edge.type == type)


def _used(steps: Iterable[WalkStep[SymbolNode]]) -> Iterator[WalkStep[SymbolNode]]:
    """Leaves out imports: a file that only imports a name passes nothing to it."""
    return (step for step in steps if step.edge.type != IMPORTS)


def _is_error(graph: Adjacency, node: SymbolNode, depth: int = 0) -> bool:
    """Is a symbol the class of an error, by its name or by that of a base class?"""
    symbol = graph.symbol_named(*node)
    if symbol is None or symbol.kind != "class":
        return False
    if _ERROR_NAME.search(symbol.name):
        return True
    return depth < _DEEPEST_ERROR and any(_is_error(graph, base, depth + 1) for base in _direct_bases(graph, node))


def _bases(graph: Adjacency, node: SymbolNode) -> tuple[SymbolNode, ...]:
    reached = walk([node], lambda level: _only(needed_symbols(graph, level), EXTENDS), _DEEPEST_ERROR)
    return tuple(base for base, reach in reached.items() if reach.depth)


def _direct_bases(graph: Adjacency, node: SymbolNode) -> list[SymbolNode]:
    edges = graph.symbol_edges([node], reverse=False, members=False)
    return [(edge.target_file, edge.target) for _, edge in edges if edge.type == EXTENDS]
