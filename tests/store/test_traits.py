"""What ranking compares is kept beside the passage: gone with it, renewed with its text. And what lies in a time."""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdfast.core.answer import Filters
from holdfast.core.clock import SystemClock
from holdfast.core.document import Chunk, Document
from holdfast.core.ids import Ids
from holdfast.core.memory import Memory
from holdfast.core.reason import Reason
from holdfast.store.reasons import StoreCode
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.migrate import migrate
from holdfast.store.sqlite.store import SqliteStore
from holdfast.store.sqlite.traits import put_missing_bags
from holdfast.store.writing.memories import Embedding
from holdfast.text.bags import bag
from tests.store.conftest import NOW, PROJECT
from tests.store.database import rebuild

DAY = timedelta(days=1)
VECTOR = np.array([0.6, 0.8], np.float16)
LOOKED = Embedding("m", 2, VECTOR.tobytes(), None, b"views", b"tokens")
ALWAYS = (datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, tzinfo=UTC))


def memory(content: str, type: str = "fact", **fields: Any) -> Memory:
    return Memory(Ids().memory(type), type, content, PROJECT, fields.pop("created_at", NOW - DAY), **fields)


def add(store: Any, one: Memory, embedding: Embedding | None = None) -> int:
    """Keeps a memory; gives the number of its passage."""
    with store.memories.change(durable=False) as change:
        change.add(one, embedding)
    return passage_of(store, one.id)


def passage_of(store: Any, owner: str) -> int:
    return int(store._database.read("select id from passages where owner_id = :owner", {"owner": owner})[0][0])


def bags_of(store: Any, passages: Any) -> dict[int, bytes]:
    rows = store._database.read("select passage_id, bag from bags")
    return {passage: found for passage, found in rows if passage in passages}


def execute(store: Any, sql: str) -> None:
    with store._database.write(durable=False) as connection:
        connection.execute(sql)


# -- bags -----------------------------------------------------------------------------------------------------------


def test_a_bag_is_there_as_soon_as_the_memory(store: Any) -> None:
    passage = add(store, memory("The kettle whistles", tags=("kitchen",), files=("src/kettle.py",)))
    assert bags_of(store, [passage]) == {passage: bag("The kettle whistles kitchen src/kettle.py")}


def test_a_piece_of_a_document_has_one_with_its_vector(store: Any) -> None:
    document = Document("doc_1", PROJECT, "docs/tea.md", "markdown", "h", 10, NOW)
    chunk = Chunk("chk_1", "docs/tea.md", 0, ("Guide",), "Pour at four.", 0, 13, 1, 1)
    store.documents.put(document, [chunk])
    passage = passage_of(store, "chk_1")
    assert bags_of(store, [passage]) == {}
    store.memories.put_vectors({passage: LOOKED})
    assert bags_of(store, [passage]) == {passage: bag("Pour at four. Guide docs/tea.md")}
    store.documents.remove(PROJECT, "docs/tea.md")
    assert bags_of(store, [passage]) == {}


def test_only_bags_that_are_there_are_given(store: Any) -> None:
    passage = add(store, memory("The kettle whistles"))
    assert list(bags_of(store, [passage, 999, passage + 1])) == [passage]
    assert bags_of(store, []) == {}


def test_a_bag_follows_the_text(store: Any) -> None:
    one = memory("The kettle whistles")
    passage = add(store, one)
    with store.memories.change(durable=False) as change:
        change.put(replace(one, content="The attic creaks", tags=("house",)))
    assert bags_of(store, [passage]) == {passage: bag("The attic creaks house ")}


def test_the_words_of_a_memory_are_known_with_its_bag(store: Any) -> None:
    one = memory("The kettle whistles")
    add(store, one)
    assert store.reading.spelt_like("kettel") == ("kettle",)
    with store.memories.change(durable=False) as change:
        change.put(replace(one, content="The attic creaks"))
    assert store.reading.spelt_like("craeks") == ("creaks",)


def test_missing_bags_are_made_from_the_passages(store: Any) -> None:
    passages = [add(store, memory(f"Lamp {n}", tags=("t",), files=("a.py",))) for n in range(3)]
    before = bags_of(store, passages)
    execute(store, "delete from bags where passage_id <> (select min(id) from passages)")
    with store._database.write(durable=False) as connection:
        assert put_missing_bags(connection) == 2
        assert put_missing_bags(connection) == 0
    assert bags_of(store, passages) == before


# -- traits ---------------------------------------------------------------------------------------------------------


def told(store: Any, *passages: int) -> list[tuple[Any, ...]]:
    """Kind, speaker, session and bag of each passage that is there."""
    return list(zip(*store.reading.traits(passages)[1:], strict=True))


def test_traits_tell_what_it_is_who_said_it_and_where(store: Any) -> None:
    fact = add(store, memory("The kettle whistles"))
    said = add(store, memory("The attic creaks", "episode", source_role="user", session="s1"))
    assert told(store, said, fact, 999) == [
        ("episode", "user", "s1", bag("The attic creaks  ")),
        ("fact", None, None, bag("The kettle whistles  ")),
    ]
    assert store.reading.traits([]) == store.reading.traits([999]) == ((), (), (), (), ())


def test_traits_are_there_before_anyone_counted_the_words(store: Any) -> None:
    passages = [add(store, memory(f"Lamp {n}", "episode", source_role="user", session="s1")) for n in range(3)]
    counted = told(store, *passages)
    execute(store, "delete from bags where passage_id = (select max(id) from passages)")
    assert told(store, *passages) == counted


def test_traits_follow_the_memory(store: Any) -> None:
    one = memory("The kettle whistles")
    passage = add(store, one)
    with store.memories.change(durable=False) as change:
        change.put(replace(one, type="gotcha", session="s2", source_role="assistant"))
    [(kind, role, session, words)] = told(store, passage)
    assert (kind, role, session) == ("gotcha", "assistant", "s2")
    assert words == bag("The kettle whistles  ")


# -- codes and vectors ----------------------------------------------------------------------------------------------


def test_codes_and_vectors_come_back_as_they_went_in(store: Any) -> None:
    passage, other = add(store, memory("The kettle whistles"), LOOKED), add(store, memory("The attic creaks"))
    assert store.reading.codes("m", [passage, other, 999]) == {passage: (b"views", b"tokens")}
    vectors = store.reading.vectors("m", [passage, other, 999])
    assert list(vectors) == [passage]
    assert vectors[passage].dtype == np.float32
    assert vectors[passage] == pytest.approx([0.6, 0.8], abs=1e-3)


def test_another_model_sees_none_of_them(store: Any) -> None:
    passage = add(store, memory("The kettle whistles"), LOOKED)
    assert store.reading.codes("other", [passage]) == store.reading.vectors("other", [passage]) == {}
    add(store, memory("The attic creaks"), replace(LOOKED, embedder="other"))
    assert store.reading.codes("other", [passage]) == store.reading.vectors("other", [passage]) == {}


def test_where_there_is_nothing_to_see_nothing_is_kept(store: Any) -> None:
    passage = add(store, memory("The kettle whistles"), replace(LOOKED, views=b"", tokens=b""))
    assert store.reading.codes("m", [passage]) == {}
    assert list(store.reading.vectors("m", [passage])) == [passage]


def test_a_new_look_takes_the_place_of_the_old(store: Any) -> None:
    passage = add(store, memory("The kettle whistles"), LOOKED)
    store.memories.put_vectors({passage: replace(LOOKED, views=b"", tokens=b"new")})
    assert store.reading.codes("m", [passage]) == {passage: (b"", b"new")}
    store.memories.put_vectors({passage: replace(LOOKED, views=b"", tokens=b"")})
    assert store.reading.codes("m", [passage]) == {}


def test_a_look_of_another_model_takes_the_place_too(store: Any) -> None:
    passage = add(store, memory("The kettle whistles"), LOOKED)
    store.memories.put_vectors({passage: replace(LOOKED, embedder="other", views=b"", tokens=b"")})
    assert store.reading.codes("m", [passage]) == {}


@pytest.mark.parametrize("change", [{"content": "The attic creaks"}, {"tags": ("kitchen",)}, {"files": ("a.py",)}])
def test_codes_of_a_text_that_changed_are_forgotten(store: Any, change: dict[str, Any]) -> None:
    one = memory("The kettle whistles")
    passage = add(store, one, LOOKED)
    with store.memories.change(durable=False) as changing:
        changing.put(replace(one, **change))
    assert store.reading.codes("m", [passage]) == {}
    assert [waiting.passage for waiting in store.reading.waiting("m", 5)] == [passage]


def test_codes_stay_when_only_the_memory_changed(store: Any) -> None:
    one = memory("The kettle whistles")
    passage = add(store, one, LOOKED)
    with store.memories.change(durable=False) as change:
        change.put(replace(one, confidence=0.3, pinned=True))
    assert store.reading.codes("m", [passage]) == {passage: (b"views", b"tokens")}


def test_a_text_changed_past_our_code_loses_both(store: Any) -> None:
    passage = add(store, memory("The kettle whistles"), LOOKED)
    execute(store, "update passages set body = 'The attic creaks'")
    assert bags_of(store, [passage]) == store.reading.codes("m", [passage]) == {}


def test_both_go_with_their_passage(store: Any) -> None:
    passage = add(store, memory("The kettle whistles"), LOOKED)
    execute(store, "delete from passages")
    assert bags_of(store, [passage]) == store.reading.codes("m", [passage]) == {}
    assert store._database.read("select (select count(*) from bags) + (select count(*) from codes)")[0][0] == 0


# -- repair ---------------------------------------------------------------------------------------------------------


def test_a_rebuild_makes_the_bags_anew(store: Any) -> None:
    one = memory("The kettle whistles")
    before = list(bags_of(store, [add(store, one, LOOKED)]).values())
    execute(store, "delete from bags")
    rebuild(store)
    passage = passage_of(store, one.id)
    assert list(bags_of(store, [passage]).values()) == before
    assert store.reading.codes("m", [passage]) == {}
    assert store.reading.count_waiting("m") == 1


def test_repair_makes_what_has_no_passage_findable_with_its_bag(store: Any) -> None:
    one = memory("The kettle whistles")
    before = list(bags_of(store, [add(store, one)]).values())
    execute(store, "delete from passages")
    store.health.repair()
    assert list(bags_of(store, [passage_of(store, one.id)]).values()) == before


def test_repair_makes_missing_bags(store: Any) -> None:
    passage = add(store, memory("The kettle whistles"))
    before = bags_of(store, [passage])
    execute(store, "delete from bags")
    store.health.repair()
    assert bags_of(store, [passage]) == before


def test_repair_removes_what_belongs_to_no_passage(store: Any) -> None:
    add(store, memory("The kettle whistles"), LOOKED)
    with contextlib.closing(sqlite3.connect(store.location)) as stranger, stranger:
        stranger.execute("insert into bags (passage_id, bag) values (999, x'00000000')")
        stranger.execute("insert into codes values (999, 1, x'00', x'00')")
    assert Reason.of(StoreCode.STRAYS_REMOVED, count=2) in store.health.repair()
    assert [
        row[0] for row in store._database.read("select passage_id from bags union select passage_id from codes")
    ] == [1]


def test_the_first_schema_comes_up_without_bags_and_can_be_given_them(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    database = Database(str(path))
    migrate(database, Ids(), upto=1)
    database.close()
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("insert into projects values ('p', 'p', '/p', null, null, null, 't', 't')")
        connection.execute("insert into passages (project_id, kind, owner_id, body) values ('p', 'fact', 'm', 'Tea')")
    store = SqliteStore(str(path), now=SystemClock().now, ids=Ids())
    with contextlib.closing(store):
        assert (bags_of(store, [1]), store.reading.codes("m", [1])) == ({}, {})
        with store._database.write(durable=False) as connection:
            assert put_missing_bags(connection) == 1
        assert bags_of(store, [1]) == {1: bag("Tea  ")}


# -- within ---------------------------------------------------------------------------------------------------------


def within(store: Any, first: datetime, last: datetime, limit: int = 10, **filters: Any) -> list[str]:
    passages = store.reading.within(PROJECT, first, last, Filters(**filters), limit)
    told = store.reading.hydrate(passages)
    return [told[passage][1] for passage in passages]


@pytest.fixture
def diary(store: Any) -> Any:
    """Five days, a note for each; the last was told today and happened two days ago."""
    for day in range(4):
        add(store, memory(f"Day {day}", created_at=NOW - 10 * DAY + day * DAY, tags=(f"t{day}",)))
    add(store, memory("Told today", created_at=NOW, event_time=NOW - 2 * DAY))
    add(store, memory("Said", "episode", created_at=NOW - 9 * DAY, session="s"))
    return store


def test_moments_are_included_at_both_ends_the_latest_first(diary: Any) -> None:
    assert within(diary, NOW - 9 * DAY, NOW - 8 * DAY) == ["Day 2", "Day 1"]
    assert within(diary, *ALWAYS) == ["Told today", "Day 3", "Day 2", "Day 1", "Day 0"]
    assert within(diary, *ALWAYS, limit=2) == ["Told today", "Day 3"]


def test_when_it_happened_counts(diary: Any) -> None:
    assert within(diary, NOW - 2 * DAY, NOW - 2 * DAY) == ["Told today"]
    assert within(diary, NOW - DAY, NOW) == []


def test_an_empty_stretch_holds_nothing(diary: Any) -> None:
    assert within(diary, NOW, NOW - 20 * DAY) == []
    assert diary.reading.within("elsewhere", *ALWAYS, Filters(), 10) == ()


def test_episodes_only_when_asked_for(diary: Any) -> None:
    assert within(diary, *ALWAYS, types=("episode",)) == ["Said"]
    assert len(within(diary, *ALWAYS, types=("episode", "fact"))) == 6


def test_filters_hold_within_a_time_too(diary: Any) -> None:
    assert within(diary, *ALWAYS, tags=("t1", "t3")) == ["Day 3", "Day 1"]
    assert within(diary, *ALWAYS, until=NOW - 9 * DAY) == ["Day 1", "Day 0"]
    assert within(diary, *ALWAYS, types=("episode",), session="other") == []


def test_what_is_forgotten_is_not_within(diary: Any) -> None:
    [one] = diary.reading.memories(PROJECT, Filters(tags=("t1",)))
    with diary.memories.change(durable=False) as change:
        change.put(replace(one, forgotten_at=NOW))
    assert "Day 1" not in within(diary, *ALWAYS)
    assert "Day 1" in within(diary, *ALWAYS, include_forgotten=True)
