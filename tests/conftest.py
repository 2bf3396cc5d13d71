"""Fixtures of every test: an isolated home folder, and a workspace on a new database."""

from __future__ import annotations

import functools
import gc
import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

import holdfast
from holdfast.interfaces.cli.speaker import _OF_AGENTS
from holdfast.models import model_files
from holdfast.models.own_model import OWN
from tests.store.empty import EmptyStore

pytest_plugins = ["tests.left_files"]

# One thread: two test workers with a thread per core mostly wait for each other. numpy reads this when it is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# No deadline: the machines that run the tests are shared, and a slow moment is not a wrong answer.
hypothesis.settings.register_profile(
    "holdfast",
    deadline=None,
    max_examples=50,
    suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture, hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.register_profile("thorough", hypothesis.settings.get_profile("holdfast"), max_examples=1_000)
hypothesis.settings.load_profile("holdfast")


# Collections of garbage would look at all imported modules and tests again and again: a fifth of the time of a run.
# None runs until everything is imported, and later ones leave that out.
_GARBAGE = (20_000, 10, 10)
gc.disable()


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GARBAGE)
    gc.enable()


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """New folders. Not made by `mktemp`, which lists the thousands there are to number the next one."""
    folder = tmp_path_factory.mktemp("homes")
    return (str(folder / str(number)) for number in itertools.count())


@pytest.fixture(autouse=True)
def _own_home(_homes: Iterator[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Isolates a test from the user's home, settings and git; starts no process and loads no model unless requested."""
    for name in list(os.environ):
        if name.startswith(("HOLDFAST_", "XDG_", "GIT_")) or name in _OF_AGENTS:
            monkeypatch.delenv(name)
    home = next(_homes)
    os.mkdir(home)
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
def _empty_store(tmp_path_factory: pytest.TempPathFactory) -> EmptyStore:
    return EmptyStore(tmp_path_factory.mktemp("empty") / "store.db")


@pytest.fixture(autouse=True)
def _new_stores(request: pytest.FixtureRequest, _empty_store: EmptyStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes new stores by copying an empty one.

    Not under torture, where several processes may create one file at once; the migration tests override this.
    """
    if not request.node.get_closest_marker("torture"):
        monkeypatch.setattr("holdfast.store.sqlite.sqlite_store.migrate", _empty_store.migrate)


@pytest.fixture(scope="session", autouse=True)
def _hashes_of_the_package() -> Iterator[None]:
    """Hashes each file of the bundled model once: no test changes the files of the package, only copies of them."""
    hashed = model_files.sha256
    once = functools.cache(hashed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model_files, "sha256", lambda file: (once if str(file).startswith(OWN) else hashed)(file))
        yield


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
    """The folder of measured data beside the repository; skips the test if it is missing."""
    folder = Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no measured data at {folder}")
    return folder
