"""Repairs what is derived from memories and documents in SQLite: passages and word bags."""

from __future__ import annotations

from typing import Any

from holdfast.core.answer import Filters
from holdfast.core.document import Chunk, Document
from holdfast.core.entity import Entity
from holdfast.core.reason import Reason
from holdfast.store.protocol import Store
from holdfast.store.sqlite.sqlite_store import SqliteStore
from holdfast.store.sqlite.traits import put_missing_bags
from holdfast.store.store_reasons import StoreCode
from holdfast.text.bags import bag
from tests.store.conftest import NOW, PROJECT, passage_of
from tests.store.database import delete_bags, delete_passages, execute, rebuild, rows
from tests.store.test_documents import chunks, document, found
from tests.store.test_passages import LOOKED, add, memory


def bags_of(store: Store, passages: Any) -> dict[int, bytes]:
    found = rows(store, "select passage_id, bag from bags")
    return {passage: bag for passage, bag in found if passage in passages}


def put_missing(store: Store, most: int = -1) -> int:
    assert isinstance(store, SqliteStore)
    with store._database.write(durable=False) as connection:
        return len(put_missing_bags(connection, most))


def test_a_piece_of_a_document_has_one_with_its_vector(store: Store) -> None:
    document = Document("doc_1", PROJECT, "docs/tea.md", "markdown", "h", 10, NOW)
    chunk = Chunk("chk_1", "docs/tea.md", 0, ("Guide",), "Pour at four.", 0, 13, 1, 1)
    store.documents.put(document, [chunk])
    passage = passage_of(store, "chk_1")
    assert bags_of(store, [passage]) == {}
    store.memories.put_vectors({passage: LOOKED})
    assert bags_of(store, [passage]) == {passage: bag("Pour at four. Guide docs/tea.md")}
    store.documents.remove(PROJECT, "docs/tea.md")
    assert bags_of(store, [passage]) == {}


def test_only_bags_that_are_there_are_given(store: Store) -> None:
    passage = add(store, memory("The kettle whistles"))
    assert list(bags_of(store, [passage, 999, passage + 1])) == [passage]
    assert bags_of(store, []) == {}


def test_missing_bags_are_made_from_the_passages(store: Store) -> None:
    passages = [add(store, memory(f"Lamp {n}", tags=("t",), files=("a.py",))) for n in range(3)]
    before = bags_of(store, passages)
    execute(store, "delete from bags where passage_id <> (select min(id) from passages)")
    assert put_missing(store) == 2
    assert put_missing(store) == 0
    assert bags_of(store, passages) == before


def test_traits_are_there_before_anyone_counted_the_words(store: Store) -> None:
    passages = [add(store, memory(f"Lamp {n}", "episode", source_role="user", session="s1")) for n in range(3)]
    counted = store.reading.traits(passages)
    execute(store, "delete from bags where passage_id = (select max(id) from passages)")
    assert store.reading.traits(passages) == counted


def test_a_text_changed_past_our_code_loses_both(store: Store) -> None:
    passage = add(store, memory("The kettle whistles"), LOOKED)
    execute(store, "update passages set body = 'The attic creaks'")
    assert bags_of(store, [passage]) == {}


def test_both_go_with_their_passage(store: Store) -> None:
    passage = add(store, memory("The kettle whistles"), LOOKED)
    delete_passages(store)
    assert bags_of(store, [passage]) == {}
    assert rows(store, "select passage_id from bags") == []


def test_a_rebuild_makes_the_bags_anew(store: Store) -> None:
    one = memory("The kettle whistles")
    before = list(bags_of(store, [add(store, one, LOOKED)]).values())
    delete_bags(store)
    rebuild(store)
    passage = passage_of(store, one.id)
    assert list(bags_of(store, [passage]).values()) == before
    assert store.reading.count_pending("m") == 1


def test_repair_makes_what_has_no_passage_findable_with_its_bag(store: Store) -> None:
    one = memory("The kettle whistles")
    before = list(bags_of(store, [add(store, one)]).values())
    delete_passages(store)
    store.health.repair()
    assert list(bags_of(store, [passage_of(store, one.id)]).values()) == before


def test_repair_makes_missing_bags(store: Store) -> None:
    passage = add(store, memory("The kettle whistles"))
    before = bags_of(store, [passage])
    delete_bags(store)
    store.health.repair()
    assert bags_of(store, [passage]) == before


def test_repair_removes_what_belongs_to_no_passage(store: Store) -> None:
    add(store, memory("The kettle whistles"), LOOKED)
    execute(store, "insert into bags (passage_id, bag) values (999, x'00000000')", foreign_keys=False)
    assert Reason.of(StoreCode.STRAYS_REMOVED, count=1) in store.health.repair()
    assert rows(store, "select passage_id from bags") == [(1,)]


def test_lost_passages_of_documents_are_noticed_and_made_anew(store: Store) -> None:
    store.documents.put(document(), chunks("Steep it", "Pour it"))
    execute(store, "delete from passages where body = 'Steep it'")
    assert any(f.check == "findable" and f.level == "bad" for f in store.health.examine())
    assert Reason.of(StoreCode.CHUNKS_INDEXED, count=1) in store.health.repair()
    assert found(store, "steep") == {"Steep it"}
    rebuild(store)
    assert found(store, "guide") == {"Steep it", "Pour it"}
    assert all(finding.level != "bad" for finding in store.health.examine())


def test_missing_words_of_names_are_made_again(store: Store) -> None:
    store.entities.add(Entity("ent_1", PROJECT, "Zoë Kettle", "person", "", NOW))
    execute(store, "delete from name_words")
    assert store.entities.registered(PROJECT, ["zoe"]) == ()
    store.health.repair()
    assert [known.name for known in store.entities.registered(PROJECT, ["zoe"])] == ["Zoë Kettle"]


def test_missing_titles_are_added_and_their_index_is_rebuilt(store: Store) -> None:
    store.documents.put(document("docs/tea.md"), chunks("Pour it", path="docs/tea.md"))
    execute(store, "delete from document_titles")
    assert store.reading.find_titles(PROJECT, ["tea"], Filters(), 5) == ()
    store.health.repair()
    assert len(store.reading.find_titles(PROJECT, ["tea"], Filters(), 5)) == 1
    execute(store, "insert into titles_fts (titles_fts) values ('delete-all')")
    assert [finding.check for finding in store.health.examine() if finding.level == "bad"] == ["full text"]
    store.health.repair()
    assert len(store.reading.find_titles(PROJECT, ["tea"], Filters(), 5)) == 1
