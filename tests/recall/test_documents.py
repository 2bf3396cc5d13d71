"""Ranking of documents: confidence, PageRank, successors, a limit per document."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from holdfast.core.answer import Filters
from holdfast.core.decay import document_confidence
from holdfast.core.document import Chunk, Document
from holdfast.core.ids import Ids
from holdfast.recall.order.document_ranks import RankDocuments
from holdfast.recall.question import Question, RecallCandidate
from holdfast.recall.recall_reasons import RecallCode
from holdfast.store.writing.links import GraphNode
from tests.recall.world import World
from tests.store.conftest import passages_by_owner

NOW = datetime(2025, 6, 1, tzinfo=UTC)
IDS = Ids()


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path / "memory.db", NOW)
    yield made
    made.close()


def put(world: World, path: str, *scores: float, rank: float = 0.0, after: str | None = None) -> list[RecallCandidate]:
    """Adds a document with one chunk per score; returns the chunks as candidates."""
    one = Document(IDS.document(), "p", path, "markdown", "h", 1, NOW)
    own = [Chunk(IDS.chunk(), path, n, (), f"{path} {n}", n, n, n, n) for n in range(len(scores))]
    world.store.documents.put(one, own)
    world.store.links.settle([], [GraphNode(one.id, path, rank, after)])
    known = passages_by_owner(world.store, "p")
    ids = [known[chunk.id] for chunk in own]
    factors = {of.passage: of for of in world.reading.factors("p", list(ids), Filters())}
    return [
        RecallCandidate(id, {"words": 1}, {}, score, row=factors[id]) for id, score in zip(ids, scores, strict=True)
    ]


def ranked(world: World, found: list[RecallCandidate], text: str = "tea", **how: float) -> list[str]:
    question = Question(text, "p", Filters(), 5, NOW)
    best = sorted(found, key=lambda one: -one.score)
    after, _ = RankDocuments(world.reading, **how)(question, tuple(best))  # type: ignore[arg-type]  # counts are whole
    assert [one.score for one in after] == sorted((one.score for one in after), reverse=True)
    return [one.row.searched.split()[0] for one in after if one.row]


def test_a_superseded_document_ranks_below_its_successor(world: World) -> None:
    old = put(world, "old.md", 0.9, 0.8, after="new.md")
    new = put(world, "new.md", 0.5, 0.1)
    assert ranked(world, [*old, *new]) == ["new.md", "old.md", "old.md", "new.md"]
    after, notes = RankDocuments(world.reading)(Question("tea", "p", Filters(), 5, NOW), (*old, *new))
    assert notes["superseded"] == ["old.md"]
    assert [one.factors.get("superseded") for one in after] == [None, 1.0, 1.0, None]


def test_a_superseded_document_that_ranks_lower_keeps_its_place(world: World) -> None:
    found = [*put(world, "old.md", 0.3, after="new.md"), *put(world, "new.md", 0.5), *put(world, "else.md", 0.4)]
    assert ranked(world, found) == ["new.md", "else.md", "old.md"]


def test_the_last_document_of_a_chain_ranks_first(world: World) -> None:
    found = [
        *put(world, "1.md", 0.9, after="2.md"),
        *put(world, "2.md", 0.8, after="3.md"),
        *put(world, "3.md", 0.2),
        *put(world, "else.md", 0.1),
    ]
    assert ranked(world, found) == ["3.md", "2.md", "1.md", "else.md"]


def test_a_superseded_document_without_its_successor_keeps_its_place_and_is_marked(world: World) -> None:
    found = [*put(world, "old.md", 0.9, after="new.md"), *put(world, "else.md", 0.4)]
    assert ranked(world, found) == ["old.md", "else.md"]


def test_a_query_about_the_past_leaves_a_superseded_document_first(world: World) -> None:
    found = [*put(world, "old.md", 0.9, after="new.md"), *put(world, "new.md", 0.5)]
    assert ranked(world, found, "how was it originally?") == ["old.md", "new.md"]


def test_the_number_of_chunks_per_document_is_limited(world: World) -> None:
    found = [*put(world, "a.md", 0.9, 0.8, 0.7), *put(world, "b.md", 0.5, 0.4)]
    fact = world.put("a fact", score=0.6)
    assert ranked(world, [*found, fact], per_document=1) == ["a.md", "a", "b.md"]
    assert ranked(world, [*found, fact], per_document=2) == ["a.md", "a.md", "a", "b.md", "b.md"]


def test_authority_scales_rank_and_confidence(world: World) -> None:
    found = [*put(world, "plain.md", 0.50, rank=0.0), *put(world, "central.md", 0.45, rank=0.6)]
    assert ranked(world, found) == ["plain.md", "central.md"]
    assert ranked(world, found, authority=1.0) == ["central.md", "plain.md"]
    question = Question("tea", "p", Filters(), 5, NOW)
    after, _ = RankDocuments(world.reading, authority=1.0)(question, tuple(found))
    factor = 0.7 + 0.3 * 0.8
    assert [one.score for one in after] == pytest.approx([0.45 * factor * 1.0, 0.5 * factor * 0.8])


def test_candidates_without_documents_are_passed_through(world: World) -> None:
    fact = world.put("a fact", score=0.6)
    assert RankDocuments(world.reading)(Question("tea", "p", Filters(), 5, NOW), (fact,)) == (
        (fact,),
        {"skipped": RecallCode.NO_DOCUMENTS},
    )


@pytest.mark.parametrize(("hours", "left"), [(0, 0.8), (1, 0.796), (24, 0.710), (168, 0.344), (720, 0.1)])
def test_a_documents_confidence_decays_by_the_hour_to_a_floor(hours: int, left: float) -> None:
    assert document_confidence(0.8, NOW - timedelta(hours=hours), NOW) == pytest.approx(left, abs=1e-3)


def test_a_hit_raises_a_documents_confidence_by_three_percent(world: World) -> None:
    [piece] = put(world, "a.md", 0.5)
    document = world.reading.document("p", "a.md")
    assert document is not None
    world.store.usage.found("p", [[document.id]], NOW + timedelta(days=1))
    [standing] = world.reading.standing("p", [piece.passage]).values()
    assert standing.confidence == pytest.approx(0.8 * 1.03)
    assert standing.since == NOW + timedelta(days=1)
