"""Vectors compared without numpy are ranked as exact arithmetic ranks them."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pytest

from holdfast.store.vectors.partition import Partition
from holdfast.store.vectors.scan import ScannedVectors
from holdfast.store.vectors.source import StoredVector

DIMENSIONS = 96
EVERY = Partition(("p",), ())
CHANCE = np.random.default_rng(7)


def unit(count: int, around: Any = 0.0) -> Any:
    """Unit vectors, around a common direction as those of a model are."""
    rows = CHANCE.standard_normal((count, DIMENSIONS)) + around
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Source:
    """Rows of (seq, passage, data, project, kind) in memory."""

    def __init__(self, vectors: Any, project: str = "p", kind: str = "fact") -> None:
        self.reads = 0
        self.rows = [
            (seq, 100 + seq, vector.astype("<f2").tobytes(), project, kind) for seq, vector in enumerate(vectors, 1)
        ]

    def newest(self) -> int:
        return max((row[0] for row in self.rows), default=0)

    def count_after(self, seq: int, limit: int) -> int:
        return min(limit, len(self.rows))

    def after(self, seq: int, limit: int) -> Sequence[tuple[int, int, bytes, str, str]]:
        self.reads += 1
        return self.rows[:limit]

    def missing(self, seqs: Sequence[int]) -> frozenset[int]:
        return frozenset(seqs) - {row[0] for row in self.rows}

    def owner(self) -> str:
        raise NotImplementedError

    counter = count = newest

    def seqs(self) -> Iterable[int]:
        raise NotImplementedError

    def stored(self, seqs: Sequence[int]) -> Iterable[StoredVector]:
        raise NotImplementedError


@pytest.mark.parametrize("count", [1, 5, 40, 700])
def test_the_nearest_are_found_with_their_cosines(count: int) -> None:
    vectors, query = unit(count, 0.4), unit(1, 0.4)[0]
    exact = dict(zip(range(101, 101 + count), vectors.astype(np.float16).astype(float) @ query, strict=True))
    found = ScannedVectors(Source(vectors), DIMENSIONS).search(array("f", query), EVERY, None, 20)
    best = sorted(exact, key=lambda passage: -exact[passage])[:20]
    assert [passage for passage, _ in found] == best
    assert [cosine for _, cosine in found] == pytest.approx([exact[passage] for passage in best], abs=1e-5)


@pytest.mark.parametrize("vector", [np.zeros(DIMENSIONS), np.eye(DIMENSIONS)[0], -np.eye(DIMENSIONS)[3]])
def test_unusual_vectors_are_compared_too(vector: Any) -> None:
    vectors = np.concatenate((np.zeros((30, DIMENSIONS)), np.eye(DIMENSIONS)))
    found = ScannedVectors(Source(vectors), DIMENSIONS).search(vector, EVERY, None, 10)
    assert [cosine for _, cosine in found] == sorted((vectors @ vector).tolist(), reverse=True)[:10]


def test_a_partition_and_a_list_narrow_the_search() -> None:
    source = Source(unit(6))
    source.rows = [
        (
            seq,
            passage,
            data,
            "p" if at < 5 else "other",
            ("fact", "fact", "episode", "past", "past episode", "fact")[at],
        )
        for at, (seq, passage, data, _, _) in enumerate(source.rows)
    ]
    scanned, query = ScannedVectors(source, DIMENSIONS), unit(1)[0]

    def found(partition: Partition, allowed: Sequence[int] | None = None) -> set[int]:
        return {passage for passage, _ in scanned.search(query, partition, allowed, 9)}

    assert found(EVERY) == {101, 102, 103}
    assert found(Partition(("p",), (), past=True)) == {101, 102, 103, 104, 105}
    assert found(Partition(("p",), ("episode",))) == {103}
    assert found(Partition(("p",), ("episode",), past=True)) == {103, 104, 105}
    assert found(Partition(("other",), ())) == {106}
    assert found(EVERY, [102, 103, 999]) == {102, 103}


def test_passages_are_compared_and_placed_one_by_one() -> None:
    vectors, query = unit(3), unit(1)[0]
    scanned = ScannedVectors(Source(vectors), DIMENSIONS)
    assert scanned.similar(query, [102, 999]) == {102: pytest.approx(float(vectors[1] @ query), abs=1e-3)}
    assert scanned.placed(EVERY, [103, 101]) == [103, 101]
    assert scanned.placed(Partition(("other",), ()), [103, 101]) == []
    assert scanned.placed(EVERY, [103, 999]) is None
    assert scanned.lacking([101, 999]) == {999}


def test_new_and_deleted_vectors_are_noticed() -> None:
    vectors = unit(4)
    source = Source(vectors[:3])
    scanned = ScannedVectors(source, DIMENSIONS)
    assert scanned.search(vectors[3], EVERY, None, 9)
    assert scanned.search(vectors[3], EVERY, None, 9)
    assert source.reads == 1
    source.rows = Source(vectors).rows
    assert scanned.search(vectors[3], EVERY, None, 1)[0][0] == 104
    del source.rows[0]
    assert {passage for passage, _ in scanned.search(vectors[3], EVERY, None, 9)} == {102, 103, 104}


def test_once_numpy_is_imported_scanning_does_not_pay() -> None:
    assert not ScannedVectors.pays(Source(unit(1)))
    assert not ScannedVectors(Source(unit(1)), DIMENSIONS).still_pays()


def test_few_vectors_are_scanned_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "numpy")
    few, many = Source(np.zeros((3, DIMENSIONS))), Source(np.zeros((8_193, DIMENSIONS)))
    assert (ScannedVectors.pays(few), ScannedVectors.pays(many)) == (True, False)
    scanned = ScannedVectors(few, DIMENSIONS)
    for _ in range(4):
        assert scanned.still_pays()
        scanned.search([0.0] * DIMENSIONS, EVERY, None, 1)
    assert not scanned.still_pays()
