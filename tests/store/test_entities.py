"""Conformance of every store with entities: link, find, merge, split, rename, profile."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from holdfast.core.entity import LABELS, UNNAMED, Entity, Mention, key_of
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.ids import Ids
from holdfast.core.memory import Memory
from tests.store.conftest import NOW, PROJECT

IDS = Ids()
DAY = timedelta(days=1)
NAMED = sorted(set(LABELS) - UNNAMED)
names = st.text("abcdeABC é_-.", min_size=1, max_size=8).filter(key_of)


def mention(name: str, label: str = "person") -> Mention:
    return Mention(name, 0, len(name), label, 0.9)


def add(store: Any, content: str, *mentions: Mention, **fields: Any) -> Memory:
    memory = Memory(IDS.memory("fact"), fields.pop("type", "fact"), content, PROJECT, NOW, **fields)
    with store.memories.change(durable=True) as change:
        change.add(memory)
    store.entities.link_all(PROJECT, [(memory.id, mentions)], NOW)
    return memory


def test_a_name_is_found_whatever_its_case(store):
    add(store, "Anna sails", mention("Anna"))
    add(store, "anna swims", mention("anna"))
    (anna,) = store.entities.find(PROJECT, " ANNA ")
    assert (anna.name, anna.type, anna.mentions) == ("Anna", "person", 2)


def test_linking_twice_changes_nothing(store):
    memory = add(store, "Anna sails", mention("Anna"), mention("Anna"), mention("Oslo", "location"))
    before = store.entities.entities(PROJECT)
    assert store.entities.link_all(PROJECT, [(memory.id, [mention("anna")])], NOW) == 0
    assert store.entities.entities(PROJECT) == before


def test_a_name_whose_type_is_not_known_yet_learns_it(store):
    add(store, "Anna sails", mention("Anna", "name"))
    add(store, "my sister Anna", mention("Anna", "person"))
    add(store, "Anna again", mention("Anna", "name"))
    (anna,) = store.entities.entities(PROJECT)
    assert (anna.type, anna.label, anna.mentions) == ("person", "person", 3)


def test_one_name_of_two_types_is_two_entities(store):
    add(store, "Paris is a city, Paris is a hero", mention("Paris", "location"), mention("Paris", "person"))
    assert {one.type for one in store.entities.find(PROJECT, "Paris")} == {"location", "person"}


def test_versions_dates_and_marks_make_no_entity(store):
    add(
        store, "since 3.1 of 2026-01-01", mention("3.1", "version"), mention("2026-01-01", "date"), mention("@", "name")
    )
    assert store.entities.entities(PROJECT) == ()


def test_a_deleted_memory_is_skipped(store):
    assert store.entities.link_all(PROJECT, [("mem_gone", [mention("Anna")])], NOW, "test") == 0


def test_merged_entities_share_names_and_memories(store):
    both = add(store, "Bob is Robert", mention("Bob"), mention("Robert"))
    add(store, "Bob sails", mention("Bob"))
    (bob,), (robert,) = store.entities.find(PROJECT, "bob"), store.entities.find(PROJECT, "robert")
    merged = store.entities.merge(robert, bob, NOW)
    assert (merged.id, merged.name, merged.aliases, merged.mentions) == (robert.id, "Robert", ("Bob",), 2)
    assert store.entities.find(PROJECT, "BOB") == (merged,)
    assert store.entities.of(both.id) == (merged,)
    add(store, "Bob swims", mention("Bob"))
    assert store.entities.find(PROJECT, "Robert")[0].mentions == 3
    with pytest.raises(NotFound):
        store.entities.merge(merged, bob, NOW)


def test_a_renamed_entity_is_found_by_both_names(store):
    add(store, "Bob sails", mention("Bob"))
    renamed = store.entities.rename(store.entities.find(PROJECT, "Bob")[0], "Robert")
    assert (renamed.name, renamed.aliases) == ("Robert", ("Bob",))
    assert store.entities.find(PROJECT, "bob") == (renamed,)
    back = store.entities.rename(renamed, "Bob")
    assert (back.name, back.aliases) == ("Bob", ("Robert",))


def test_a_name_that_is_taken_asks_for_a_merge(store):
    add(store, "Bob and Anna", mention("Bob"), mention("Anna"))
    with pytest.raises(InvalidInput, match="merge"):
        store.entities.rename(store.entities.find(PROJECT, "Bob")[0], "anna")


def test_a_profile_lists_learned_memories_first_and_no_forgotten_ones(store):
    add(store, "said", mention("Anna"), type="episode", event_time=NOW)
    old = add(store, "learned", mention("Anna"), mention("Oslo", "location"), event_time=NOW - 40 * DAY)
    add(store, "forgotten", mention("Anna"), mention("Rome", "location"), forgotten_at=NOW)
    (anna,) = store.entities.find(PROJECT, "Anna")
    assert [memory.content for memory in store.entities.memories(anna)] == ["learned", "said"]
    assert [(p.month, p.memories) for p in store.entities.timeline(anna)] == [("2025-04", 1), ("2025-06", 1)]
    assert [(n.entity.name, n.together) for n in store.entities.neighbours(anna)] == [("Oslo", 1)]
    assert [one.name for one in store.entities.of(old.id)] == ["Anna", "Oslo"]


def test_memories_with_few_names_wait_for_a_second_reading_once(store):
    few = add(store, "few", mention("Anna"))
    add(store, "many", mention("Anna"), mention("Bob"), mention("Carl"))
    assert [memory.id for memory in store.entities.sparse(10)] == [few.id]
    store.entities.link_all(PROJECT, [(few.id, [])], NOW, "test")
    assert store.entities.sparse(10) == ()


def test_passages_that_name_something_are_found_by_any_of_its_names(store):
    add(store, "Bob sails", mention("Bob"))
    add(store, "Robert swims", mention("Robert"))
    store.entities.merge(*(store.entities.find(PROJECT, name)[0] for name in ("Robert", "Bob")), NOW)
    found = store.entities.mentioning(PROJECT, ["bob"])
    assert list(found.values()) == [(2,), (2,)]
    assert store.entities.mentioning(PROJECT, ["nobody"]) == {}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(said=st.lists(st.lists(st.tuples(names, st.sampled_from(NAMED)), max_size=4), max_size=6))
def test_mentions_always_count_the_links_and_names_stay_unique(store, said):
    for mentioned in said:
        add(store, "x", *(mention(name, label) for name, label in mentioned))
    entities = store.entities.entities(PROJECT, 10_000)
    assert all(one.mentions == len(store.entities.memories(one, 10_000)) for one in entities)
    keys = [(key_of(one.name), one.type) for one in entities]
    assert len(keys) == len(set(keys))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=names, second=names)
def test_after_a_merge_both_names_find_the_one_that_stayed(store, first, second):
    add(store, "x", mention(first, "person"), mention(second, "organization"))
    kept, gone = store.entities.find(PROJECT, first)[0], store.entities.find(PROJECT, second)[0]
    assume(kept.id != gone.id)
    merged = store.entities.merge(kept, gone, NOW)
    assert merged in store.entities.find(PROJECT, first)
    assert merged in store.entities.find(PROJECT, second)


_letters = itertools.count()


def one(store, name: str):
    (found,) = store.entities.find(PROJECT, name)
    return found


def whole(store, name: str) -> tuple[Entity, list[str]]:
    """An entity and the memories that name it."""
    found = one(store, name)
    return found, sorted(memory.id for memory in store.entities.memories(found, 1000))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    said=st.lists(st.sets(st.sampled_from("abcd"), min_size=1), min_size=1, max_size=5),
    merged=st.permutations("bcd"),
    split=st.permutations("bcd"),
    described=st.sets(st.sampled_from("abcd")),
)
def test_merges_undone_in_any_order_leave_all_as_it_was(store, said, merged, split, described):
    of = next(_letters)
    names = {letter: f"{letter}{of}" for letter in "abcd"}
    for mentioned in [set("abcd"), *said]:
        add(store, "x", *(mention(names[letter]) for letter in mentioned))
    for letter in described:
        store.entities.put(replace(one(store, names[letter]), summary=f"about {letter}"))
    before = {name: whole(store, name) for name in names.values()}
    for letter in merged:
        store.entities.merge(one(store, names["a"]), one(store, names[letter]), NOW)
    for letter in split:
        store.entities.split(next(m for m in store.entities.merges(PROJECT) if m.has_name(names[letter])))
    assert {name: whole(store, name) for name in names.values()} == before


def test_a_merge_is_undone(store):
    both = add(store, "Bob is Robert", mention("Bob"), mention("Robert"))
    add(store, "Bob sails", mention("Bob"))
    before = [store.entities.find(PROJECT, name) for name in ("Robert", "Bob")]
    (robert,), (bob,) = before
    store.entities.merge(robert, bob, NOW)
    (merge,) = store.entities.merges(PROJECT)
    assert (merge.entity, merge.kept, merge.at) == (bob, robert.id, NOW)
    assert store.entities.split(merge) == bob
    assert [store.entities.find(PROJECT, name) for name in ("Robert", "Bob")] == before
    assert set(store.entities.of(both.id)) == {bob, robert}
    assert store.entities.merges(PROJECT) == ()
    with pytest.raises(NotFound, match="in the meantime"):
        store.entities.split(merge)
