"""What every engine must do with word bags and vectors of passages, and with searches by time."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from holdfast.core.answer import Filters
from holdfast.core.embedding import Embedding
from holdfast.core.ids import Ids
from holdfast.core.memory import Memory
from holdfast.store.protocol import Store
from holdfast.text.bags import bag
from tests.store.conftest import NOW, PROJECT, passage_of

DAY = timedelta(days=1)
VECTOR = np.array([0.6, 0.8], np.float16)
LOOKED = Embedding("m", 2, VECTOR.tobytes())
ALWAYS = (datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, tzinfo=UTC))


def memory(content: str, type: str = "fact", **fields: Any) -> Memory:
    return Memory(Ids().memory(type), type, content, PROJECT, fields.pop("created_at", NOW - DAY), **fields)


def add(store: Store, one: Memory, embedding: Embedding | None = None) -> int:
    """Stores a memory; returns its passage."""
    with store.memories.change(durable=False) as change:
        change.add(one, embedding)
    return passage_of(store, one.id)


def bags_of(store: Store, *passages: int) -> dict[int, bytes]:
    traits = store.reading.traits(passages)
    return dict(zip(traits.passages, traits.bags, strict=True))


# -- bags -----------------------------------------------------------------------------------------------------------


def test_a_bag_is_there_as_soon_as_the_memory(store: Store) -> None:
    passage = add(store, memory("The kettle whistles", tags=("kitchen",), files=("src/kettle.py",)))
    assert bags_of(store, passage) == {passage: bag("The kettle whistles kitchen src/kettle.py")}


def test_a_bag_follows_the_text(store: Store) -> None:
    one = memory("The kettle whistles")
    passage = add(store, one)
    with store.memories.change(durable=False) as change:
        change.put(replace(one, content="The attic creaks", tags=("house",)))
    assert bags_of(store, passage) == {passage: bag("The attic creaks house ")}


def test_the_words_of_a_memory_are_known_with_its_bag(store: Store) -> None:
    one = memory("The kettle whistles")
    add(store, one)
    assert store.reading.spelt_like("kettel") == ("kettle",)
    with store.memories.change(durable=False) as change:
        change.put(replace(one, content="The attic creaks"))
    assert store.reading.spelt_like("craeks") == ("creaks",)


# -- traits ---------------------------------------------------------------------------------------------------------


def told(store: Store, *passages: int) -> list[tuple[Any, ...]]:
    """Kind, role, session and bag of each passage that exists."""
    return list(zip(*store.reading.traits(passages)[1:], strict=True))


def test_traits_tell_what_it_is_who_said_it_and_where(store: Store) -> None:
    fact = add(store, memory("The kettle whistles"))
    said = add(store, memory("The attic creaks", "episode", source_role="user", session="s1"))
    assert told(store, said, fact, 999) == [
        ("episode", "user", "s1", bag("The attic creaks  ")),
        ("fact", None, None, bag("The kettle whistles  ")),
    ]
    assert store.reading.traits([]) == store.reading.traits([999]) == ((), (), (), (), ())


def test_traits_follow_the_memory(store: Store) -> None:
    one = memory("The kettle whistles")
    passage = add(store, one)
    with store.memories.change(durable=False) as change:
        change.put(replace(one, type="gotcha", session="s2", source_role="assistant"))
    [(kind, role, session, words)] = told(store, passage)
    assert (kind, role, session) == ("gotcha", "assistant", "s2")
    assert words == bag("The kettle whistles  ")


# -- vectors --------------------------------------------------------------------------------------------------------


def test_vectors_come_back_as_they_went_in(store: Store) -> None:
    passage, other = add(store, memory("The kettle whistles"), LOOKED), add(store, memory("The attic creaks"))
    vectors = store.reading.vectors("m", [passage, other, 999])
    assert list(vectors) == [passage]
    assert vectors[passage] == pytest.approx([0.6, 0.8], abs=1e-3)


def test_another_model_sees_none_of_them(store: Store) -> None:
    passage = add(store, memory("The kettle whistles"), LOOKED)
    assert store.reading.vectors("other", [passage]) == {}
    add(store, memory("The attic creaks"), replace(LOOKED, embedder="other"))
    assert store.reading.vectors("other", [passage]) == {}


@pytest.mark.parametrize("change", [{"content": "The attic creaks"}, {"tags": ("kitchen",)}, {"files": ("a.py",)}])
def test_a_text_that_changed_is_embedded_again(store: Store, change: dict[str, Any]) -> None:
    one = memory("The kettle whistles")
    passage = add(store, one, LOOKED)
    with store.memories.change(durable=False) as changing:
        changing.put(replace(one, **change))
    assert [waiting.passage for waiting in store.reading.pending("m", 5)] == [passage]


def test_nothing_is_embedded_again_when_only_the_memory_changed(store: Store) -> None:
    one = memory("The kettle whistles")
    add(store, one, LOOKED)
    with store.memories.change(durable=False) as change:
        change.put(replace(one, confidence=0.3, pinned=True))
    assert store.reading.pending("m", 5) == ()


# -- within ---------------------------------------------------------------------------------------------------------


def within(store: Store, first: datetime, last: datetime, limit: int = 10, **filters: Any) -> list[str]:
    passages = store.reading.within(PROJECT, first, last, Filters(**filters), limit)
    told = store.reading.hydrate(passages)
    return [told[passage][1] for passage in passages]


@pytest.fixture
def diary(store: Store) -> Any:
    """Notes on five days; the last was stored today and happened two days ago."""
    for day in range(4):
        add(store, memory(f"Day {day}", created_at=NOW - 10 * DAY + day * DAY, tags=(f"t{day}",)))
    add(store, memory("Told today", created_at=NOW, event_time=NOW - 2 * DAY))
    add(store, memory("Said", "episode", created_at=NOW - 9.5 * DAY, session="s"))
    return store


def test_moments_are_included_at_both_ends_the_latest_first(diary: Store) -> None:
    assert within(diary, NOW - 9 * DAY, NOW - 8 * DAY) == ["Day 2", "Day 1"]
    assert within(diary, *ALWAYS) == ["Told today", "Day 3", "Day 2", "Day 1", "Said", "Day 0"]
    assert within(diary, *ALWAYS, limit=2) == ["Told today", "Day 3"]


def test_when_it_happened_counts(diary: Store) -> None:
    assert within(diary, NOW - 2 * DAY, NOW - 2 * DAY) == ["Told today"]
    assert within(diary, NOW - DAY, NOW) == []


def test_an_empty_stretch_holds_nothing(diary: Store) -> None:
    assert within(diary, NOW, NOW - 20 * DAY) == []
    assert diary.reading.within("elsewhere", *ALWAYS, Filters(), 10) == ()


def test_types_narrow_the_time(diary: Store) -> None:
    assert within(diary, *ALWAYS, types=("episode",)) == ["Said"]
    assert len(within(diary, *ALWAYS, types=("episode", "fact"))) == 6


def test_filters_hold_within_a_time_too(diary: Store) -> None:
    assert within(diary, *ALWAYS, tags=("t1", "t3")) == ["Day 3", "Day 1"]
    assert within(diary, *ALWAYS, until=NOW - 9 * DAY) == ["Day 1", "Said", "Day 0"]
    assert within(diary, *ALWAYS, types=("episode",), session="other") == []


def test_what_is_forgotten_is_not_within(diary: Store) -> None:
    [one] = diary.reading.memories(PROJECT, Filters(tags=("t1",)))
    with diary.memories.change(durable=False) as change:
        change.put(replace(one, forgotten_at=NOW))
    assert "Day 1" not in within(diary, *ALWAYS)
    assert "Day 1" in within(diary, *ALWAYS, include_forgotten=True)
