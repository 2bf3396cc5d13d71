"""PageRank and succession, against plain reference computations."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.documents.rank import pagerank
from holdfast.documents.superseded import successors

NODES = [f"d{n}" for n in range(8)]
EDGES = st.lists(st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)), max_size=40)
COUNTS = st.integers(1, 8)


def by_matrix(nodes: list[str], edges: list[tuple[str, str]]) -> dict[str, float]:
    """The same ranks with a full matrix, iterated until they converge."""
    size = len(nodes)
    links = np.zeros((size, size))
    for source, target in edges:
        if source != target and source in nodes and target in nodes:
            links[nodes.index(target), nodes.index(source)] = 1
    for column in range(size):
        total = links[:, column].sum()
        links[:, column] = links[:, column] / total if total else 1 / size
    ranks = np.full(size, 1 / size)
    for _ in range(1000):
        ranks = 0.15 / size + 0.85 * links @ ranks
    return dict(zip(nodes, ranks.tolist(), strict=True))


@given(count=COUNTS, edges=EDGES)
def test_it_is_the_stationary_distribution(count: int, edges: list[tuple[str, str]]) -> None:
    ranks = pagerank(NODES[:count], edges)
    assert sum(ranks.values()) == pytest.approx(1)
    # After fifty rounds 0.85^50 of the first guess remains, hence 1e-3.
    assert ranks == pytest.approx(by_matrix(NODES[:count], edges), abs=1e-3)


@given(edges=EDGES)
def test_a_link_counts_once_and_the_order_of_links_does_not_matter(edges: list[tuple[str, str]]) -> None:
    assert pagerank(NODES, edges) == pagerank(NODES, [*reversed(edges), *edges])


def test_a_document_with_many_links_ranks_highest() -> None:
    ranks = pagerank(["auth", "users", "guide"], [("auth", "users"), ("guide", "users"), ("guide", "auth")])
    assert sorted(ranks, key=lambda path: -ranks[path]) == ["users", "auth", "guide"]


def test_no_documents_and_no_links_are_fine() -> None:
    assert pagerank([], []) == {}
    assert pagerank(["a", "b"], [("a", "elsewhere")]) == {"a": 0.5, "b": 0.5}


def test_ten_thousand_documents_that_link_to_one_and_in_a_cycle() -> None:
    names = [f"d{n}" for n in range(10_000)]
    circle = list(zip(names, [*names[1:], names[0]], strict=True))
    ranks = pagerank(names, [*circle, *((name, "d0") for name in names)])
    assert max(ranks, key=lambda name: ranks[name]) == "d0"


def test_a_superseded_document_has_its_successor() -> None:
    assert successors([("a", "b"), ("b", "c")]) == {"a": "b", "b": "c"}
    assert successors([("adr-1", "adr-5"), ("adr-1", "adr-3")]) == {"adr-1": "adr-5"}


def test_a_cycle_has_only_successors_outside_it() -> None:
    assert successors([("a", "b"), ("b", "a")]) == {}
    assert successors([("a", "a")]) == {}
    assert successors([("a", "b"), ("b", "a"), ("a", "c")]) == {"a": "c"}


@given(claims=EDGES)
def test_following_successors_ends(claims: list[tuple[str, str]]) -> None:
    after = successors(claims)
    for start in after:
        path, steps = start, 0
        while path in after:
            path, steps = after[path], steps + 1
            assert steps <= len(NODES)


@pytest.mark.integration
def test_a_long_chain_and_a_long_cycle_of_successors_are_fast() -> None:
    names = [f"d{n:05}" for n in range(20_000)]
    chain = list(pairwise(names))
    assert len(successors(chain)) == len(chain)
    assert successors([*chain, (names[-1], names[0])]) == {}
