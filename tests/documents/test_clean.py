"""Cleaning: what is said again and what nobody looks for goes, stays away, and comes back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast.core.clock import FixedClock
from holdfast.core.ids import Ids
from holdfast.core.project import ProjectIdentity
from holdfast.documents.clean import ALIKE, CleanPlan, DocumentCleaner
from holdfast.store.sqlite.store import SqliteStore
from holdfast.store.writing.links import GraphNode
from holdfast.store.writing.memories import Embedding
from tests.store.conftest import NOW, PROJECT
from tests.store.test_documents import chunks, document, found

DAY = timedelta(days=1)
TEA = "The tea in the pot must steep for a while before anybody pours it"
ALSO_TEA = "The tea in the pot must steep for a while before anyone pours it"
COAL = "Coal for the stove is kept behind the shed"


class House:
    """A store whose vectors are given by hand: texts that begin alike point alike."""

    def __init__(self, path: Path) -> None:
        self.clock = FixedClock(NOW)
        self.store = SqliteStore(str(path), now=self.clock.now, ids=Ids())
        self.store.projects.recognise(ProjectIdentity("/house", "house", None, None, PROJECT), "unused", NOW)

    @property
    def cleaning(self) -> DocumentCleaner:
        return DocumentCleaner(self.store.cleaning, self.store.reading, Ids(), self.clock.now, PROJECT, "m")

    def put(self, path: str, *texts: str, age: int = 0) -> str:
        one = document(path, hash="|".join(texts), modified=NOW - age * DAY, indexed_at=self.clock.now())
        report = self.store.documents.put(one, chunks(*texts, path=path))
        for waiting in self.store.reading.waiting("m", 100):
            angle = 0.1 * ("anyone" in waiting.said) + sum(map(ord, waiting.said[:3]))
            vector = np.array([np.cos(angle), np.sin(angle)], np.float16).tobytes()
            self.store.memories.put_vectors({waiting.passage: Embedding("m", 2, vector)})
        return report.document.id

    def texts(self) -> dict[str, list[str]]:
        """What each document in sight says."""
        said: dict[str, list[str]] = {}
        for _, chunk, of in self.store.cleaning.chunks(PROJECT):
            said.setdefault(of.path, []).append(chunk.text)
        return said


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path / "memory.db")
    yield made
    made.store.close()


def test_what_a_newer_document_says_again_goes(house: House) -> None:
    house.put("old.md", TEA, COAL, age=5)
    house.put("new.md", ALSO_TEA, age=1)
    plan = house.cleaning.plan()
    [twin] = plan.duplicates
    assert (twin.place, twin.kept_place) == ("old.md:1-2", "new.md:1-2")
    assert ALIKE <= twin.alike <= 1
    assert house.texts() == {"new.md": [ALSO_TEA], "old.md": [TEA, COAL]}
    assert house.cleaning.apply(plan).applied
    assert house.texts() == {"new.md": [ALSO_TEA], "old.md": [COAL]}
    assert found(house.store, "steep") == {ALSO_TEA}
    assert house.cleaning.plan().duplicates == ()


def test_a_successor_stays_whatever_the_times_of_the_files(house: House) -> None:
    old = house.put("old.md", TEA)
    house.put("new.md", TEA, age=5)
    house.store.links.settle([], [GraphNode(old, "old.md", 0.5, "new.md")])
    [twin] = house.cleaning.plan().duplicates
    assert (twin.place, twin.kept_place) == ("old.md:1-2", "new.md:1-2")


def test_another_number_or_the_opposite_is_no_duplicate(house: House) -> None:
    house.put("old.md", "The kettle in the kitchen must whistle for 30 seconds", age=5)
    house.put("new.md", "The kettle in the kitchen must whistle for 60 seconds")
    house.put("newer.md", "The kettle in the kitchen must not whistle for 60 seconds")
    assert house.cleaning.plan().duplicates == ()


def test_a_document_that_repeats_itself_is_left_alone(house: House) -> None:
    house.put("a.md", TEA, TEA, TEA)
    assert house.cleaning.plan().duplicates == ()


def test_without_vectors_nothing_is_compared(house: House) -> None:
    house.store.documents.put(document("a.md"), chunks(TEA, path="a.md"))
    house.store.documents.put(document("b.md"), chunks(TEA, path="b.md"))
    plan = house.cleaning.plan()
    assert (plan.duplicates, plan.compared, plan.chunks) == ((), 0, 2)


def test_what_was_taken_out_stays_out_while_it_says_the_same(house: House) -> None:
    house.put("old.md", TEA, COAL, age=5)
    house.put("new.md", TEA)
    house.cleaning.apply(house.cleaning.plan())
    assert house.texts()["old.md"] == [COAL]
    house.put("old.md", TEA, COAL, "One more", age=5)
    assert house.texts()["old.md"] == [COAL, "One more"]
    house.store.documents.remove(PROJECT, "old.md")
    house.put("old.md", TEA, age=5)
    assert "old.md" not in house.texts()
    house.put("old.md", COAL, age=5)
    house.put("old.md", TEA, age=5)
    assert house.texts()["old.md"] == [TEA]


def test_it_comes_back_when_nobody_else_says_it_any_more(house: House) -> None:
    house.put("old.md", TEA, COAL, age=5)
    house.put("new.md", TEA)
    house.cleaning.apply(house.cleaning.plan())
    house.put("new.md", "Something else")
    assert house.texts() == {"new.md": ["Something else"], "old.md": [TEA, COAL]}
    assert house.cleaning.undo() is None


def test_a_document_that_nobody_found_in_a_month_is_put_out_of_sight(house: House) -> None:
    used, unused = house.put("used.md", TEA), house.put("unused.md", COAL)
    house.store.usage.found(PROJECT, [[used]], NOW)
    house.clock.advance(31 * 86_400)
    house.put("young.md", "Young")
    [faded] = house.cleaning.plan().faded
    assert (faded.id, faded.path, faded.since) == (unused, "unused.md", NOW)
    assert faded.confidence == pytest.approx(0.1)
    house.cleaning.apply(house.cleaning.plan())
    assert set(house.texts()) == {"used.md", "young.md"}
    assert found(house.store, "coal") == set()
    house.put("unused.md", COAL)
    assert "unused.md" not in house.texts()
    house.put("unused.md", COAL, "And wood")
    assert house.texts()["unused.md"] == [COAL, "And wood"]


@pytest.mark.parametrize(("days", "gone"), [(13, 0), (29, 0), (30.1, 1)])
def test_only_what_is_old_goes(house: House, days: float, gone: int) -> None:
    house.put("a.md", TEA)
    house.clock.advance(days * 86_400)
    assert len(house.cleaning.plan().faded) == gone


def test_a_run_can_be_undone_and_the_one_before_it_too(house: House) -> None:
    house.put("old.md", TEA, COAL, age=5)
    house.put("new.md", TEA)
    before = house.texts()
    house.cleaning.apply(house.cleaning.plan())
    house.clock.advance(31 * 86_400)
    house.cleaning.apply(house.cleaning.plan())
    assert house.texts() == {}
    last = house.cleaning.undo()
    assert last is not None
    assert (last.chunks, last.documents) == (0, 2)
    first = house.cleaning.undo()
    assert first is not None
    assert (first.chunks, first.documents) == (1, 0)
    assert house.texts() == before
    assert house.cleaning.undo() is None
    assert found(house.store, "steep") == {TEA}
    assert not [finding for finding in house.store.health.examine() if finding.level == "bad"]


def test_what_changed_since_is_not_undone(house: House) -> None:
    house.put("old.md", TEA, age=5)
    house.put("new.md", TEA)
    house.cleaning.apply(house.cleaning.plan())
    house.put("old.md", COAL, age=5)
    assert house.cleaning.undo() is None
    assert house.texts()["old.md"] == [COAL]


def test_a_renamed_document_keeps_out_what_was_taken_out(house: House) -> None:
    house.put("old.md", TEA, COAL, age=5)
    house.put("new.md", TEA)
    house.cleaning.apply(house.cleaning.plan())
    house.store.documents.rename(PROJECT, "old.md", "moved.md")
    house.put("moved.md", TEA, COAL, age=5)
    assert house.texts()["moved.md"] == [COAL]
    house.cleaning.undo()
    assert house.texts()["moved.md"] == [TEA, COAL]


def test_nothing_to_do_is_no_run(house: House) -> None:
    house.put("a.md", TEA)
    report = house.cleaning.apply(house.cleaning.plan())
    assert (report.applied, report.plan) == (False, CleanPlan((), (), 1, 1))


def test_a_text_in_a_thousand_files_is_kept_once(house: House) -> None:
    vector = Embedding("m", 2, np.array([1.0, 0.0], np.float16).tobytes())
    many = [(document(f"{n}.md", hash=str(n)), chunks(TEA, path=f"{n}.md")) for n in range(1200)]
    house.store.documents.put_all(many)
    waiting = house.store.reading.waiting("m", 2000)
    house.store.memories.put_vectors({one.passage: vector for one in waiting})
    plan = house.cleaning.plan()
    assert len(plan.duplicates) == 1199
    assert {twin.kept_place for twin in plan.duplicates} == {"999.md:1-2"}


@given(
    states=st.lists(
        st.dictionaries(st.sampled_from("abc"), st.lists(st.sampled_from([TEA, ALSO_TEA, COAL]))), max_size=4
    )
)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_cleaning_and_undoing_leaves_all_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, states: list[dict[str, list[str]]]
) -> None:
    house = House(tmp_path_factory.mktemp("house") / "memory.db")
    for state in states:
        for age, (name, texts) in enumerate(state.items()):
            house.put(f"{name}.md", *texts, age=age)
    before = house.texts()
    house.cleaning.apply(house.cleaning.plan())
    kept = {text[:20] for own in house.texts().values() for text in own}
    assert kept == {text[:20] for own in before.values() for text in own}
    house.cleaning.undo()
    assert house.texts() == before
    house.store.close()
