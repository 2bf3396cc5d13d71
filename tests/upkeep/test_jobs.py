"""Background jobs: leased, resumable and done once."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import holdfast
from holdfast.container.job_table import JOBS
from holdfast.core.admission import Candidate
from holdfast.core.answer import Filters
from holdfast.core.clock import FixedClock
from holdfast.core.document import Chunk
from holdfast.core.errors import InvalidInput
from holdfast.core.job import Job
from holdfast.core.memory import Memory
from holdfast.core.reason import Reason
from holdfast.upkeep import background
from holdfast.upkeep.upkeep_reasons import UpkeepCode
from holdfast.workspace import Workspace
from tests.store.database import index_segments, orphan_passages

NOW = datetime(2025, 6, 1, tzinfo=UTC)


def a_lamp(number: int) -> str:
    """A memory about a lamp that shares no other word with others, so that they are not compared with each other."""
    ending = chr(97 + number // 10) + chr(97 + number % 10)
    return f"Lamp {number}: " + ", ".join(tree + ending for tree in ("oak", "elm", "fir", "ash"))


def test_only_vectors_of_code_are_moved(ws: Workspace) -> None:
    ws.remember(a_lamp(1))
    resources = ws.container.embedding
    assert resources.embedder is not None
    moving = replace(resources, move_code=lambda vectors: -vectors)
    text = Chunk("c1", "a.md", 0, ("Lamps",), "Lamps are switched off at ten.", 0, 30, 1, 1)
    owners: list[Memory | Chunk] = [ws.list()[0], text, replace(text, id="c2", document="a.py", is_code=True)]
    before, after = (each.passages(resources.embedder, owners) for each in (resources, moving))
    signs = [1, 1, -1]
    for sign, old, new in zip(signs, before, after, strict=True):
        assert np.array_equal(np.frombuffer(new.data, "<f2"), sign * np.frombuffer(old.data, "<f2"))


def test_embed_gives_each_passage_its_vector_once(ws: Workspace) -> None:
    for n in range(40):
        ws.remember(a_lamp(n))
    assert ws.stats().waiting == 40
    assert ws.upkeep("embed") == {"embed": {"embedded": 40, "dropped": 0}}
    assert ws.upkeep("embed") == {"embed": {"embedded": 0, "dropped": 0}}
    stats = ws.stats()
    assert (stats.waiting, stats.totals["vectors"], stats.background) == (0, 40, None)
    assert [(run.name, run.outcome, run.detail["embedded"]) for run in stats.jobs] == [("embed", "ok", 40)]


def test_another_model_embeds_again_and_drops_the_old_vectors(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    from holdfast.models.fake import FakeEmbedder

    ws.remember("The kettle whistles")
    ws.upkeep()
    monkeypatch.setattr(FakeEmbedder, "id", "fake@2:256")
    with holdfast.open(db=ws.db, project=ws.root) as other:
        assert other.stats().waiting == 1
        assert other.upkeep("embed") == {"embed": {"embedded": 1, "dropped": 1}}


def test_without_an_embedder_there_is_nothing_to_do(tmp_path: Path, project: Path) -> None:
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), embedder="none") as ws:
        ws.remember("The kettle whistles")
        assert ws.upkeep()["embed"] == {"embedded": 0, "skipped": Reason.of(UpkeepCode.NO_EMBEDDER)}
        assert ws.recall("kettle").hits


def test_a_setting_embeds_memories_at_once(tmp_path: Path, project: Path) -> None:
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), embed_when="now") as ws:
        ws.remember("The kettle whistles")
        assert ws.stats().waiting == 0


def test_evict_drops_expired_entries(tmp_path: Path, project: Path) -> None:
    clock: Any = FixedClock(NOW)
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), clock=clock) as ws:
        ws.remember("The kettle whistles")
        ws.upkeep()
        assert ws.stats().totals["cached"] == 1
        clock.advance(8 * 86_400)
        assert ws.upkeep("evict") == {"evict": {"evicted": 1}}


def test_tidy_compacts_the_full_text_index_and_loses_nothing(ws: Workspace) -> None:
    for n in range(40):
        ws.remember(a_lamp(n), type="fact")
    before = ws.container.store.reading.find_words(ws.project, ["lamp"], Filters(), 50)
    assert ws.upkeep("tidy")["tidy"]["joined"] > 1
    assert index_segments(ws.container.store) == 1
    assert ws.container.store.reading.find_words(ws.project, ["lamp"], Filters(), 50) == before
    assert len(before) == 40
    assert ws.upkeep("tidy") == {"tidy": {"joined": 0, "counted": 0}}
    assert not [finding for finding in ws.container.store.health.examine() if finding.level == "bad"]


def test_tidy_counts_uncounted_words(tmp_path: Path, project: Path) -> None:
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), embedder="none") as ws:
        ws.remember_all(Candidate(f"Lamp {n} stands in the greenhouse", "fact") for n in range(5))
        assert ws.upkeep("tidy")["tidy"]["counted"] == 5
        assert ws.container.store.reading.spelt_like("greenhuose") == ("greenhouse",)
        assert ws.upkeep("tidy")["tidy"]["counted"] == 0


def test_an_unknown_job_is_refused_with_the_known_names(ws: Workspace) -> None:
    with pytest.raises(InvalidInput, match="Use one of: erase, messages, consolidate, observe"):
        ws.upkeep("sweep")


def hold(ws: Workspace, holder: str) -> None:
    assert ws.container.store.jobs.take(background.LEASE, holder, 30)


def gone_pid() -> int:
    """Returns the id of a process that has ended."""
    return os.waitpid(os.posix_spawn(sys.executable, [sys.executable, "-c", ""], os.environ), 0)[0]


@pytest.mark.parametrize(
    ("holder", "running"),
    [
        (lambda: f"{socket.gethostname()}:{os.getppid()}", True),
        (lambda: f"{socket.gethostname()}:{gone_pid()}", False),
        (lambda: f"elsewhere:{gone_pid()}", True),
        (lambda: "nonsense", True),
    ],
    ids=["alive", "dead", "on another machine", "unreadable"],
)
def test_only_a_dead_process_of_this_machine_loses_its_lease(
    ws: Workspace, holder: Callable[[], str], running: bool
) -> None:
    ws.remember("The kettle whistles")
    hold(ws, holder())
    assert background.is_running(ws.container.store.reading, ws.container.now()) is running
    assert ("skipped" in ws.upkeep()) is running
    assert ws.stats().waiting == int(running)


def test_an_expired_lease_is_free(ws: Workspace) -> None:
    hold(ws, "elsewhere:1")
    later = ws.container.now() + timedelta(seconds=31)
    assert not background.is_running(ws.container.store.reading, later)


def test_a_lingering_run_does_work_that_arrives_later(ws: Workspace) -> None:
    ws.remember("The kettle whistles")
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        ws.remember(f"The clock strikes {len(slept)} times today")
        if len(slept) == 2:
            ws.container.store.jobs.free(background.LEASE, f"{socket.gethostname()}:{os.getpid()}")

    result = background.run(
        JOBS,
        ws.container,
        ws.project,
        ws.container.store.reading,
        ws.container.store.jobs,
        ws.container.now,
        60,
        sleep,
    )
    assert result["embed"]["embedded"] == 2
    assert len(slept) == 2


def test_the_lease_is_freed_when_a_job_fails(ws: Workspace) -> None:
    def fail(parts: object, progress: object) -> Any:
        raise ZeroDivisionError

    container = ws.container
    with pytest.raises(ZeroDivisionError):
        background.run([Job("x", fail)], None, "", container.reading, container.store.jobs, container.now)
    assert ws.container.store.reading.lease(background.LEASE) is None


def test_a_changed_memory_is_embedded_again(ws: Workspace) -> None:
    ws.remember("The kettle whistles")
    ws.upkeep("embed")
    ws.remember("The kettle whistles", tags=["kitchen"])
    assert ws.stats().waiting == 1
    ws.upkeep("embed")
    assert ws.stats().waiting == 0


def test_orphaned_passages_stop_the_job(ws: Workspace) -> None:
    ws.remember("The kettle whistles")
    ws.remember("The attic creaks")
    orphan_passages(ws.container.store, "The attic")
    result = ws.upkeep("embed")["embed"]
    assert result == {"embedded": 1, "stopped": Reason.of(UpkeepCode.ORPHANED_PASSAGES)}
    assert ws.stats().jobs[0].detail["stopped"] == {"code": "upkeep.orphaned_passages", "values": {}}
    ws.doctor(repair=True)
    assert ws.upkeep("embed")["embed"]["embedded"] == 1
    assert ws.stats().waiting == 0
