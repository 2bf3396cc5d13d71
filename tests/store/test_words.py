"""What every engine must do with words: rare ones rank first, common ones help only if those find too little."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from holdfast.core.answer import Filters
from holdfast.core.ids import Ids
from holdfast.core.memory import Memory
from holdfast.store import word_planning
from holdfast.store.protocol import Store
from holdfast.system.project import ProjectIdentity
from tests.store.conftest import NOW, PROJECT, passages_by_owner
from tests.store.test_documents import chunks, document

COMMON = ("tea", "cake", "hall")


def fill(store: Store, texts: list[str], project: str = PROJECT, kind: str = "fact") -> list[int]:
    memories = [Memory(Ids().new(), kind, text, project, NOW) for text in texts]
    with store.memories.change(durable=False) as change:
        for memory in memories:
            change.add(memory)
    known = passages_by_owner(store, project)
    return [known[memory.id] for memory in memories]


def found(store: Store, words: tuple[str, ...], *, effort: int = 10, limit: int = 5, **filters: Any) -> list[int]:
    return [p for p, _ in store.reading.find_words(PROJECT, words, Filters(**filters), limit, effort=effort)]


def crowd(number: int) -> str:
    """A text with some of the common words: every second, third or fifth text contains each."""
    return " ".join(["note", *(word for word, step in zip(COMMON, (2, 3, 5), strict=True) if number % step == 0)])


def test_a_rare_word_leads(store: Store) -> None:
    fill(store, [crowd(number) for number in range(60)])
    (rare,) = fill(store, ["kettle and tea"])

    assert found(store, ("kettle", "tea", "cake"))[0] == rare


def test_common_words_alone_find_where_they_stand_together(store: Store) -> None:
    passages = fill(store, [crowd(number) for number in range(300)])
    together = {passages[number] for number in range(0, 300, 30)}

    assert set(found(store, COMMON, limit=10)) == together


def test_when_scoring_would_cost_too_much_the_newest_are_taken(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_planning, "_POSTINGS", 0)
    passages = fill(store, [crowd(number) for number in range(300)])

    assert sorted(found(store, COMMON, limit=3)) == [passages[number] for number in (210, 240, 270)]


def test_a_rare_word_that_stands_almost_nowhere_leaves_room_for_the_common_ones(store: Store) -> None:
    fill(store, [crowd(number) for number in range(60)])
    (rare,) = fill(store, ["kettle"])

    both = found(store, ("kettle", *COMMON))

    assert rare in both
    assert len(both) > 1


def test_common_words_are_found_within_a_filter_too(store: Store) -> None:
    fill(store, [crowd(number) for number in range(60)])
    gotchas = fill(store, [crowd(0), crowd(0)], kind="gotcha")

    assert set(found(store, COMMON, types=("gotcha",))) == set(gotchas)
    assert set(found(store, COMMON, types=("gotcha",), min_confidence=0.5)) == set(gotchas)


def test_a_small_project_beside_a_large_one_is_searched_in_full(store: Store) -> None:
    store.projects.recognise(ProjectIdentity("/other", "other", None, None, "other"), "unused", NOW)
    mine = fill(store, ["tea among other words of this kind"] * 3)
    fill(store, ["tea"] * 200, project="other")

    for _ in range(2):
        assert set(found(store, ("tea",), effort=1_000)) == set(mine)


def test_frequencies_are_exact_while_small_and_estimated_beyond(
    store: Store, make_store: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, [crowd(number) for number in range(200)])

    assert store.reading.frequencies(("tea", "cake", "nothing")) == {"tea": 100, "cake": 67, "nothing": 0}

    monkeypatch.setattr(word_planning, "COUNTED", 20)
    assert make_store().reading.frequencies(("tea",))["tea"] == pytest.approx(100, abs=5)


def test_a_word_counted_too_early_is_counted_again(store: Store) -> None:
    assert store.reading.frequencies(("tea",)) == {"tea": 0}
    fill(store, ["tea"])
    assert store.reading.frequencies(("tea",)) == {"tea": 1}


def test_the_number_of_passages_is_known_without_counting(store: Store) -> None:
    assert store.reading.passages_count() == 0
    fill(store, [crowd(number) for number in range(200)])
    assert store.reading.passages_count() == 200
    store.documents.put(document("a.md"), chunks("Steep it", "Pour it"))
    assert store.reading.passages_count() == 202
    store.documents.remove(PROJECT, "a.md")
    assert store.reading.passages_count() == 200
    store.health.repair()
    assert store.reading.passages_count() == 200


def test_a_passage_with_a_variant_contains_the_word(store: Store) -> None:
    deployments, tea, requests = fill(store, ["deployments at noon", "tea at noon", "many pull requests"])
    variants = {"deploy": ("deployment",), "pr": ("pull request",)}

    assert store.reading.frequencies(("deploy", "tea"), variants) == {"deploy": 1, "tea": 1}
    for bm25 in (True, False):
        ranked = store.reading.find_words(PROJECT, ("deploy", "pr", "tea"), Filters(), 5, bm25=bm25, variants=variants)
        assert {passage for passage, _ in ranked} == {deployments, tea, requests}


def test_families_are_the_known_words_of_a_stem(store: Store) -> None:
    fill(store, ["deployments and deployers", "tea for the deprecated team"])
    store.memories.count_words(lambda: True)

    assert store.reading.families(("deploy", "tea", "kettle")) == {"deploy": ("deployers", "deployments")}
    assert store.reading.families(("deprecation",)) == {"deprecation": ("deprecated",)}

    fill(store, ["a deployable kettle"])
    store.memories.count_words(lambda: True)
    assert store.reading.families(("deploy",)) == {"deploy": ("deployers", "deployable", "deployments")}
