"""A store to put through its paces. A second engine joins by one more parameter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from holdfast.core.clock import FixedClock
from holdfast.core.ids import Ids
from holdfast.core.project import ProjectIdentity
from holdfast.store.sqlite.store import SqliteStore

PROJECT = "house"
NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOW)


@pytest.fixture(params=["sqlite"])
def make_store(request: pytest.FixtureRequest, tmp_path: Path, clock: FixedClock) -> Iterator[Callable[[], Any]]:
    """Opens the same store again and again, as several processes would."""
    opened: list[Any] = []

    def sqlite() -> SqliteStore:
        return SqliteStore(str(tmp_path / "memory.db"), now=clock.now, ids=Ids())

    engines = {"sqlite": sqlite}

    def make() -> Any:
        opened.append(engines[request.param]())
        return opened[-1]

    yield make
    for store in opened:
        store.close()


@pytest.fixture
def store(make_store: Callable[[], Any]) -> Any:
    """A store with one project, `house`."""
    made = make_store()
    made.projects.recognise(ProjectIdentity("/house", "house", None, None, PROJECT), "unused", NOW)
    return made
