"""One thread of one process consolidates at a time; the lock of a dead process is taken over."""

from __future__ import annotations

import socket
import threading
import time
from dataclasses import replace

import pytest

from holdfast.core.errors import StoreBusy
from holdfast.learn import consolidation_lock
from holdfast.learn.consolidation_lock import NAME
from holdfast.workspace import Workspace


def test_threads_hold_the_lock_one_after_another(ws: Workspace) -> None:
    inside: list[int] = []
    seen: list[int] = []

    def work(number: int) -> None:
        with ws.container.learning_lock.acquire() as keep:
            inside.append(number)
            assert keep({"at": number})
            seen.append(len(inside))
            inside.remove(number)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [1] * 6
    assert ws.container.reading.lease(NAME) is None


def test_waiting_ends_after_the_patience(ws: Workspace) -> None:
    ws.container.store.jobs.take(NAME, "elsewhere:1:1", 60)
    with pytest.raises(StoreBusy, match="Try again"), replace(ws.container.learning_lock, patience=0.1).acquire():
        pass


def test_the_lock_of_a_dead_process_is_taken_over(ws: Workspace) -> None:
    ws.container.store.jobs.take(NAME, f"{socket.gethostname()}:999999999:1", 60)
    with ws.container.learning_lock.acquire():
        assert ws.container.reading.lease(NAME) is not None


def test_the_lock_outlasts_its_lease_while_a_model_is_slow(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consolidation_lock, "SECONDS", 0.3)
    with ws.container.learning_lock.acquire():
        time.sleep(0.9)
        assert not ws.container.store.jobs.take(NAME, "elsewhere:1:1", 60)
    assert ws.container.store.jobs.take(NAME, "elsewhere:1:1", 60)


def test_an_error_releases_the_lock(ws: Workspace) -> None:
    with pytest.raises(ZeroDivisionError), ws.container.learning_lock.acquire():
        raise ZeroDivisionError
    assert ws.container.reading.lease(NAME) is None
