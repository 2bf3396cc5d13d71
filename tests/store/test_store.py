"""What every engine must offer as a whole: location, size, locks and health."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from holdfast.core.errors import StoreBusy
from holdfast.store import reading
from holdfast.store.protocol import Store
from tests.store.test_conformance import add, memory

READING = [
    reading.MemoryReading,
    reading.WholeProjectReading,
    reading.ChangeReading,
    reading.WordReading,
    reading.SearchReading,
    reading.PassageReading,
    reading.PassageOrigins,
    reading.DocumentReading,
    reading.JobReading,
    reading.PendingReading,
    reading.GraphReading,
    reading.AnchorReading,
    reading.HistoryReading,
]


@pytest.mark.parametrize("protocol", READING)
def test_a_reading_protocol_has_at_most_a_dozen_methods(protocol: type) -> None:
    assert 3 <= len([name for name in vars(protocol) if not name.startswith("_")]) <= 12


def test_all_reading_protocols_together_are_what_a_store_reads() -> None:
    assert set(READING) == set(reading.Reading.__mro__[1:-3])


def test_a_store_offers_every_part_of_the_protocol(store: Store) -> None:
    for name in vars(Store):
        if not name.startswith("_"):
            assert getattr(store, name) is not None, name


def test_the_same_location_is_the_same_store(store: Store, make_store: Callable[[], Store]) -> None:
    assert make_store().address == store.address


def test_the_size_grows_with_what_is_stored(store: Store) -> None:
    before = store.size()
    add(store, *(memory(f"n{n}", "the kettle whistles " * 50) for n in range(50)))
    assert store.size() >= before + 50_000


def test_an_exclusive_lock_is_held_by_one_at_a_time(store: Store, make_store: Callable[[], Store]) -> None:
    other = make_store()
    with store.exclusive("import", 0):
        with pytest.raises(StoreBusy), other.exclusive("import", 0.05):
            pass
        with other.exclusive("another", 0):
            pass
    with other.exclusive("import", 0):
        pass


def test_an_exclusive_lock_is_waited_for(store: Store, make_store: Callable[[], Store]) -> None:
    other, order = make_store(), list[str]()

    def wait() -> None:
        with other.exclusive("import", 30):
            order.append("second")

    with ThreadPoolExecutor(1) as pool:
        with store.exclusive("import", 0):
            waiting = pool.submit(wait)
            order.append("first")
        waiting.result(30)
    assert order == ["first", "second"]


def test_a_new_store_is_healthy_and_repair_does_no_harm(store: Store) -> None:
    add(store, memory("a"), memory("b"))
    assert all(finding.level != "bad" for finding in store.health.examine())
    store.health.repair()
    assert all(finding.level != "bad" for finding in store.health.examine())
    assert store.reading.memory(memory("a").id) == memory("a")
