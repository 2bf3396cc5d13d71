"""What every test shares: a home of its own, and a workspace on a database of its own."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

import holdfast
from holdfast.core.ids import Ids
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.migrate import migrate

# Why one: two workers on two cores, each with a thread per core, mostly wait for each other. Read when numpy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Why no deadline: the machines that run this are shared, and a slow moment is not a wrong answer.
hypothesis.settings.register_profile(
    "holdfast",
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture, hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("holdfast")


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps a test off the user's home, settings and git; no process is started, no model is loaded unasked."""
    for name in list(os.environ):
        if name.startswith(("HOLDFAST_", "XDG_", "GIT_")):
            monkeypatch.delenv(name)
    home = str(tmp_path_factory.mktemp("home"))
    for name in ("HOME", "USERPROFILE", "LOCALAPPDATA"):
        monkeypatch.setenv(name, home)
    monkeypatch.setenv("HOLDFAST_BACKGROUND", "0")
    monkeypatch.setenv("HOLDFAST_EMBEDDER", "fake")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "ada@example.org")


@pytest.fixture(scope="session")
def _empty_store() -> Iterator[sqlite3.Connection]:
    """A store with nothing in it, made once by migrating, to copy from."""
    made = Database(":memory:")
    migrate(made, Ids())
    yield made.connection()
    made.close()


@pytest.fixture(autouse=True)
def _new_stores(
    request: pytest.FixtureRequest, _empty_store: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new store begins as a copy of the empty one: to migrate from nothing takes longer than most tests do.

    Not under torture, where several processes may make one file at once; the tests of migrating override this.
    """

    def copy_and_migrate(database: Database, ids: Ids) -> str | None:
        if database.path == ":memory:" or not os.path.getsize(database.path):
            _copy(_empty_store, database.connection(), ids.new())
        return migrate(database, ids)

    if not request.node.get_closest_marker("torture"):
        monkeypatch.setattr("holdfast.store.sqlite.store.migrate", copy_and_migrate)


def _copy(empty: sqlite3.Connection, new: sqlite3.Connection, id: str) -> None:
    # Why off: nothing is lost with a file that was empty. A writer asks for its own safety, and so does migrating.
    new.execute("pragma synchronous = off")
    new.execute("pragma journal_mode = off")
    empty.backup(new)
    new.execute("update metadata set value = ? where key = 'store_id'", (id,))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty project folder outside git."""
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def ws(tmp_path: Path, project: Path) -> Iterator[holdfast.Workspace]:
    """A workspace on an empty database, with no background process."""
    with holdfast.open(db=str(tmp_path / "memory.db"), project=str(project)) as workspace:
        yield workspace


@pytest.fixture
def shared_data() -> Path:
    """The folder of measured data beside the repository; tests that need it are skipped where it is not."""
    folder = Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no measured data at {folder}")
    return folder
