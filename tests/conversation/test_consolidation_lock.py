"""One consolidates at a time; the others wait their turn, and a dead one holds nobody up."""

from __future__ import annotations

import socket
import threading
from dataclasses import replace

import pytest

from holdfast.conversation.consolidation_lock import NAME
from holdfast.core.errors import StoreBusy
from holdfast.workspace import Workspace


def test_threads_take_turns(ws: Workspace) -> None:
    inside: list[int] = []
    seen: list[int] = []

    def work(number: int) -> None:
        with ws.container.conversation.lock.acquire() as keep:
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


def test_a_turn_that_does_not_come_is_given_up(ws: Workspace) -> None:
    ws.container.store.jobs.take(NAME, "elsewhere:1:1", 60)
    with pytest.raises(StoreBusy, match="Try again"), replace(ws.container.conversation.lock, patience=0.1).acquire():
        pass


def test_a_holder_that_died_is_not_waited_for(ws: Workspace) -> None:
    ws.container.store.jobs.take(NAME, f"{socket.gethostname()}:999999999:1", 60)
    with ws.container.conversation.lock.acquire():
        assert ws.container.reading.lease(NAME) is not None


def test_the_turn_ends_when_the_work_fails(ws: Workspace) -> None:
    with pytest.raises(ZeroDivisionError), ws.container.conversation.lock.acquire():
        raise ZeroDivisionError
    assert ws.container.reading.lease(NAME) is None
