"""What every engine must do with vectors of several sizes, and with vectors that are stored with their texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.answer import Filters
from holdfast.core.clock import FixedClock
from holdfast.core.document import Chunk
from holdfast.core.embedding import Embedding
from holdfast.core.ids import Ids
from holdfast.core.memory import Memory
from holdfast.core.vector_size import VectorSize
from holdfast.store.open import open_store
from holdfast.store.protocol import Store
from holdfast.system.project import ProjectIdentity
from tests.store.conftest import ENGINES, NOW, PROJECT, passage_of, passages_by_owner
from tests.store.test_document_batches import given_of

STATIC, SMALL, BASE = VectorSize.STATIC, VectorSize.SMALL, VectorSize.BASE
SPACE = "space"


def vector(size: VectorSize, angle: float = 0.0, space: str = SPACE, **fields: Any) -> Embedding:
    """A vector whose direction tells its size."""
    angle += 0.1 * size
    return Embedding(space, 2, np.array([np.cos(angle), np.sin(angle)], np.float16).tobytes(), size=size, **fields)


def memory(content: str, type: str = "fact", **fields: Any) -> Memory:
    return Memory(Ids().memory(type), type, content, PROJECT, NOW, **fields)


def add(store: Store, *memories: Memory) -> list[int]:
    with store.memories.change(durable=False) as change:
        for one in memories:
            change.add(one)
    return [passage_of(store, one.id) for one in memories]


def size_of(store: Store, passage: int) -> float:
    """The size that the stored vector of a passage was made with."""
    x, y = store.reading.vectors(SPACE, [passage])[passage]
    return round(float(np.arctan2(y, x)) * 10)


@given(st.lists(st.lists(st.sampled_from([STATIC, SMALL, BASE]), min_size=1, max_size=3), min_size=1, max_size=5))
def test_any_order_of_writes_leaves_the_largest(store: Store, batches: list[list[VectorSize]]) -> None:
    [passage] = add(store, memory(f"The kettle {Ids().new()}"))
    for batch in batches:
        for size in batch:
            store.memories.put_vectors({passage: vector(size)})
    largest = max(size for batch in batches for size in batch)
    assert size_of(store, passage) == largest
    assert store.reading.pending(SPACE, 1, largest) == ()
    assert bool(store.reading.pending(SPACE, 1, BASE)) == (largest < BASE)
    store.memories.put_vectors({passage: vector(BASE)})


def test_a_smaller_size_never_takes_the_place_of_a_larger(store: Store) -> None:
    [passage] = add(store, memory("The kettle whistles"))
    store.memories.put_vectors({passage: vector(SMALL)})
    store.memories.put_vectors({passage: vector(STATIC)})
    assert size_of(store, passage) == SMALL


def test_pending_counts_what_has_no_vector_of_that_size(store: Store) -> None:
    passages = add(store, *(memory(f"Lamp {n}") for n in range(5)))
    sizes = dict(zip(passages, (STATIC, SMALL, BASE, STATIC, None), strict=True))
    store.memories.put_vectors({passage: vector(size) for passage, size in sizes.items() if size})
    for size, expected in ((VectorSize.SINGLE, 1), (STATIC, 1), (SMALL, 3), (BASE, 4)):
        assert store.reading.count_pending(SPACE, size) == expected
        assert len(store.reading.pending(SPACE, 10, size)) == expected
        assert store.reading.any_pending(SPACE, size)
    assert store.reading.count_by_size(SPACE) == {STATIC: 2, SMALL: 1, BASE: 1}
    assert store.reading.count_by_size("other") == {}
    assert store.reading.count_pending("other", BASE) == 5


def test_the_newest_of_the_highest_priority_comes_first_whatever_its_vector(store: Store) -> None:
    old, new, none = (memory(text) for text in ("a", "c", "d"))
    said = memory("b", "episode")
    passages = add(store, old, said, new, none)
    store.memories.put_vectors({passages[0]: vector(STATIC), passages[2]: vector(VectorSize.SINGLE, space="older")})
    assert [waiting.memory for waiting in store.reading.pending(SPACE, 10, SMALL)] == [none.id, new.id, old.id, said.id]
    assert [waiting.memory for waiting in store.reading.pending(SPACE, 2, SMALL)] == [none.id, new.id]


def test_vectors_of_a_smaller_size_can_be_left_out(store: Store) -> None:
    one, other = add(store, memory("Kettle"), memory("Attic"))
    store.memories.put_vectors({one: vector(STATIC), other: vector(SMALL)})
    assert set(store.reading.vectors(SPACE, [one, other])) == {one, other}
    assert set(store.reading.vectors(SPACE, [one, other], SMALL)) == {other}


def test_a_replaced_vector_is_found_and_the_old_one_is_not(store: Store) -> None:
    one, other = add(store, memory("Kettle"), memory("Attic"))
    store.memories.put_vectors({one: vector(STATIC), other: vector(STATIC, 1.0)})
    near = np.frombuffer(vector(SMALL).data, np.float16).astype(np.float32)
    assert store.reading.find_near(PROJECT, SPACE, near, Filters(), 1)[0][1] < 0.999
    store.memories.put_vectors({one: vector(SMALL)})
    [(passage, score), (second, _)] = store.reading.find_near(PROJECT, SPACE, near, Filters(), 5)
    assert (passage, second) == (one, other)
    assert score == pytest.approx(1, abs=1e-3)


def test_a_changed_text_takes_a_static_vector_again(store: Store) -> None:
    one = memory("The kettle whistles")
    [passage] = add(store, one)
    store.memories.put_vectors({passage: vector(BASE)})
    with store.memories.change(durable=False) as change:
        change.put(replace(one, content="The attic creaks"))
    assert store.reading.count_by_size(SPACE) == {}
    store.memories.put_vectors({passage: vector(STATIC)})
    assert size_of(store, passage) == STATIC


def test_other_models_are_dropped_once_and_may_come_back(store: Store) -> None:
    one, other = add(store, memory("Kettle"), memory("Attic"))
    store.memories.put_vectors({one: vector(BASE, space="older"), other: vector(BASE, space="older")})
    assert store.memories.drop_vectors_except(SPACE) == 0
    store.memories.put_vectors({one: vector(STATIC)})
    assert store.memories.drop_vectors_except(SPACE) == 2
    assert store.memories.drop_vectors_except(SPACE) == 0
    assert not store.reading.has_vectors("older")
    assert [waiting.passage for waiting in store.reading.pending(SPACE, 5)] == [other]
    store.memories.put_vectors({one: vector(STATIC, space="older"), other: vector(STATIC, space="older")})
    assert store.memories.drop_vectors_except("older") == 1
    assert store.reading.count_by_size("older") == {STATIC: 2}


# -- vectors that are stored with their texts -----------------------------------------------------------------------


class FakeStatic:
    """Makes a vector for each text, and remembers the texts."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.meanwhile: Callable[[], object] = lambda: None

    def __call__(self, owners: Sequence[Memory | Chunk]) -> Sequence[Embedding]:
        if not owners:
            return ()
        self.meanwhile()
        self.calls.append([owner.text if isinstance(owner, Chunk) else owner.content for owner in owners])
        return [vector(STATIC) for _ in owners]

    @property
    def texts(self) -> list[str]:
        return [text for call in self.calls for text in call]


@pytest.fixture
def static() -> FakeStatic:
    return FakeStatic()


@pytest.fixture
def embedding(engine: str, tmp_path: Path, clock: FixedClock, static: FakeStatic) -> Any:
    """A store that embeds new texts at once."""
    settings = ENGINES[engine](tmp_path)
    store = open_store(settings, now=clock.now, ids=Ids(), default_folder=str(tmp_path), embed_now=static)
    store.projects.recognise(ProjectIdentity("/house", "house", None, None, PROJECT), "unused", NOW)
    yield store
    store.close()


def everything_has_a_static_vector(store: Store) -> bool:
    passages = list(passages_by_owner(store).values())
    sizes = store.reading.count_by_size(SPACE)
    found = store.reading.find_near(PROJECT, SPACE, np.array([1, 0], np.float32), Filters(types=ALL), len(passages))
    return len(passages) > 0 and sizes == {STATIC: len(passages)} and len(found) == len(passages)


ALL = ("fact", "episode", "document", "code")


def test_new_memories_have_a_vector_at_once(embedding: Store, static: FakeStatic) -> None:
    add(embedding, memory("Kettle"))
    assert everything_has_a_static_vector(embedding)
    add(embedding, memory("Attic"), memory("Stove"), memory("Lamp"))
    assert everything_has_a_static_vector(embedding)
    assert static.calls == [["Kettle"], ["Attic", "Stove", "Lamp"]]
    assert not [finding for finding in embedding.health.examine() if finding.level == "bad"]


def test_messages_have_a_vector_at_once(embedding: Store, static: FakeStatic) -> None:
    messages = [memory(text, "episode", session="s", source_role="user") for text in ("One", "Two")]
    embedding.episodes.add_episodes(messages, "chat")
    embedding.episodes.add_episodes([], "chat")
    assert everything_has_a_static_vector(embedding)
    assert static.texts == ["One", "Two"]


def test_chunks_have_a_vector_at_once_and_only_new_ones_are_embedded(embedding: Store, static: FakeStatic) -> None:
    embedding.documents.put_all([given_of("a.md", "Steep it", "Pour it"), given_of("b.md", "Bake it")])
    assert everything_has_a_static_vector(embedding)
    assert static.calls == [["Steep it", "Pour it", "Bake it"]]
    embedding.documents.put(*given_of("a.md", "Steep it", "Drink it"))
    assert everything_has_a_static_vector(embedding)
    assert static.texts[3:] == ["Drink it"]


def test_other_writers_need_not_wait_while_chunks_are_embedded(
    embedding: Store, static: FakeStatic, make_store: Callable[[], Store]
) -> None:
    other = make_store()
    # Raises StoreBusy if a transaction is open.
    static.meanwhile = lambda: add(other, memory("Meanwhile"))
    embedding.documents.put(*given_of("a.md", "Steep it", "Pour it"))
    assert len(static.calls) == 1
    assert embedding.reading.count_by_size(SPACE) == {STATIC: 2}


def test_a_changed_memory_has_a_new_vector_at_once(embedding: Store, static: FakeStatic) -> None:
    one = memory("Kettle")
    [passage] = add(embedding, one)
    embedding.memories.put_vectors({passage: vector(SMALL)})
    with embedding.memories.change(durable=False) as change:
        change.put(replace(one, confidence=0.3))
    assert embedding.reading.count_by_size(SPACE) == {SMALL: 1}
    with embedding.memories.change(durable=False) as change:
        change.put(replace(one, tags=("kitchen",)))
    assert everything_has_a_static_vector(embedding)
    assert static.texts == ["Kettle", "Kettle"]


def test_a_memory_that_comes_with_its_vector_is_not_embedded(embedding: Store, static: FakeStatic) -> None:
    with embedding.memories.change(durable=False) as change:
        change.add(memory("Kettle"), vector(SMALL))
        change.add(memory("Attic"))
    assert static.texts == ["Attic"]
    assert embedding.reading.count_by_size(SPACE) == {STATIC: 1, SMALL: 1}


def test_a_failed_transaction_keeps_neither_text_nor_vector(embedding: Store) -> None:
    def fail() -> None:
        with embedding.memories.change(durable=False) as change:
            change.add(memory("Kettle"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert embedding.reading.totals()["vectors"] == embedding.reading.totals()["passages"] == 0


def test_imported_memories_have_a_vector_at_once(embedding: Store) -> None:
    with embedding.transfer.start_import() as arrival:
        arrival.add(memory("Kettle"))
        arrival.add(memory("Good morning", "episode", session="s"))
    assert everything_has_a_static_vector(embedding)


def test_a_store_without_a_fast_model_leaves_vectors_to_the_background(make_store: Callable[[], Store]) -> None:
    store = make_store()
    store.projects.recognise(ProjectIdentity("/house", "house", None, None, PROJECT), "unused", NOW)
    add(store, memory("Kettle"), memory("Attic"))
    assert store.reading.count_pending(SPACE) == 2
    assert not store.reading.has_vectors(SPACE)
