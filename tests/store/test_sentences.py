"""What every engine must do with the vectors of sentences."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from holdfast.core.document import Chunk, Document
from holdfast.core.embedding import Embedding
from holdfast.core.ids import Ids
from holdfast.core.memory import Memory
from holdfast.core.vector_size import VectorSize
from holdfast.store.protocol import Store
from holdfast.store.vectors.four_bits import best_cosines, pack
from tests.store.conftest import NOW, PROJECT, passage_of
from tests.store.database import delete_bags, rebuild

STATIC, SMALL, BASE = VectorSize.STATIC, VectorSize.SMALL, VectorSize.BASE
SPACE = "space"
LONG = "The ferry to the island leaves at noon from the long pier. " * 4


def message(content: str = LONG, role: str | None = "user", type: str = "episode") -> Memory:
    return Memory(Ids().memory(type), type, content, PROJECT, NOW, source_role=role, session="s")


def said(store: Store, *messages: Memory) -> list[int]:
    """Stores messages and counts their words, as the background does."""
    store.episodes.add_episodes(messages, "chat")
    store.memories.count_words(lambda: True)
    return [passage_of(store, one.id) for one in messages]


def sentences(*rows: tuple[float, float], size: VectorSize = SMALL, space: str = SPACE) -> Embedding:
    return Embedding(space, 2, np.array(rows, np.float16).tobytes(), size=size)


def pending(store: Store, size: VectorSize = SMALL, space: str = SPACE) -> list[int]:
    found = [one.passage for one in store.reading.pending_sentences(space, 10, size)]
    assert store.reading.count_pending_sentences(space, size) == len(found)
    assert store.reading.any_pending_sentences(space, size) == bool(found)
    return found


def best(store: Store, passages: list[int], query: tuple[float, float] = (1.0, 0.0)) -> dict[int, float]:
    found = store.reading.similar_sentences(SPACE, query, passages)
    return {passage: round(cosine, 1) for passage, cosine in found.items()}


def test_long_messages_of_people_wait_the_newest_first(store: Store) -> None:
    first, _, _, last, unnamed = said(
        store, message(), message("Short."), message(role="assistant"), message(), message(role=None)
    )
    with store.memories.change(durable=False) as change:
        change.add(message(type="fact", role="user"))
    chunk = Chunk("chk_1", "a.md", 0, (), LONG, 0, len(LONG), 1, 1)
    store.documents.put(Document("doc_1", PROJECT, "a.md", "markdown", "h", 10, NOW), [chunk])
    store.memories.count_words(lambda: True)
    assert pending(store) == [unnamed, last, first]
    assert pending(store, space="another") == [unnamed, last, first]


def test_a_message_waits_once_its_words_are_counted(store: Store) -> None:
    store.episodes.add_episodes([message()], "chat")
    assert pending(store) == []
    store.memories.count_words(lambda: True)
    assert len(pending(store)) == 1


def test_the_best_sentence_counts(store: Store) -> None:
    near, far, without = said(store, message(), message(), message())
    store.memories.put_sentences({near: sentences((0, 1), (0.8, 0.6)), far: sentences((0, 1), (-1, 0))})
    assert best(store, [near, far, without, 999]) == {near: 0.8, far: 0.0}
    assert best(store, []) == {}
    assert pending(store) == [without]
    assert store.reading.similar_sentences("another", (1.0, 0.0), [near]) == {}


def test_a_text_without_sentences_is_done_and_never_compared(store: Store) -> None:
    [passage] = said(store, message())
    store.memories.put_sentences({passage: sentences()})
    assert pending(store) == []
    assert best(store, [passage]) == {}


def test_sentences_of_a_changed_text_are_dropped(store: Store) -> None:
    one = message()
    [passage] = said(store, one)
    [waiting] = store.reading.pending_sentences(SPACE, 1, SMALL)
    store.memories.put_sentences({passage: replace(sentences((1, 0)), said=waiting.said)})
    with store.memories.change(durable=False) as change:
        change.put(replace(one, content=LONG.replace("noon", "two")))
    assert best(store, [passage]) == {}
    assert pending(store) == [passage]
    store.memories.put_sentences({passage: replace(sentences((1, 0)), said=waiting.said)})
    assert best(store, [passage]) == {}
    with store.memories.change(durable=False) as change:
        change.put(replace(one, content="[erased]"))
    store.memories.put_sentences({passage: sentences((1, 0))})
    assert (best(store, [passage]), pending(store)) == ({}, [])


@given(st.lists(st.sampled_from([STATIC, SMALL, BASE]), min_size=1, max_size=4))
def test_any_order_of_writes_leaves_the_largest_size(store: Store, sizes: list[VectorSize]) -> None:
    [passage] = said(store, message())
    for size in sizes:
        store.memories.put_sentences({passage: sentences((size / 10, 0), size=size)})
    assert best(store, [passage]) == {passage: max(sizes) / 10}
    assert (passage in pending(store, BASE)) == (max(sizes) < BASE)
    store.memories.put_sentences({passage: sentences((1, 0), size=BASE)})


def test_another_model_replaces_them_and_drops_the_old(store: Store) -> None:
    replaced, waiting = said(store, message(), message())
    vector = Embedding(SPACE, 2, bytes(4), size=SMALL)
    store.memories.put_vectors({replaced: vector, waiting: vector})
    store.memories.put_sentences({replaced: sentences((1, 0)), waiting: sentences((1, 0))})
    assert pending(store, space="new") == [waiting, replaced]
    new = replace(vector, embedder="new")
    store.memories.put_vectors({replaced: new, waiting: new})
    store.memories.put_sentences({replaced: sentences((1, 0), space="new")})
    store.memories.drop_vectors_except("new")
    assert best(store, [replaced, waiting]) == {}
    assert pending(store, space="new") == [waiting]


def test_repair_queues_what_is_missing_and_rebuilding_equals_adding(store: Store) -> None:
    said(store, message(), message("Short."), message(role="assistant"))
    [waiting] = pending(store)
    store.memories.put_sentences({waiting: sentences((1, 0))})
    delete_bags(store)
    store.health.repair()
    assert pending(store) == []
    rebuild(store)
    [again] = store.reading.pending_sentences(SPACE, 10, SMALL)
    assert again.said.startswith(LONG)
    assert all(finding.level != "bad" for finding in store.health.examine())


# -- four bits per number --------------------------------------------------------------------------------------------

numbers = st.floats(-1, 1, width=16)


def unit(rows: NDArray[np.float64]) -> NDArray[np.float16]:
    scaled: NDArray[np.float16] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float16)
    return scaled


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(*2 * [st.lists(numbers, min_size=n, max_size=n)])))
def test_packed_cosines_are_close_to_the_exact_ones(pair: tuple[list[float], list[float]]) -> None:
    query, stored = pair
    [found] = best_cosines(query, [pack(np.array(stored, np.float16).tobytes(), len(stored))])
    # Half a step for each number: a step is a seventh of the largest.
    error = sum(map(abs, query)) * (max(map(abs, stored)) / 14 + 0.002)
    assert abs(found - np.dot(query, stored)) <= error + 1e-3


@pytest.mark.integration
@pytest.mark.parametrize("dimensions", [1, 5, 384])
def test_without_numpy_the_cosines_are_the_same(dimensions: int) -> None:
    rng = np.random.default_rng(7)
    packed = [pack(unit(rng.normal(size=(n, dimensions))).tobytes(), dimensions) for n in (3, 0, 1)]
    query = unit(rng.normal(size=(1, dimensions)))[0].tolist()
    code = (
        "import json, sys\nfrom holdfast.store.vectors.four_bits import best_cosines\n"
        f"found = best_cosines({query!r}, {packed!r})\nassert 'numpy' not in sys.modules\nprint(json.dumps(found))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == pytest.approx(best_cosines(query, packed), rel=1e-4, abs=1e-4)
