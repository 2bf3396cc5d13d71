"""A lease is kept while the work under it is slow, with the progress that was reported last."""

from __future__ import annotations

import threading
import time

import pytest

from holdfast.core import kept_lease
from holdfast.core.errors import StoreBusy
from holdfast.core.kept_lease import kept


def until(condition) -> bool:
    limit = time.monotonic() + 5
    while not condition() and time.monotonic() < limit:
        time.sleep(0.01)
    return condition()


def test_the_lease_is_extended_with_the_latest_progress_until_the_block_ends():
    calls = []

    def keep(progress):
        calls.append(progress)
        return True

    with kept(keep, 0.03) as report:
        assert until(lambda: calls.count({}) >= 2)
        assert report({"pages": 1})
        assert until(lambda: calls.count({"pages": 1}) >= 3)
    ended = len(calls)
    time.sleep(0.1)
    assert len(calls) == ended
    assert threading.active_count() < 10


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
    calls = []
    with kept(calls.append, 0.03):
        time.sleep(0.3)
        assert len(calls) <= 6


def test_an_error_of_the_work_passes_and_ends_the_extension():
    calls = []
    with pytest.raises(ZeroDivisionError), kept(calls.append, 0.03):
        raise ZeroDivisionError
    ended = len(calls)
    time.sleep(0.1)
    assert len(calls) == ended
