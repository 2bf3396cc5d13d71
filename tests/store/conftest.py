"""The stores that the conformance tests run on, and what those tests share.

The conformance tests of this folder use only the `Store` Protocol; those in `sqlite/` know files, SQL and migrations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from holdfast.core.answer import Filters
from holdfast.core.clock import FixedClock
from holdfast.core.ids import Ids
from holdfast.core.settings import Settings
from holdfast.store.open import open_store
from holdfast.store.protocol import Store
from holdfast.system.project import ProjectIdentity

PROJECT = "house"
NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)
_MOST_PASSAGES = 2_000

# The settings that open a new store in a folder, by engine. A new engine joins the suite with one line.
ENGINES: dict[str, Callable[[Path], Settings]] = {"sqlite": lambda folder: Settings(db=str(folder / "memory.db"))}


def store_at(path: str | Path, now: Callable[[], datetime]) -> Store:
    """Opens the store at a path, for tests of other packages."""
    return open_store(Settings(db=str(path)), now=now, ids=Ids(), default_folder="unused")


def passages_by_owner(store: Store, project: str = PROJECT) -> dict[str, int]:
    """The passage of every memory and chunk of a project, by its owner's id."""
    numbers = range(1, _MOST_PASSAGES)
    found = store.reading.factors(project, numbers, Filters(include_forgotten=True))
    return {factors.id: factors.passage for factors in found}


def passage_of(store: Store, owner: str, project: str = PROJECT) -> int:
    """The passage of a memory or chunk."""
    return passages_by_owner(store, project)[owner]


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOW)


@pytest.fixture(params=list(ENGINES))
def engine(request: pytest.FixtureRequest) -> str:
    """The engine that a test runs on; `sqlite/conftest.py` chooses SQLite for its tests."""
    return str(request.param)


@pytest.fixture
def make_store(engine: str, tmp_path: Path, clock: FixedClock) -> Iterator[Callable[[], Store]]:
    """Opens the same store again and again, as several processes would."""
    settings, opened = ENGINES[engine](tmp_path), list[Store]()

    def make() -> Store:
        opened.append(open_store(settings, now=clock.now, ids=Ids(), default_folder=str(tmp_path)))
        return opened[-1]

    yield make
    for store in opened:
        store.close()


@pytest.fixture
def store(make_store: Callable[[], Store]) -> Store:
    """A store with one project, `house`."""
    made = make_store()
    made.projects.recognise(ProjectIdentity("/house", "house", None, None, PROJECT), "unused", NOW)
    return made
