"""In a store with many memories, work that is done in slices costs the same for each slice.

SQLite counts the instructions of its virtual machine, so that no test measures time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

from holdfast.core.answer import Filters
from holdfast.store.protocol import Store
from tests.store.conftest import NOW, PROJECT
from tests.store.database import own_connection
from tests.store.test_passages import memory

_EVERY = 10


def add_many(store: Store, count: int, **fields: Any) -> None:
    """Adds memories that share few words, in one transaction and so without word bags."""
    with store.memories.change(durable=False) as change:
        for number in range(count):
            at = NOW - timedelta(seconds=number)
            one = memory(f"lamp {number} stands in room {number * 31}", created_at=at, **fields)
            change.add(replace(one, id=f"mem_{number:06d}"))


@contextlib.contextmanager
def counted_steps(store: Store) -> Iterator[list[int]]:
    """Counts in a list of one number how many instructions SQLite runs until the block ends."""
    steps = [0]

    def count() -> None:
        steps[0] += _EVERY

    connection = own_connection(store)
    connection.set_progress_handler(count, _EVERY)
    try:
        yield steps
    finally:
        connection.set_progress_handler(None, _EVERY)


def test_counting_the_words_of_many_passages_finishes(store: Store) -> None:
    add_many(store, 1_000)
    starts: list[int] = []

    def next_slice() -> bool:
        starts.append(steps[0])
        return True

    with counted_steps(store) as steps:
        assert store.memories.count_words(next_slice) == 1_000
    slices = [later - earlier for earlier, later in pairwise(starts)]
    assert max(slices) < 2 * min(slices)


def test_an_export_reads_rows_while_they_are_written(store: Store) -> None:
    add_many(store, 1_000)
    with store.transfer.start_export(PROJECT) as archive, counted_steps(store) as steps:
        memories = iter(archive.memories)
        next(memories)
        first = steps[0]
        assert len(list(memories)) == 999
        assert first < steps[0] / 3


def test_a_list_reads_the_first_memories_only(store: Store) -> None:
    filters = Filters(types=("fact", "decision"))
    add_many(store, 1_000)
    for order in ("newest", "oldest", "confidence", "used"):
        with counted_steps(store) as steps:
            assert len(store.reading.memories(PROJECT, filters, order=order, limit=10)) == 10
            first = steps[0]
            assert len(store.reading.memories(PROJECT, filters, order=order, limit=1_000)) == 1_000
        assert first < (steps[0] - first) / 20


def test_what_waits_for_a_review_and_what_was_imported_are_found_without_the_rest(store: Store) -> None:
    add_many(store, 1_000)
    with store.memories.change(durable=False) as change:
        change.add(memory("the hall is cold", needs_review=True, source_ids=("epi_1", "import:1")))
    with counted_steps(store) as steps:
        assert len(store.reading.memories(PROJECT, Filters(needs_review=True))) == 1
        assert store.reading.count(PROJECT, Filters(needs_review=True)) == 1
        assert store.reading.imported(PROJECT, ["import:1", "import:2"]) == {"import:1"}
        assert store.reading.count(PROJECT, Filters(), most=5) == 5
    assert steps[0] < 2_000


def test_pinned_and_taught_memories_are_found_without_the_rest(store: Store) -> None:
    add_many(store, 1_000, source="qa_auto")
    with store.memories.change(durable=False) as change:
        change.add(memory("the hall is cold", pinned=True))
    with counted_steps(store) as steps:
        assert len(store.reading.standing_memories(PROJECT, ("requirement",))) == 1
        assert len(store.reading.taught(PROJECT)) == store.reading.count_taught(PROJECT, 9) == 1
    assert steps[0] < 2_000


def test_memories_of_a_rare_type_are_listed_without_the_rest(store: Store) -> None:
    add_many(store, 1_000)
    with store.memories.change(durable=False) as change:
        change.add(memory("the hall is cold", "decision"))
    with counted_steps(store) as steps:
        for order in ("newest", "oldest"):
            assert len(store.reading.memories(PROJECT, Filters(types=("decision", "gotcha")), order=order)) == 1
    assert steps[0] < 3_000
