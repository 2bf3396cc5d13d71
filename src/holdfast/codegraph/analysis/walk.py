"""Walks a graph level by level and remembers the best path to every node."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from holdfast.codegraph.analysis.edge_weights import EdgeWeight
from holdfast.codegraph.code_records import TIERS

Node = TypeVar("Node")


class WalkStep(NamedTuple, Generic[Node]):
    """One step of a walk from a node to the next."""

    origin: Node
    to: Node
    edge: EdgeWeight


class Reach(NamedTuple):
    """How a node was reached: by the shortest path, and of several by the one with the highest weight."""

    depth: int
    weight: float
    origin: Any
    edge: EdgeWeight | None


def walk(
    start: Collection[Node], steps: Callable[[Collection[Node]], Iterable[WalkStep[Node]]], depth: int
) -> dict[Node, Reach]:
    """Returns all nodes within `depth` steps, with the start itself at depth 0. Ties are broken by the names of nodes.

    `steps` returns the steps from all nodes of a level at once, so that a store is asked once per level.
    """
    reached = {node: Reach(0, 1.0, None, None) for node in start}
    level: Collection[Node] = start
    for distance in range(1, depth + 1):
        found: dict[Node, Reach] = {}
        for origin, to, edge in steps(level) if level else ():
            if to in reached:
                continue
            reach = Reach(distance, reached[origin].weight * edge.weight, origin, edge)
            if to not in found or _order(reach) < _order(found[to]):
                found[to] = reach
        reached |= found
        level = found.keys()
    return reached


class WalkedPath(NamedTuple):
    """The path to a node: the names from the start to the node, the types of its edges, and the least sure of them."""

    names: tuple[str, ...]
    types: tuple[str, ...]
    confidence: str


def paths_to(reached: Mapping[Node, Reach], name_of: Callable[[Node], str]) -> Iterator[tuple[Node, WalkedPath]]:
    """Yields every node after the start with the path to it; nodes come in the order of their distance."""
    paths: dict[Node, WalkedPath] = {}
    for node, reach in reached.items():
        if reach.edge is None:
            paths[node] = WalkedPath((name_of(node),), (), TIERS[0])
            continue
        before = paths[reach.origin]
        confidence = max(before.confidence, reach.edge.confidence, key=TIERS.index)
        paths[node] = WalkedPath((*before.names, name_of(node)), (*before.types, reach.edge.type), confidence)
        yield node, paths[node]


def _order(reach: Reach) -> tuple[Any, ...]:
    return (-reach.weight, reach.origin, reach.edge)
