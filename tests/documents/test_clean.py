"""Cleaning: duplicate chunks and unused documents are removed, stay out, and can be restored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast.core.clock import FixedClock
from holdfast.core.embedding import Embedding
from holdfast.core.errors import NotFound
from holdfast.core.ids import Ids
from holdfast.core.vector_size import VectorSize
from holdfast.documents.clean import ALIKE, CleanPlan, DocumentCleaner
from holdfast.models.fake import FakeEmbedder
from holdfast.store.writing.links import GraphNode
from holdfast.system.project import ProjectIdentity
from tests.store.conftest import NOW, PROJECT, store_at
from tests.store.test_documents import chunks, document, found

DAY = timedelta(days=1)
TEA = "The tea in the pot must steep for a while before anybody pours it"
ALSO_TEA = "The tea in the pot must steep for a while before anyone pours it"
COAL = "Coal for the stove is kept behind the shed"


class Named(FakeEmbedder):
    """An embedder of that name."""

    def __init__(self, id: str, size: VectorSize = VectorSize.SINGLE) -> None:
        super().__init__()
        self._id, self._size = id, size

    @property
    def id(self) -> str:
        return self._id

    @property
    def size(self) -> VectorSize:
        return self._size


class CleaningWorld:
    """A store with artificial vectors: texts with equal beginnings have equal vectors."""

    def __init__(self, path: Path) -> None:
        self.clock = FixedClock(NOW)
        self.store = store_at(path, self.clock.now)
        self.store.projects.recognise(ProjectIdentity("/project", "project", None, None, PROJECT), "unused", NOW)

    @property
    def cleaning(self) -> DocumentCleaner:
        return DocumentCleaner(self.store.cleaning, self.store.reading, Ids(), self.clock.now, PROJECT, Named("m"))

    def put(self, path: str, *texts: str, age: int = 0) -> str:
        one = document(path, hash="|".join(texts), modified=NOW - age * DAY, indexed_at=self.clock.now())
        report = self.store.documents.put(one, chunks(*texts, path=path))
        for waiting in self.store.reading.pending("m", 100):
            angle = 0.1 * ("anyone" in waiting.said) + sum(map(ord, waiting.said[:3]))
            vector = np.array([np.cos(angle), np.sin(angle)], np.float16).tobytes()
            self.store.memories.put_vectors({waiting.passage: Embedding("m", 2, vector)})
        return report.document.id

    def texts(self) -> dict[str, list[str]]:
        """Returns the visible chunks of each document."""
        texts: dict[str, list[str]] = {}
        for _, chunk, of in self.store.cleaning.chunks(PROJECT):
            texts.setdefault(of.path, []).append(chunk.text)
        return texts


@pytest.fixture
def world(tmp_path: Path) -> Iterator[CleaningWorld]:
    made = CleaningWorld(tmp_path / "memory.db")
    yield made
    made.store.close()


def test_a_chunk_repeated_by_a_newer_document_is_removed(world: CleaningWorld) -> None:
    world.put("old.md", TEA, COAL, age=5)
    world.put("new.md", ALSO_TEA, age=1)
    plan = world.cleaning.plan()
    [twin] = plan.duplicates
    assert (twin.place, twin.kept_place) == ("old.md:1-2", "new.md:1-2")
    assert ALIKE <= twin.alike <= 1
    assert world.texts() == {"new.md": [ALSO_TEA], "old.md": [TEA, COAL]}
    assert world.cleaning.apply(plan).applied
    assert world.texts() == {"new.md": [ALSO_TEA], "old.md": [COAL]}
    assert found(world.store, "steep") == {ALSO_TEA}
    assert world.cleaning.plan().duplicates == ()


def test_a_successor_is_kept_whatever_the_times_of_the_files(world: CleaningWorld) -> None:
    old = world.put("old.md", TEA)
    world.put("new.md", TEA, age=5)
    world.store.links.settle([], [GraphNode(old, "old.md", 0.5, "new.md")])
    [twin] = world.cleaning.plan().duplicates
    assert (twin.place, twin.kept_place) == ("old.md:1-2", "new.md:1-2")


def test_another_number_or_the_opposite_is_no_duplicate(world: CleaningWorld) -> None:
    world.put("old.md", "The kettle in the kitchen must whistle for 30 seconds", age=5)
    world.put("new.md", "The kettle in the kitchen must whistle for 60 seconds")
    world.put("newer.md", "The kettle in the kitchen must not whistle for 60 seconds")
    assert world.cleaning.plan().duplicates == ()


def test_a_document_that_repeats_itself_is_left_alone(world: CleaningWorld) -> None:
    world.put("a.md", TEA, TEA, TEA)
    assert world.cleaning.plan().duplicates == ()


def test_without_vectors_nothing_is_compared(world: CleaningWorld) -> None:
    world.store.documents.put(document("a.md"), chunks(TEA, path="a.md"))
    world.store.documents.put(document("b.md"), chunks(TEA, path="b.md"))
    plan = world.cleaning.plan()
    assert (plan.duplicates, plan.compared, plan.chunks) == ((), 0, 2)


def test_a_removed_chunk_stays_out_while_it_is_unchanged(world: CleaningWorld) -> None:
    world.put("old.md", TEA, COAL, age=5)
    world.put("new.md", TEA)
    world.cleaning.apply(world.cleaning.plan())
    assert world.texts()["old.md"] == [COAL]
    world.put("old.md", TEA, COAL, "One more", age=5)
    assert world.texts()["old.md"] == [COAL, "One more"]
    world.store.documents.remove(PROJECT, "old.md")
    world.put("old.md", TEA, age=5)
    assert "old.md" not in world.texts()
    world.put("old.md", COAL, age=5)
    world.put("old.md", TEA, age=5)
    assert world.texts()["old.md"] == [TEA]


def test_a_chunk_returns_when_no_other_document_repeats_it(world: CleaningWorld) -> None:
    world.put("old.md", TEA, COAL, age=5)
    world.put("new.md", TEA)
    world.cleaning.apply(world.cleaning.plan())
    world.put("new.md", "Something else")
    assert world.texts() == {"new.md": ["Something else"], "old.md": [TEA, COAL]}
    with pytest.raises(NotFound):
        world.cleaning.undo()


def test_a_document_not_found_in_a_month_is_hidden(world: CleaningWorld) -> None:
    used, unused = world.put("used.md", TEA), world.put("unused.md", COAL)
    world.store.usage.found(PROJECT, [[used]], NOW)
    world.clock.advance(31 * 86_400)
    world.put("young.md", "Young")
    [faded] = world.cleaning.plan().faded
    assert (faded.id, faded.path, faded.since) == (unused, "unused.md", NOW)
    assert faded.confidence == pytest.approx(0.1)
    world.cleaning.apply(world.cleaning.plan())
    assert set(world.texts()) == {"used.md", "young.md"}
    assert found(world.store, "coal") == set()
    world.put("unused.md", COAL)
    assert "unused.md" not in world.texts()
    world.put("unused.md", COAL, "And wood")
    assert world.texts()["unused.md"] == [COAL, "And wood"]


@pytest.mark.parametrize(("days", "gone"), [(13, 0), (29, 0), (30.1, 1)])
def test_only_old_documents_are_hidden(world: CleaningWorld, days: float, gone: int) -> None:
    world.put("a.md", TEA)
    world.clock.advance(days * 86_400)
    assert len(world.cleaning.plan().faded) == gone


def test_a_run_can_be_undone_and_the_one_before_it_too(world: CleaningWorld) -> None:
    world.put("old.md", TEA, COAL, age=5)
    world.put("new.md", TEA)
    before = world.texts()
    world.cleaning.apply(world.cleaning.plan())
    world.clock.advance(31 * 86_400)
    world.cleaning.apply(world.cleaning.plan())
    assert world.texts() == {}
    last = world.cleaning.undo()
    assert (last.chunks, last.documents) == (0, 2)
    first = world.cleaning.undo()
    assert (first.chunks, first.documents) == (1, 0)
    assert world.texts() == before
    with pytest.raises(NotFound):
        world.cleaning.undo()
    assert found(world.store, "steep") == {TEA}
    assert not [finding for finding in world.store.health.examine() if finding.level == "bad"]


def test_undo_does_not_restore_changed_documents(world: CleaningWorld) -> None:
    world.put("old.md", TEA, age=5)
    world.put("new.md", TEA)
    world.cleaning.apply(world.cleaning.plan())
    world.put("old.md", COAL, age=5)
    with pytest.raises(NotFound):
        world.cleaning.undo()
    assert world.texts()["old.md"] == [COAL]


def test_a_renamed_document_keeps_its_removed_chunks_out(world: CleaningWorld) -> None:
    world.put("old.md", TEA, COAL, age=5)
    world.put("new.md", TEA)
    world.cleaning.apply(world.cleaning.plan())
    world.store.documents.rename(PROJECT, "old.md", "moved.md")
    world.put("moved.md", TEA, COAL, age=5)
    assert world.texts()["moved.md"] == [COAL]
    world.cleaning.undo()
    assert world.texts()["moved.md"] == [TEA, COAL]


def test_without_work_there_is_no_run(world: CleaningWorld) -> None:
    world.put("a.md", TEA)
    report = world.cleaning.apply(world.cleaning.plan())
    assert (report.applied, report.plan) == (False, CleanPlan((), (), 1, 1))


@pytest.mark.integration
def test_a_text_in_a_thousand_files_is_kept_once(world: CleaningWorld) -> None:
    vector = Embedding("m", 2, np.array([1.0, 0.0], np.float16).tobytes())
    many = [(document(f"{n}.md", hash=str(n)), chunks(TEA, path=f"{n}.md")) for n in range(1200)]
    world.store.documents.put_all(many)
    waiting = world.store.reading.pending("m", 2000)
    world.store.memories.put_vectors({one.passage: vector for one in waiting})
    plan = world.cleaning.plan()
    assert len(plan.duplicates) == 1199
    assert {twin.kept_place for twin in plan.duplicates} == {"999.md:1-2"}


@given(
    states=st.lists(
        st.dictionaries(st.sampled_from("abc"), st.lists(st.sampled_from([TEA, ALSO_TEA, COAL]))), max_size=4
    )
)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_undo_restores_the_state_before_cleaning(
    tmp_path_factory: pytest.TempPathFactory, states: list[dict[str, list[str]]]
) -> None:
    world = CleaningWorld(tmp_path_factory.mktemp("documents") / "memory.db")
    for state in states:
        for age, (name, texts) in enumerate(state.items()):
            world.put(f"{name}.md", *texts, age=age)
    before = world.texts()
    world.cleaning.apply(world.cleaning.plan())
    kept = {text[:20] for own in world.texts().values() for text in own}
    assert kept == {text[:20] for own in before.values() for text in own}
    with suppress(NotFound):  # Nothing was removed.
        world.cleaning.undo()
    assert world.texts() == before
    world.store.close()
