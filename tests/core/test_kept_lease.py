"""A lease is kept while the work under it is slow, with the progress that was reported last."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from holdfast.core.errors import StoreBusy
from holdfast.system import kept_lease
from holdfast.system.kept_lease import kept


def until(condition: Callable[[], bool]) -> bool:
    limit = time.monotonic() + 5
    while not condition() and time.monotonic() < limit:
        time.sleep(0.01)
    return condition()


class Lease:
    """Counts how often it was extended, and with which progress."""

    def __init__(self) -> None:
        self.calls: list[Mapping[str, Any]] = []

    def keep(self, progress: Mapping[str, Any]) -> bool:
        self.calls.append(progress)
        return True


def test_the_lease_is_extended_with_the_latest_progress_until_the_block_ends():
    lease = Lease()
    with kept(lease.keep, 0.03) as report:
        assert until(lambda: lease.calls.count({}) >= 2)
        assert report({"pages": 1})
        assert until(lambda: lease.calls.count({"pages": 1}) >= 3)
    ended = len(lease.calls)
    time.sleep(0.1)
    assert len(lease.calls) == ended


def test_a_lost_lease_is_reported_and_an_error_of_the_store_ends_nothing():
    calls = []

    def keep(progress):
        calls.append(progress)
        if threading.current_thread() is not threading.main_thread():
            raise StoreBusy("x")
        return False

    with kept(keep, 0.03) as report:
        assert until(lambda: len(calls) >= 2)
        assert report({}) is False


def test_work_that_hangs_loses_its_lease(monkeypatch):
    monkeypatch.setattr(kept_lease, "_MOST_SECONDS", 0.05)
    lease = Lease()
    with kept(lease.keep, 0.03):
        time.sleep(0.3)
        assert len(lease.calls) <= 6


def test_an_error_of_the_work_passes_and_ends_the_extension():
    lease = Lease()
    with pytest.raises(ZeroDivisionError), kept(lease.keep, 0.03):
        raise ZeroDivisionError
    ended = len(lease.calls)
    time.sleep(0.1)
    assert len(lease.calls) == ended
