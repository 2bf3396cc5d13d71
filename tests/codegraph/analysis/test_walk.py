"""Walks: the shortest path with the highest weight, as an exhaustive search finds it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from typing import TYPE_CHECKING, cast

from hypothesis import given
from hypothesis import strategies as st

from holdfast.codegraph.analysis.adjacency import Adjacency
from holdfast.codegraph.analysis.edge_weights import WEIGHTS, EdgeWeight, edge_weight, strongest
from holdfast.codegraph.analysis.walk import WalkStep, paths_to, walk

if TYPE_CHECKING:
    from holdfast.store.reading.graph_reading import GraphReading

EDGES = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 7), st.sampled_from([0.5, 0.7, 0.9])),
    max_size=25,
    unique_by=lambda e: e[:2],
)


def steps_of(edges: list[tuple[int, int, float]]):
    def steps(level: Collection[int]) -> Iterator[WalkStep[int]]:
        return (WalkStep(a, b, EdgeWeight(weight, "calls", "exact")) for a, b, weight in edges if a in level)

    return steps


def exhaustive(edges: list[tuple[int, int, float]], depth: int) -> dict[int, tuple[int, float]]:
    """All nodes within `depth` of node 0 with the depth and weight of the best of all paths."""
    paths = {0: [(0, 1.0)]}
    level = [(0, 1.0)]
    for distance in range(1, depth + 1):
        level = [(b, w * weight) for node, w in level for a, b, weight in edges if a == node]
        for node, weight in level:
            paths.setdefault(node, []).append((distance, weight))
    return {node: min(found, key=lambda f: (f[0], -f[1])) for node, found in paths.items()}


@given(EDGES, st.integers(1, 4))
def test_every_node_is_reached_by_the_best_of_its_shortest_paths(edges, depth):
    reached = walk([0], steps_of(edges), depth)
    assert {n: (r.depth, round(r.weight, 9)) for n, r in reached.items()} == {
        n: (d, round(w, 9)) for n, (d, w) in exhaustive(edges, depth).items()
    }
    found = dict(paths_to(reached, str))
    assert found.keys() == reached.keys() - {0}
    known = {(str(a), str(b)) for a, b, _ in edges}
    for node, path in found.items():
        assert (path.names[0], path.names[-1], len(path.types)) == ("0", str(node), reached[node].depth)
        assert set(zip(path.names, path.names[1:], strict=False)) <= known


@given(EDGES, st.randoms())
def test_the_order_of_edges_does_not_matter(edges, random):
    shuffled = random.sample(edges, len(edges))
    assert walk([0], steps_of(edges), 4) == walk([0], steps_of(shuffled), 4)


def test_several_edges_between_two_files_count_as_the_strongest():
    both = strongest("calls inferred,imports exact")
    assert both.weight == WEIGHTS["imports"]
    assert (both.type, both.confidence) == ("calls", "inferred")
    assert edge_weight("calls", "guess").weight == 0.4


def test_a_question_that_was_asked_lately_is_not_computed_again():
    graph = Adjacency(cast("GraphReading", NoFiles()), "p", 1)
    asked: list[int] = []

    def ask(question: int) -> int:
        asked.append(question)
        return -question

    assert [graph.answer(1, lambda: ask(1)) for _ in range(2)] == [-1, -1]
    for question in range(2, 40):
        graph.answer(question, partial(ask, question))
    assert asked == list(range(1, 40))
    assert graph.answer(1, lambda: ask(1)) == -1
    assert asked[-1] == 1


class NoFiles:
    """A store without a code graph."""

    def code_files(self, project: str) -> tuple[()]:
        return ()
