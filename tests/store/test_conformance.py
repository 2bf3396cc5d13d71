"""What every engine must do with memories, words, vectors, usage and leases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from holdfast.core.answer import Filters
from holdfast.core.clock import FixedClock
from holdfast.core.embedding import Embedding
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.memory import Memory, Relation
from holdfast.core.memory_use import MemoryUse
from holdfast.store.protocol import Store
from holdfast.store.reading import Lease
from holdfast.text.fingerprints import fingerprint
from holdfast.text.words import words
from tests.store.conftest import NOW, PROJECT
from tests.store.strategies import memories

DAY = timedelta(days=1)


def memory(name: str, content: str = "", **fields: Any) -> Memory:
    given = {"created_at": NOW - 10 * DAY, "type": "fact", "project": PROJECT, **fields}
    return Memory(id=f"mem_{name:0>26}", content=content or f"the note {name}", **given)


def add(store: Store, *found: Memory) -> None:
    with store.memories.change(durable=True) as change:
        for one in found:
            change.add(one)


def names(found: tuple[Memory, ...]) -> set[str]:
    return {one.id.removeprefix("mem_").lstrip("0") for one in found}


def owners(store: Store, passages: tuple[tuple[int, float], ...]) -> list[str]:
    rows = store.reading.hydrate([passage for passage, _ in passages])
    return [rows[passage][0].id.removeprefix("mem_").lstrip("0") for passage, _ in passages]


def found_by(store: Store, query: str, filters: Filters | None = None) -> set[str]:
    return set(owners(store, store.reading.find_words(PROJECT, words(query), filters or Filters(), 10)))


# -- memories -------------------------------------------------------------------------------------------------------


@given(one=memories(PROJECT))
@settings(max_examples=60)
def test_a_memory_comes_back_as_it_went_in(store: Store, one: Memory) -> None:
    add(store, one)
    back = store.reading.memory(one.id)
    for field in fields(Memory):
        assert getattr(back, field.name) == getattr(one, field.name), field.name


@given(one=memories(PROJECT), other=memories(PROJECT))
@settings(max_examples=30)
def test_a_changed_memory_comes_back_as_it_was_changed(store: Store, one: Memory, other: Memory) -> None:
    add(store, one)
    changed = replace(other, id=one.id, type=one.type)
    with store.memories.change(durable=False) as change:
        change.put(changed)
        assert change.get(one.id) == changed
    assert store.reading.memory(one.id) == changed


def test_a_change_that_fails_leaves_nothing(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.memories.change(durable=True) as change:  # noqa: PT012 - one story
        change.add(memory("a"))
        raise ZeroDivisionError
    assert store.reading.memory(memory("a").id) is None
    assert not found_by(store, "note")


def test_another_opening_sees_what_was_acknowledged(store: Store, make_store: Callable[[], Store]) -> None:
    add(store, memory("a"))
    assert make_store().reading.memory(memory("a").id) == memory("a")


def test_text_that_is_no_unicode_is_refused_in_our_words(store: Store) -> None:
    with pytest.raises(InvalidInput, match="not text"):
        add(store, memory("a", "lone \ud800"))
    with pytest.raises(InvalidInput, match="not text"):
        store.reading.find_substring(PROJECT, "\udcff", Filters(), 5)


def test_history_is_kept_in_order(store: Store) -> None:
    add(store, memory("a"))
    with store.memories.change(durable=True) as change:
        change.note(memory("a").id, NOW, "flag", "odd", {"by": "Ada"})
        change.note(memory("a").id, NOW - DAY, "confirm")
    events = store.reading.events(memory("a").id)
    assert [(e.verb, e.reason, dict(e.detail), e.at) for e in events] == [
        ("flag", "odd", {"by": "Ada"}, NOW),
        ("confirm", "", {}, NOW - DAY),
    ]


def test_twins_are_found_by_text_the_believed_first(store: Store) -> None:
    add(
        store,
        memory("forgotten", "Deploy on Tuesday", forgotten_at=NOW),
        memory("said", "deploy on tuesday", type="episode"),
        memory("held", "deploy  on TUESDAY."),
    )
    twins = store.reading.twins(PROJECT, fingerprint("Deploy on Tuesday"))
    assert [t.id for t in twins] == [memory("held").id, memory("forgotten").id]
    assert store.reading.twins("elsewhere", fingerprint("Deploy on Tuesday")) == ()


def test_successors_are_those_that_supersede(store: Store) -> None:
    old = memory("old")
    add(
        store,
        old,
        memory("new", relations=(Relation("supersedes", memory=old.id),)),
        memory("kin", relations=(Relation("derived_from", memory=old.id),)),
    )
    assert names(store.reading.successors(old)) == {"new"}
    with store.memories.change(durable=False) as change:
        assert names(change.successors(old)) == {"new"}


def test_ids_are_resolved_by_their_ending_within_the_project(store: Store) -> None:
    store.projects.recognise(_identity("/other", marker="other"), "x", NOW)
    add(store, memory("abcd1234"), memory("zzzd1234"), memory("elsewhere", project="other"))
    reading = store.reading
    full = memory("abcd1234").id
    assert reading.resolve(PROJECT, full) == full
    assert reading.resolve(PROJECT, f" #{full.upper()} ") == full
    assert reading.resolve(PROJECT, "abcd1234") == full
    assert reading.resolve(PROJECT, "bcd1234") == full
    for unknown in ("d1234", "234", "nothing99", "%%%%", "____", memory("elsewhere").id, "\ud800abcdefg"):
        with pytest.raises((NotFound, InvalidInput)):
            reading.resolve(PROJECT, unknown)


def test_a_wildcard_names_nothing_even_when_there_is_one_memory(store: Store) -> None:
    add(store, memory("only"))
    for wildcard in ("%%%%", "____", "%%%%%%%%", "________"):
        with pytest.raises(NotFound):
            store.reading.resolve(PROJECT, wildcard)


# -- filters --------------------------------------------------------------------------------------------------------


FILTERED = (
    memory("plain"),
    memory("typed", type="gotcha"),
    memory("sourced", source="qa_auto"),
    memory("scoped", scope="module"),
    memory("shown", visibility="team"),
    memory("tagged", tags=("db", "ops")),
    memory("filed", files=("src/app/main.py",)),
    memory("rooted", files=("setup.py",)),
    memory("moduled", modules=("billing",)),
    memory("inside", modules=("billing/tax",)),
    memory("heard", session="s1"),
    memory("unsure", confidence=0.1),
    memory("doubtful", needs_review=True),
    memory("late", created_at=NOW - DAY),
    memory("dated", event_time=NOW - 100 * DAY),
    memory("inferred", event_time=NOW - 100 * DAY, source="observer_inferred"),
    memory("faded", confidence=0.9, half_life_days=5.0),
    memory("kept", confidence=0.9, half_life_days=5.0, pinned=True),
    memory("forgotten", forgotten_at=NOW - DAY),
    memory("superseded", valid_until=NOW - DAY),
)
ALL = names(FILTERED)
HELD = ALL - {"forgotten", "superseded"}
CASES: list[tuple[dict[str, Any], set[str]]] = [
    ({}, HELD),
    ({"types": ("gotcha",)}, {"typed"}),
    ({"types": ("gotcha", "fact")}, HELD),
    ({"sources": ("qa_auto",)}, {"sourced"}),
    ({"scopes": ("module",)}, {"scoped"}),
    ({"visibilities": ("team",)}, {"shown"}),
    ({"tags": ("ops", "nothing")}, {"tagged"}),
    ({"files": ("src/app/main.py",)}, {"filed"}),
    ({"files": ("src",)}, {"filed"}),
    ({"files": ("src/app/",)}, {"filed"}),
    ({"files": ("src/ap",)}, set()),
    ({"files": ("main.py",)}, set()),
    ({"modules": ("billing",)}, {"moduled", "inside"}),
    ({"modules": ("billing/tax/", "src")}, {"inside", "filed"}),
    ({"modules": ("src/app",)}, {"filed"}),
    ({"modules": ("src/ap",)}, set()),
    ({"modules": (".",)}, {"rooted"}),
    ({"labels": ("spec",)}, set()),
    ({"doc_types": ("semantic",)}, set()),
    ({"session": "s1"}, {"heard"}),
    ({"sessions": ("s1", "s2")}, {"heard"}),
    ({"sessions": ()}, set()),
    ({"not_session": "s1"}, HELD - {"heard"}),
    ({"min_confidence": 0.5}, HELD - {"unsure", "faded"}),
    ({"needs_review": True}, {"doubtful"}),
    ({"needs_review": False}, HELD - {"doubtful"}),
    ({"since": NOW - 2 * DAY}, {"late"}),
    ({"until": NOW - 50 * DAY}, {"dated", "inferred"}),
    ({"since": NOW - 2 * DAY, "types": ("gotcha",)}, set()),
    ({"include_forgotten": True}, ALL),
    ({"as_of": NOW - 2 * DAY}, HELD - {"late"} | {"superseded"}),
    ({"as_of": NOW - 20 * DAY}, {"inferred"}),
    ({"as_of": NOW}, HELD),
]


@pytest.mark.parametrize(("asked", "expected"), CASES, ids=[str(list(c[0])) for c in CASES])
def test_each_filter_holds_on_every_way_in(store: Store, asked: dict[str, Any], expected: set[str]) -> None:
    add(store, *FILTERED)
    filters = Filters(**asked)
    reading = store.reading
    assert names(reading.memories(PROJECT, filters)) == expected
    assert reading.count(PROJECT, filters) == len(expected)
    passages = [passage for passage, _ in reading.find_words(PROJECT, ["note"], Filters(include_forgotten=True), 50)]
    assert len(passages) == len(ALL)
    assert {f.id for f in reading.factors(PROJECT, passages, filters)} == {memory(name).id for name in expected}
    found = reading.find_substring(PROJECT, "THE NOTE", filters, 50)
    assert set(owners(store, tuple((passage, 1.0) for passage in found))) == expected
    # What the indexes find may still hold what is no longer believed; the rows have the last word.
    for bm25 in (True, False):
        worded = [passage for passage, _ in reading.find_words(PROJECT, ["note"], filters, 50, bm25=bm25)]
        assert {f.id for f in reading.factors(PROJECT, worded, filters)} == {memory(name).id for name in expected}


def test_every_filter_is_tried() -> None:
    assert {name for asked, _ in CASES for name in asked} == {field.name for field in fields(Filters)}


@pytest.mark.parametrize("at", [NOW - 200 * DAY, NOW - 20 * DAY, NOW - 5 * DAY, NOW - 2 * DAY, NOW])
def test_as_of_agrees_with_the_memory_itself(store: Store, at: datetime) -> None:
    add(store, *FILTERED)
    believed = {one.id for one in FILTERED if one.believed(at)}
    assert {one.id for one in store.reading.memories(PROJECT, Filters(as_of=at))} == believed


def test_projects_do_not_see_each_other(store: Store) -> None:
    store.projects.recognise(_identity("/other", marker="other"), "x", NOW)
    add(store, memory("mine"), memory("theirs", project="other"))
    assert found_by(store, "note") == {"mine"}
    assert names(store.reading.memories("other", Filters())) == {"theirs"}
    for bm25 in (True, False):
        passages = [p for p, _ in store.reading.find_words("other", ["note"], Filters(), 5, bm25=bm25)]
        assert len(passages) == 1
        assert store.reading.factors(PROJECT, passages, Filters()) == ()


def test_order_limit_and_offset(store: Store) -> None:
    add(
        store,
        memory("a", created_at=NOW - 3 * DAY, confidence=0.9, access_count=1),
        memory("b", created_at=NOW - 2 * DAY, confidence=0.2, access_count=9),
        memory("c", created_at=NOW - 1 * DAY, confidence=0.5, access_count=5),
    )

    def order(by: str, **more: int) -> str:
        return "".join(m.id[-1] for m in store.reading.memories(PROJECT, Filters(), order=by, **more))

    assert (order("newest"), order("oldest"), order("confidence"), order("used")) == ("cba", "abc", "acb", "bca")
    assert order("newest", limit=1, offset=1) == "b"


_ORDERS = {
    "newest": lambda one: (one.created_at, one.id),
    "oldest": lambda one: (one.created_at, one.id),
    "confidence": lambda one: (one.confidence, one.created_at, one.id),
    "used": lambda one: (one.access_count, one.created_at, one.id),
}


@pytest.mark.parametrize("order", _ORDERS)
@pytest.mark.parametrize("types", [(), ("fact",), ("fact", "decision"), ("episode", "fact")])
def test_the_pages_of_a_list_hold_all_of_it_in_order(store: Store, order: str, types: tuple[str, ...]) -> None:
    own, person = PROJECT, store.projects.person(PROJECT)
    many = [
        memory(
            f"n{number:02d}",
            project=person if number % 5 == 0 else own,
            type="fact" if number % 5 == 0 else ("episode", "decision", "fact")[number % 3],
            created_at=NOW - (number % 4) * DAY,
            confidence=number % 6 / 10,
            access_count=number % 9,
        )
        for number in range(40)
    ]
    add(store, *many)
    wanted = sorted((one for one in many if not types or one.type in types), key=_ORDERS[order])
    expected = wanted if order == "oldest" else wanted[::-1]
    filters = Filters(types=types)
    pages = [store.reading.memories(own, filters, order=order, limit=7, offset=at) for at in range(0, 42, 7)]
    assert [one for page in pages for one in page] == expected
    assert store.reading.memories(own, filters, order=order, limit=-1) == tuple(expected)


def test_each_memory_is_read_once_by_age(store: Store) -> None:
    person = store.projects.person(PROJECT)
    own = [memory(f"n{number:04d}", created_at=NOW - (number % 2) * DAY) for number in range(1_050)]
    add(store, *own, memory("mine", project=person), memory("gone", forgotten_at=NOW), memory("said", type="episode"))
    found = list(store.reading.each(PROJECT, Filters()))
    assert found[:-1] == sorted(own, key=_ORDERS["oldest"])
    assert found[-1].id == memory("mine").id
    assert store.reading.forgotten_texts(PROJECT) == ("the note gone",)
    assert [one.type for one in store.reading.each(PROJECT, Filters(types=("decision",)))] == []


def test_what_was_imported_is_found_by_its_keys_whatever_became_of_it(store: Store) -> None:
    store.projects.recognise(_identity("/other", marker="other"), "x", NOW)
    add(
        store,
        memory("a", source_ids=("import:1",)),
        memory("b", source_ids=("epi_1", "import:2"), forgotten_at=NOW),
        memory("c", source_ids=("epi_3",)),
        memory("d", source_ids=("import:4",), project="other"),
    )
    keys = ["import:1", "import:2", "import:4", "import:5", "epi_3"]
    assert store.reading.imported(PROJECT, keys) == {"import:1", "import:2"}
    assert store.reading.imported(PROJECT, []) == frozenset()


def test_counting_ends_at_a_limit(store: Store) -> None:
    add(store, *(memory(f"n{number}") for number in range(5)))
    assert [store.reading.count(PROJECT, Filters(), most) for most in (-1, 3, 9)] == [5, 3, 5]


# -- words ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("call getUserName before render", ["getUserName", "getusername", "user name", "GetUserName()"]),
        ("set max_page_count first", ["max_page_count", "page count", "maxPageCount"]),
        ("see src/store/database.py", ["src/store/database.py", "database.py", "store database"]),
        ("parse HTTPServer replies", ["HTTPServer", "http server"]),
        ("数据库连接在重启后丢失", ["数据库", "连接", "重启后"]),
        ("データベースの接続", ["データベース", "接続"]),
        ("데이터베이스 연결", ["데이터베이스", "연결"]),
        ("the café closes early", ["cafe", "CAFÉ", "closing"]),
        ("don't deploy on Friday", ["don't deploy", "deployed fridays"]),
        ("use port 8080 for C++ builds", ["8080", "port"]),
    ],
)
def test_words_identifiers_paths_and_cjk_are_found(store: Store, text: str, queries: list[str]) -> None:
    add(store, memory("it", text), memory("other", "something else entirely"))
    for query in queries:
        assert found_by(store, query) == {"it"}, query


def test_tags_and_files_are_found_by_words(store: Store) -> None:
    add(store, memory("it", "short", tags=("releaseTrain",), files=("src/billingPage.ts",)))
    assert found_by(store, "release") == found_by(store, "billing") == found_by(store, "releaseTrain") == {"it"}


def test_the_better_match_comes_first_with_the_higher_score(store: Store) -> None:
    add(store, memory("weak", "cache " + "filler " * 40), memory("strong", "cache eviction of the cache"))
    found = store.reading.find_words(PROJECT, ["cache", "eviction"], Filters(), 10)
    assert owners(store, found) == ["strong", "weak"]
    assert found[0][1] > found[1][1] > 0


def test_without_bm25_the_rarer_words_come_first_and_then_the_newest(store: Store) -> None:
    texts = {"old": "cache", "new": "cache " * 3, "rare": "eviction " + "filler " * 40, "both": "a cache and eviction"}
    add(store, *(memory(name, text) for name, text in texts.items()))
    found = store.reading.find_words(PROJECT, ["cache", "eviction"], Filters(), 10, bm25=False)
    assert owners(store, found) == ["both", "rare", "new", "old"]
    scores = [score for _, score in found]
    assert scores[0] > scores[1] > scores[2] == scores[3] > 0
    assert len(store.reading.find_words(PROJECT, ["cache", "eviction"], Filters(), 2, bm25=False)) == 2


@pytest.mark.parametrize("odd", ['"', "a OR b", "NEAR(a b)", "*", "a:b", "^", "'; drop table memories; --", "()", "-"])
def test_no_query_is_taken_for_syntax(store: Store, odd: str) -> None:
    add(store, memory("it", "plain words"))
    assert store.reading.find_words(PROJECT, words(odd), Filters(), 5) == ()
    assert store.reading.find_words(PROJECT, [odd], Filters(), 5) == ()
    assert store.reading.find_words(PROJECT, [odd], Filters(), 5, bm25=False) == ()
    assert store.reading.find_substring(PROJECT, odd, Filters(), 5) == ()


def test_substring_finds_what_words_cannot_and_nothing_by_wildcard(store: Store) -> None:
    add(store, memory("it", "error E_99%x at start"))
    assert len(store.reading.find_substring(PROJECT, "_99%X", Filters(), 5)) == 1
    assert store.reading.find_substring(PROJECT, "e%start", Filters(), 5) == ()


def test_a_passage_follows_text_tags_and_files(store: Store) -> None:
    first = memory("it", "alpha words", tags=("red",), files=("one.py",))
    add(store, first)
    store.memories.put_vectors(_vectors(store, np.ones((1, 4))))
    with store.memories.change(durable=False) as change:
        change.put(replace(first, content="beta words", tags=("blue",), files=("two/three.py",)))
    assert [bool(found_by(store, w)) for w in ("alpha", "red", "one", "beta", "blue", "three")] == [False] * 3 + [
        True
    ] * 3
    assert names(store.reading.memories(PROJECT, Filters(files=("two",)))) == {"it"}
    assert store.reading.count(PROJECT, Filters(files=("one.py",))) == 0
    assert store.reading.count_pending("m") == 1


def test_a_passage_keeps_its_vector_when_only_trust_changes(store: Store) -> None:
    add(store, memory("it"))
    store.memories.put_vectors(_vectors(store, np.ones((1, 4))))
    with store.memories.change(durable=False) as change:
        change.put(replace(memory("it"), pinned=True, confidence=0.2))
    assert store.reading.count_pending("m") == 0


# -- vectors --------------------------------------------------------------------------------------------------------


def _vectors(store: Store, matrix: Any, embedder: str = "m") -> dict[int, Embedding]:
    waiting = sorted(store.reading.pending(embedder, 1000), key=lambda w: w.memory)
    rows = np.asarray(matrix, np.float16)
    return {w.passage: Embedding(embedder, rows.shape[1], row.tobytes()) for w, row in zip(waiting, rows, strict=True)}


def _unit(rows: int, seed: int = 7) -> Any:
    matrix = np.random.default_rng(seed).normal(size=(rows, 32))
    return (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float16)


def test_nearest_equals_brute_force(store: Store) -> None:
    add(store, *(memory(f"n{i:04d}", tags=("even",) if i % 2 == 0 else ()) for i in range(300)))
    matrix = _unit(300)
    store.memories.put_vectors(_vectors(store, matrix))
    asked = _unit(1, seed=8)[0].astype(np.float32)
    scores = matrix.astype(np.float32) @ asked
    best = [f"n{i:04d}" for i in np.argsort(-scores)]
    found = store.reading.find_near(PROJECT, "m", asked, Filters(), 10)
    assert owners(store, found)[:10] == best[:10]
    assert [score for _, score in found][:10] == pytest.approx(sorted(scores, reverse=True)[:10], abs=1e-5)
    everything = store.reading.find_near(PROJECT, "m", asked, Filters(include_forgotten=True), 10)
    assert owners(store, everything) == best[:10]
    even = store.reading.find_near(PROJECT, "m", asked, Filters(tags=("even",)), 10)
    assert owners(store, even) == [name for name in best if int(name[1:]) % 2 == 0][:10]


def test_a_later_vector_and_a_later_opening_are_seen(store: Store, make_store: Callable[[], Store]) -> None:
    other = make_store()
    add(store, memory("a"))
    store.memories.put_vectors(_vectors(store, [[1, 0]]))
    east, north = np.array([1, 0], np.float32), np.array([0, 1], np.float32)
    assert other.reading.find_near(PROJECT, "m", east, Filters(), 5)[0][1] == pytest.approx(1)
    passage = store.reading.find_near(PROJECT, "m", east, Filters(), 5)[0][0]
    store.memories.put_vectors({passage: Embedding("m", 2, np.array([0, 1], np.float16).tobytes())})
    [(found, score)] = other.reading.find_near(PROJECT, "m", north, Filters(), 5)
    assert found == passage
    assert score == pytest.approx(1)


def test_models_do_not_mix(store: Store) -> None:
    add(store, memory("a"), memory("b"))
    store.memories.put_vectors(_vectors(store, [[1, 0], [0, 1]]))
    assert store.reading.has_vectors("m")
    assert not store.reading.has_vectors("other")
    assert store.reading.find_near(PROJECT, "other", np.ones(3, np.float32), Filters(), 5) == ()
    assert store.reading.count_pending("other") == 2
    assert store.reading.any_pending("other")
    store.memories.put_vectors(_vectors(store, [[1, 0, 0], [0, 0, 1]], "other"))
    found = store.reading.find_near(PROJECT, "other", np.array([0, 0, 1], np.float32), Filters(), 5)
    assert owners(store, found)[0] == "b"
    assert store.memories.drop_vectors_except("unknown") == 0
    assert store.memories.drop_vectors_except("other") == 2
    assert not store.reading.has_vectors("m")
    assert not store.reading.any_pending("other")


def test_waiting_is_ordered_by_worth_newest_first(store: Store) -> None:
    add(store, memory("a"), memory("said", type="episode"), memory("b"))
    assert [w.memory[-1] for w in store.reading.pending("m", 10)] == ["b", "a", "d"]
    assert len(store.reading.pending("m", 1)) == 1


def test_a_vector_for_a_passage_that_is_gone_is_passed_over(store: Store) -> None:
    store.memories.put_vectors({999: Embedding("m", 2, bytes(4))})
    assert store.reading.totals()["vectors"] == 0


def test_a_vector_of_an_older_text_is_passed_over(store: Store) -> None:
    add(store, memory("a", files=("one.py",)))
    (waiting,) = store.reading.pending("m", 5)
    with store.memories.change(durable=False) as change:
        change.put(memory("a", files=("two.py",)))
    store.memories.put_vectors({waiting.passage: Embedding("m", 2, bytes(4), waiting.said)})
    (again,) = store.reading.pending("m", 5)
    store.memories.put_vectors({again.passage: Embedding("m", 2, bytes(4), again.said)})
    assert store.reading.count_pending("m") == 0


def test_a_vector_may_come_with_the_memory(store: Store) -> None:
    with store.memories.change(durable=True) as change:
        change.add(memory("a"), Embedding("m", 2, np.array([1, 0], np.float16).tobytes()))
    assert store.reading.count_pending("m") == 0


def test_words_are_found_in_the_same_places_once_vectors_are_held(store: Store) -> None:
    store.projects.recognise(_identity("/other", marker="other"), "x", NOW)
    add(store, memory("fact"), memory("gotcha", type="gotcha"), memory("said", type="episode"), memory("old"))
    add(store, *(memory(f"theirs {number}", project="other") for number in range(8)))
    asked = (Filters(), Filters(types=("gotcha",)), Filters(types=("episode", "fact")), Filters(include_forgotten=True))

    def found() -> list[Any]:
        each = [store.reading.find_words(PROJECT, ["note"], filters, 4, bm25=False) for filters in asked]
        return [sorted(owners(store, one)) for one in each]

    before = found()
    assert before[:3] == [["fact", "gotcha", "old", "said"], ["gotcha"], ["fact", "old", "said"]]
    store.memories.put_vectors(_vectors(store, _unit(12)))
    store.reading.find_near(PROJECT, "m", _unit(1)[0].astype(np.float32), Filters(), 5)
    assert found() == before
    with store.memories.change(durable=True) as change:
        change.put(memory("old", forgotten_at=NOW))
    add(store, memory("new"))
    assert found()[:2] == [["fact", "gotcha", "new", "said"], ["gotcha"]]


def test_messages_are_near_unless_other_types_are_asked_for(store: Store) -> None:
    add(store, memory("said", type="episode"))
    store.memories.put_vectors(_vectors(store, [[1, 0]]))
    east = np.array([1, 0], np.float32)
    assert store.reading.find_near(PROJECT, "m", east, Filters(types=("fact",)), 5) == ()
    assert len(store.reading.find_near(PROJECT, "m", east, Filters(), 5)) == 1
    assert len(store.reading.find_near(PROJECT, "m", east, Filters(types=("episode",)), 5)) == 1


@pytest.mark.parametrize("counted", [False, True])
def test_messages_have_neighbours_in_their_session(store: Store, counted: bool) -> None:
    def said(id: str, session: str) -> Memory:
        return memory(id, f"message {id}", type="episode", session=session)

    store.episodes.add_episodes([said("a1", "a"), said("a2", "a")], "build")
    store.episodes.add_episodes([said("b1", "b"), said("b2", "b"), said("b3", "b")], "build")
    add(store, memory("note"))
    store.episodes.add_episodes([said("a3", "a")], "build")
    if counted:
        store.memories.count_words(lambda: True)
    found = store.reading.find_words(PROJECT, ["message"], Filters(), 20)
    names = {passage: owners(store, ((passage, score),))[0] for passage, score in found}
    neighbours = store.reading.adjacent_messages([*names, 999])
    named = {
        names[passage]: tuple(names[beside] if beside else None for beside in pair)
        for passage, pair in neighbours.items()
    }
    assert named == {
        "a1": (None, "a2"), "a2": ("a1", "a3"), "a3": ("a2", None),
        "b1": (None, "b2"), "b2": ("b1", "b3"), "b3": ("b2", None),
    }  # fmt: skip


def test_a_learned_memory_names_its_messages(store: Store) -> None:
    add(store, memory("fact", source_ids=("m1", "m2")), memory("taught"))
    add(store, memory("week", type="reflection", source_ids=("m1",)), memory("said", type="episode"))
    found = store.reading.find_words(PROJECT, ["note"], Filters(), 9)
    sources = store.reading.sources_of([passage for passage, _ in found])
    assert [(owners(store, ((passage, 1.0),))[0], ids) for passage, ids in sources.items()] == [("fact", ("m1", "m2"))]


# -- sessions, usage, cache, leases ---------------------------------------------------------------------------------


def test_episodes_come_back_in_the_order_they_were_said(store: Store) -> None:
    said = [memory(f"e{i}", f"word {i}", type="episode", session="s", created_at=NOW) for i in range(5)]
    store.episodes.add_episodes(said[:3], "build")
    store.episodes.add_episodes(said[3:], "build")
    assert store.reading.episodes(PROJECT, "s") == tuple(said)
    assert store.reading.episodes(PROJECT, "s", limit=2, offset=1) == tuple(said[1:3])
    assert store.reading.episodes(PROJECT, "other") == ()
    assert found_by(store, "word", Filters(types=("episode",))) == {f"e{i}" for i in range(5)}


def test_usage_counts_each_and_the_first_five_together(store: Store) -> None:
    found = [memory(name) for name in "abcdef"]
    add(store, *found)
    ids = [one.id for one in found]
    assert store.usage.found(PROJECT, [ids], NOW)
    assert store.usage.found(PROJECT, [ids[:2]], NOW + DAY)
    first, last = store.reading.memory(ids[0]), store.reading.memory(ids[5])
    assert first is not None
    assert last is not None
    assert (first.access_count, first.last_accessed_at) == (2, NOW + DAY)
    assert last.access_count == 1
    passages = [passage for passage, _ in sorted(store.reading.find_words(PROJECT, ["note"], Filters(), 10))]
    together = store.reading.found_with(PROJECT, passages[:1], Filters(), 10, at_least=1)
    assert dict(together) == {passages[1]: 2, passages[2]: 1, passages[3]: 1, passages[4]: 1}
    assert store.reading.found_with(PROJECT, passages[5:], Filters(), 10, at_least=1) == ()


def test_a_count_of_use_is_left_out_while_another_writes(store: Store, make_store: Callable[[], Store]) -> None:
    add(store, memory("a"))
    other = make_store()
    with store.memories.change(durable=False):
        assert other.usage.found(PROJECT, [[memory("a").id]], NOW) is False
    assert other.usage.found(PROJECT, [[memory("a").id]], NOW) is True


def test_what_a_session_was_given_is_known_to_every_process(store: Store, make_store: Callable[[], Store]) -> None:
    assert store.usage.supply(PROJECT, "s", ["a", "b"], NOW)
    assert store.usage.supply(PROJECT, "s", ["b", "c"], NOW)
    assert make_store().usage.supplied(PROJECT, "s") == {"a", "b", "c"}
    assert store.usage.supplied(PROJECT, "other") == frozenset()
    assert store.usage.supplied("elsewhere", "s") == frozenset()


def test_what_a_session_was_given_expires_and_is_limited(store: Store) -> None:
    store.usage.supply(PROJECT, "old", ["a"], NOW)
    store.usage.supply(PROJECT, "s", [f"id{n}" for n in range(900)], NOW + 29 * DAY)
    assert store.usage.supplied(PROJECT, "old") == {"a"}
    store.usage.supply(PROJECT, "s", [f"new{n}" for n in range(900)], NOW + 31 * DAY)
    assert store.usage.supplied(PROJECT, "old") == frozenset()
    known = store.usage.supplied(PROJECT, "s")
    assert (len(known), len([id for id in known if id.startswith("new")])) == (1000, 900)


def test_what_is_given_while_another_writes_is_not_recorded(store: Store, make_store: Callable[[], Store]) -> None:
    other = make_store()
    with store.memories.change(durable=False):
        assert other.usage.supply(PROJECT, "s", ["a"], NOW) is False
    assert store.usage.supplied(PROJECT, "s") == frozenset()


def test_standing_memories_are_pinned_or_of_the_types_and_need_no_review(store: Store) -> None:
    add(
        store,
        memory("rule", type="preference"),
        memory("sure", type="preference", confidence=0.95),
        memory("pinned", pinned=True),
        memory("fact"),
        memory("said", type="episode", pinned=True),
        memory("flagged", type="preference", needs_review=True),
        memory("local", type="preference", scope="session"),
        memory("mine", type="preference", session="me"),
        memory("gone", type="preference", forgotten_at=NOW),
    )

    def found(**how: Any) -> list[str]:
        standing = store.reading.standing_memories(PROJECT, ["preference"], **how)
        return [one.content.removeprefix("the note ") for one in standing]

    assert found(not_session="me") == ["pinned", "sure", "rule"]
    assert set(found()) == {"pinned", "sure", "rule", "mine"}
    assert found(limit=1) == ["pinned"]


def test_the_cache_keeps_a_week(store: Store, clock: FixedClock) -> None:
    cache = store.cache("m")
    cache.put({"a": b"12", "b": b"34"})
    assert cache.get(["a", "b", "c"]) == {"a": b"12", "b": b"34"}
    clock.advance(6 * 86_400)
    cache.put({"b": b"56"})
    clock.advance(86_400)
    assert cache.get(["a", "b"]) == {"b": b"56"}
    assert (cache.evict(), cache.evict()) == (1, 0)
    assert store.reading.totals()["cached"] == 1


def _lease(store: Store) -> Lease:
    lease = store.reading.lease("work")
    assert lease is not None
    return lease


def test_a_lease_is_held_by_one(store: Store, clock: FixedClock) -> None:
    jobs = store.jobs
    assert store.reading.lease("work") is None
    assert jobs.take("work", "ada", 30)
    assert not jobs.take("work", "bob", 30)
    assert jobs.take("other", "bob", 30)
    assert jobs.take("work", "ada", 30)
    assert jobs.keep("work", "ada", 30, {"done": 3})
    assert dict(_lease(store).progress) == {"done": 3}
    clock.advance(29)
    assert not jobs.take("work", "bob", 30)
    clock.advance(1)
    assert jobs.take("work", "bob", 30)
    assert dict(_lease(store).progress) == {}
    assert not jobs.keep("work", "ada", 30, {})
    jobs.free("work", "ada")
    assert _lease(store).holder == "bob"
    jobs.free("work", "bob")
    assert store.reading.lease("work") is None


def test_jobs_are_recorded_newest_first(store: Store) -> None:
    store.jobs.record("embed", NOW, NOW, "ok", {"n": 1})
    store.jobs.record("evict", NOW, NOW, "ok", {"n": 2})
    assert [(run.name, run.detail) for run in store.reading.job_runs()] == [
        ("evict", {"n": 2}),
        ("embed", {"n": 1}),
    ]
    assert len(store.reading.job_runs(1)) == 1


def test_counts_tell_each_state(store: Store) -> None:
    add(store, *FILTERED)
    by_type = {count.type: count for count in store.reading.count_by_type(PROJECT)}
    fact = by_type["fact"]
    assert (fact.total, fact.believed, fact.forgotten, fact.superseded, fact.to_review) == (19, 17, 1, 1, 1)
    assert fact.newest == NOW - DAY
    rest = {"messages": 0, "vectors": 0, "projects": 1, "cached": 0, "documents": 0, "chunks": 0}
    assert store.reading.totals() == {"memories": 20, "passages": 20, **rest}


def test_an_export_holds_everything_of_one_project(store: Store) -> None:
    add(store, *FILTERED)
    with store.memories.change(durable=True) as change:
        change.note(FILTERED[0].id, NOW, "flag", "odd", {"by": "Ada"})
    with store.transfer.start_export(PROJECT) as exported:
        assert tuple(exported.memories) == tuple(exported.memories) == FILTERED
        flagged = [(event["memory_id"], event["verb"], event["detail"]) for event in exported.events]
    assert flagged == [(FILTERED[0].id, "flag", {"by": "Ada"})]
    with store.transfer.start_export("elsewhere") as exported:
        assert [*exported.memories, *exported.events, *exported.sessions, *exported.history] == []
        assert [*exported.entities, *exported.merges] == []


def _identity(root: str, marker: str | None = None) -> Any:
    from holdfast.system.project import ProjectIdentity

    return ProjectIdentity(root, root.strip("/"), None, None, marker)


def test_what_became_of_given_memories_is_stored_by_session(store: Store) -> None:
    uses = (MemoryUse("b", NOW, "prompt", "used", "cited"), MemoryUse("a", NOW + DAY, "after-tool", "ignored"))
    store.usage.record_uses(PROJECT, "s", uses)
    assert store.usage.uses(PROJECT, "s") == uses
    assert store.usage.uses(PROJECT, "other") == ()
    changed = MemoryUse("b", NOW, "prompt", "contradicted", "flag")
    store.usage.record_uses(PROJECT, "s", [changed])
    assert store.usage.uses(PROJECT, "s") == (changed, uses[1])
