"""One background process at a time; a killed one is followed by the next, and nothing is lost or done twice."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import holdfast
from holdfast.core.admission import Candidate
from holdfast.core.reason import Reason
from holdfast.interfaces.json_values import json_value
from holdfast.models.contextual import memory_text
from holdfast.models.fake import FakeEmbedder
from holdfast.upkeep import background
from holdfast.upkeep.upkeep_reasons import UpkeepCode
from holdfast.workspace import Workspace
from tests.store.database import stored_vectors
from tests.store.state import assert_sound
from tests.torture.children import Child, Report, forks

pytestmark = [pytest.mark.torture, forks]

LAMPS = 600


@pytest.fixture
def lamps(ws: Workspace) -> Workspace:
    """A store with six hundred passages without vectors."""
    ws.remember_all([Candidate(f"Lamp l{n} stands in room m{n * 3}") for n in range(LAMPS)])
    assert ws.stats().waiting == LAMPS
    return ws


def upkeep(ws: Workspace, report: Report) -> None:
    with holdfast.open(db=ws.db, project=ws.root) as own:
        report(json_value(own.upkeep("embed")))


def slowly(ws: Workspace, report: Report) -> None:
    """A worker that reports each batch, so that it can be killed between and within batches."""
    put = type(ws.container.store.memories).put_vectors

    def told(self: Any, embeddings: Any) -> None:
        put(self, embeddings)
        report(sorted(embeddings))
        time.sleep(0.02)

    type(ws.container.store.memories).put_vectors = told  # type: ignore[method-assign] # in a child process, gone with it
    upkeep(ws, report)


def test_of_two_started_at_once_one_works_and_the_other_leaves(lamps: Workspace) -> None:
    first = Child(lambda report: slowly(lamps, report))
    told: list[Any] = []
    first.first_report_into(told)
    second = Child(lambda report: upkeep(lamps, report))
    code, reports = second.end()
    assert (code, reports[0]["skipped"]["code"]) == (0, UpkeepCode.ALREADY_RUNNING)
    code, reports = first.end()
    assert code == 0
    assert reports[-1]["embed"]["embedded"] == LAMPS
    passages = [passage for batch in (*told, *reports[:-1]) for passage in batch]
    assert len(passages) == len(set(passages)) == LAMPS
    assert_embedded(lamps)
    assert lamps.stats().background is None


def test_a_killed_worker_is_followed_by_the_next(lamps: Workspace) -> None:
    done: list[list[int]] = []
    for _ in range(5):
        worker = Child(lambda report: slowly(lamps, report))
        worker.first_report_into(done)
        time.sleep(0.03)
        worker.kill()
        code, reports = worker.end()
        assert code == -signal.SIGKILL
        done += [told for told in reports if isinstance(told, list)]
        assert not background.is_running(lamps.container.store.reading, lamps.container.now())
    before = lamps.stats().waiting
    assert 0 < before < LAMPS
    passages = [passage for batch in done for passage in batch]
    assert len(passages) == len(set(passages))
    code, reports = Child(lambda report: upkeep(lamps, report)).end()
    assert (code, reports[0]["embed"]["embedded"]) == (0, before)
    assert_embedded(lamps)


def test_work_goes_on_when_the_lease_is_lost(lamps: Workspace) -> None:
    taken: list[int] = []

    def lose(progress: Any) -> bool:
        taken.append(progress["done"])
        return len(taken) < 3

    result = lamps.container.embedding(lose)
    assert result == {"embedded": taken[-1], "stopped": Reason.of(UpkeepCode.LEASE_LOST)}
    assert lamps.stats().waiting == LAMPS - taken[-1]


def test_a_process_of_its_own_embeds_and_ends(tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOLDFAST_BACKGROUND")
    started: list[int] = []
    monkeypatch.setattr(background, "start", _watched(background.start, started))
    with holdfast.open(db=str(tmp_path / "memory.db"), project=str(project)) as ws:
        ws.remember("The kettle whistles at five")
        wait_for(lambda: ws.stats().waiting == 0)
        ws.remember("The clock strikes at six")
        wait_for(lambda: ws.stats().waiting == 0)
        wait_for(lambda: not any(_lives(pid) for pid in started))
        assert ws.stats().background is None
        assert_embedded(ws)
        assert "embed" in {run.name for run in ws.stats().jobs}
        assert all(run.outcome == "ok" for run in ws.stats().jobs)
    assert 1 <= len(started) <= 2
    assert_sound(tmp_path / "memory.db")


def test_a_killed_background_process_is_recognised_as_ended(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOLDFAST_BACKGROUND")
    started: list[int] = []
    monkeypatch.setattr(background, "start", _watched(background.start, started))
    with holdfast.open(db=str(tmp_path / "memory.db"), project=str(project)) as ws:
        ws.remember("The kettle whistles at five")
        wait_for(lambda: background.is_running(ws.container.store.reading, ws.container.now()))
        os.kill(started[0], signal.SIGKILL)
        wait_for(lambda: not background.is_running(ws.container.store.reading, ws.container.now()))
        ws.remember("The clock strikes at six")
        wait_for(lambda: ws.stats().waiting == 0)
        wait_for(lambda: not any(_lives(pid) for pid in started))
        assert len(started) == 2
        assert_embedded(ws)


@pytest.mark.parametrize("read", ["recall", "list", "stats"])
def test_whoever_reads_starts_a_killed_process_again(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch, read: str
) -> None:
    db = str(tmp_path / "memory.db")
    with holdfast.open(db=db, project=str(project)) as ws:
        ws.remember("The kettle whistles at five")
        # What a killed process leaves: a lease in its name.
        ws.container.store.jobs.take(background.LEASE, "4194304@nowhere", 30)
    monkeypatch.delenv("HOLDFAST_BACKGROUND")
    started: list[int] = []
    monkeypatch.setattr(background, "start", lambda *_: started.append(1))
    monkeypatch.setattr(background, "is_gone", lambda holder: holder == "4194304@nowhere")
    with holdfast.open(db=db, project=str(project)) as ws:
        getattr(ws, read)(*["kettle"] * (read == "recall"))
    assert started == [1]


def assert_embedded(ws: Workspace) -> None:
    """Every memory has one vector, that of its own text."""
    rows = stored_vectors(ws.container.store)
    assert len(rows) == len({owner for owner, _ in rows}) == ws.count()
    memories = [ws.get(owner) for owner, _ in rows]
    expected = FakeEmbedder().embed([memory_text(memory) for memory in memories])
    found = np.array([np.frombuffer(vector, np.float16) for _, vector in rows], np.float32)
    assert np.allclose((expected * found).sum(axis=1), 1, atol=0.01)


def wait_for(done: Callable[[], bool], seconds: float = 300) -> None:
    until = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < until, "it did not come"
        time.sleep(0.05)


def _watched(start: Callable[..., int], started: list[int]) -> Callable[..., int]:
    def watched(*arguments: Any) -> int:
        started.append(start(*arguments))
        return started[-1]

    return watched


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
