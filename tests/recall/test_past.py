"""Memories that are no longer believed never hide those that are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdfast.core.answer import Filters
from holdfast.core.clock import FixedClock
from holdfast.core.embedding import Embedding
from holdfast.core.memory import Memory
from holdfast.store.protocol import Store
from tests.recall.world import MODEL, World
from tests.store.conftest import store_at

NOW = datetime(2024, 3, 13, 12, tzinfo=UTC)
BEFORE = NOW - timedelta(days=1)
MANY = 30


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path / "memory.db", NOW)
    yield made
    made.close()


def retire(world: World, passage: int, **changed: Any) -> None:
    memory, _ = world.reading.hydrate([passage])[passage]
    assert isinstance(memory, Memory)
    with world.store.memories.change(durable=False) as change:
        change.put(replace(memory, **changed))


def by_words(store: Store | World, **filters: Any) -> list[int]:
    return [passage for passage, _ in store.reading.find_words("p", ["kettle"], Filters(**filters), 5)]


def by_vector(store: Store | World, **filters: Any) -> list[int]:
    asked = np.array((1.0, 0.0), np.float32)
    return [passage for passage, _ in store.reading.find_near("p", MODEL, asked, Filters(**filters), 5)]


def put(world: World, text: str = "The kettle whistles", nearness: float = 1.0, **fields: Any) -> int:
    return world.put(text, (nearness, (1 - nearness**2) ** 0.5), at=BEFORE, **fields).passage


@pytest.mark.parametrize("changed", [{"valid_until": NOW}, {"forgotten_at": NOW}])
def test_many_past_memories_do_not_hide_the_current_one(world: World, changed: dict[str, Any]) -> None:
    past = [put(world) for _ in range(MANY)]
    holds = put(world, "A kettle, the large one with the red lid, whistles at four", 0.8)
    assert holds not in by_words(world)
    assert holds not in by_vector(world)
    for passage in past:
        retire(world, passage, **changed)
    assert by_words(world) == by_vector(world) == [holds]


def test_a_query_for_the_past_finds_past_memories(world: World) -> None:
    passage = put(world)
    retire(world, passage, valid_until=NOW - timedelta(hours=1))
    for find in (by_words, by_vector):
        assert find(world) == []
        assert find(world, include_forgotten=True) == find(world, include_forgotten=True, types=("fact",)) == [passage]
        assert find(world, as_of=NOW - timedelta(hours=2)) == [passage]
        assert find(world, include_forgotten=True, types=("gotcha",)) == []


def test_forgotten_messages_stay_out_unless_the_past_is_requested(world: World) -> None:
    passage = put(world, type="episode", session="s")
    retire(world, passage, forgotten_at=NOW)
    for find in (by_words, by_vector):
        assert (
            find(world) == find(world, types=("episode",)) == find(world, include_forgotten=True, types=("fact",)) == []
        )
        assert (
            find(world, include_forgotten=True) == find(world, include_forgotten=True, types=("episode",)) == [passage]
        )


def test_a_restored_memory_is_found_again(world: World) -> None:
    passage = put(world)
    retire(world, passage, forgotten_at=NOW)
    assert by_words(world) == by_vector(world) == []
    retire(world, passage, forgotten_at=None)
    assert by_words(world) == by_vector(world) == [passage]


def test_another_process_sees_the_change(world: World, tmp_path: Path) -> None:
    other = store_at(tmp_path / "memory.db", FixedClock(NOW).now)
    passage = put(world)
    assert by_vector(other) == [passage]
    retire(world, passage, forgotten_at=NOW)
    assert by_vector(other) == []
    other.close()


def test_a_memory_stored_as_past_is_past(world: World) -> None:
    holds = put(world)
    arrived = Memory("mem_2", "fact", "The kettle sang", "p", BEFORE, valid_until=NOW)
    with world.store.memories.change(durable=False) as change:
        change.add(arrived, Embedding(MODEL, 2, np.array((1.0, 0.0), np.float16).tobytes()))
    assert by_words(world) == by_vector(world) == [holds]
    assert len(by_words(world, include_forgotten=True)) == len(by_vector(world, include_forgotten=True)) == 2
