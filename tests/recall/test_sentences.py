"""In chats with a model, a long message is also judged by its best sentence."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

import holdfast
from holdfast.core.answer import Filters
from holdfast.core.embedding import Embedding
from holdfast.core.vector_size import VectorSize
from holdfast.recall.query.query_spelling import Wordings
from holdfast.recall.question import Embedded, Question, RecallCandidate
from holdfast.recall.weigh.weighing import SENTENCE_SHARE, Weigh
from tests.recall.world import MODEL, SCALES, World

NOW = datetime(2024, 3, 13, 12, tzinfo=UTC)
QUERY = (0.8, 0.6)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path / "memory.db", NOW)
    yield made
    made.close()


def say(world: World, role: str, words: int, vector: tuple[float, float] = (0.0, 1.0)) -> RecallCandidate:
    return world.put("lamp " * words, vector, type="episode", source_role=role, session="s")


def meaning(world: World, *candidates: RecallCandidate, sentences: int = 40) -> dict[int, float]:
    embedded = Embedded(MODEL, np.array(QUERY, np.float32), SCALES)
    weigh = Weigh(world.reading, lambda _: embedded, Wordings(world.reading).of, sentences=sentences)
    found, _ = weigh(Question("lamp", "p", Filters(), 8, NOW), candidates)
    return {one.passage: one.measure("meaning") for one in found}


def put_sentence(world: World, candidate: RecallCandidate, *rows: tuple[float, float]) -> None:
    data = np.array(rows, np.float16).tobytes()
    world.store.memories.put_sentences({candidate.passage: Embedding(MODEL, 2, data)})


def test_the_best_sentence_counts_with_the_whole_message(world: World) -> None:
    asked, *rest = [say(world, "user", 40) for _ in range(3)]
    candidates = (asked, *rest, *(say(world, "assistant", 300) for _ in range(3)))
    before = meaning(world, *candidates)
    put_sentence(world, asked, (0.0, 1.0), QUERY)
    after = meaning(world, *candidates)
    scale = SCALES.of_query(VectorSize.SINGLE, VectorSize.SINGLE)
    mixed = (1 - SENTENCE_SHARE) * before[asked.passage] + SENTENCE_SHARE * scale.deviations(1.0)
    assert after.pop(asked.passage) == pytest.approx(mixed, rel=0.05)
    assert after == {passage: value for passage, value in before.items() if passage != asked.passage}
    assert meaning(world, *candidates, sentences=0) == before


def test_between_people_the_whole_message_counts(world: World) -> None:
    candidates = tuple(say(world, "user", 40) for _ in range(6))
    before = meaning(world, *candidates)
    put_sentence(world, candidates[0], QUERY)
    assert meaning(world, *candidates) == before


def test_only_the_best_messages_are_judged_by_sentences(world: World) -> None:
    near, far = say(world, "user", 40, QUERY), say(world, "user", 40)
    candidates = (near, far, say(world, "user", 40), *(say(world, "assistant", 300) for _ in range(3)))
    before = meaning(world, *candidates)
    put_sentence(world, near, (0.0, 1.0))
    put_sentence(world, far, QUERY)
    after = meaning(world, *candidates, sentences=1)
    assert after[near.passage] < before[near.passage]
    assert after[far.passage] == before[far.passage]


def test_the_job_embeds_sentences_once_and_a_search_does_not_wait_for_it(ws: holdfast.Workspace) -> None:
    text = "I need a recipe for many guests who eat no fish at all. " * 3 + "By the way, my sister moved to Lyon. "
    with ws.session("s") as session:
        session.say("user", text)
        session.say("assistant", "Here are some recipes without fish. " * 30)
    assert ws.recall("my sister moved to Lyon").hits
    assert ws.upkeep("embed")["embed"]["sentences"] == 1
    assert "sentences" not in ws.upkeep("embed")["embed"]
    assert ws.recall("my sister moved to Lyon").hits
