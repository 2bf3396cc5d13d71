"""What a run of background jobs records, indexes and imports."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.core.job import SESSIONS, Job
from holdfast.store.vectors import vector_index as index
from holdfast.upkeep import background
from holdfast.workspace import Workspace
from tests.models.sized import use_sizes


def test_a_lingering_run_records_only_runs_that_did_work(ws: Workspace) -> None:
    results: list[dict[str, Any]] = [
        {"embedded": 2},
        {"embedded": 0, "skipped": "none"},
        {"embedded": 0, "stopped": "x"},
    ]
    job: Job[Any] = Job("embed", lambda parts, progress: results.pop(0))
    jobs, now = ws.container.store.jobs, lambda: datetime(2025, 6, 1, tzinfo=UTC)
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            jobs.free(background.LEASE, f"{socket.gethostname()}:{os.getpid()}")

    background.run([job], None, "", ws.container.store.reading, jobs, now, linger=60, sleep=sleep)

    assert [run.detail for run in ws.container.store.reading.job_runs()] == [{"embedded": 2}]


def test_work_that_arrives_during_a_slow_first_pass_is_done(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    runs: list[str] = []

    def embed(parts: Any, keep: Any) -> dict[str, Any]:
        runs.append("embed")
        return {}

    def slow(parts: Any, keep: Any) -> dict[str, Any]:
        clock[0] += 10
        return {}

    def sleep(seconds: float) -> None:
        clock[0] += seconds

    table = [Job("embed", embed), Job("slow", slow, timedelta(days=1))]
    store = ws.container.store
    background.run(table, None, "", store.reading, store.jobs, lambda: datetime.now(UTC), linger=0.4, sleep=sleep)
    assert runs == ["embed", "embed"]


def test_embedding_builds_the_vector_index_for_the_first_query(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "_SMALL_ROWS", 8)
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project)) as ws:
        for n in range(12):
            ws.remember(f"Lamp l{n} stands in room m{n * 3}")
        assert not list(tmp_path.glob("m.db-vectors-*"))

        ws.upkeep("embed")

        assert [path.name for path in tmp_path.glob("m.db-vectors-?")] == ["m.db-vectors-1"]


@pytest.mark.integration
@pytest.mark.parametrize("module", ["holdfast/__init__.py", "numpy.py"])
def test_the_background_process_never_imports_files_of_the_working_directory(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    marker = tmp_path / "imported"
    (project / module).parent.mkdir(exist_ok=True)
    (project / module).write_text(f"open({str(marker)!r}, 'w').close()\nraise SystemExit")
    monkeypatch.chdir(project)
    monkeypatch.delenv("HOLDFAST_BACKGROUND")

    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project)) as ws:
        ws.remember("Deploys go out on Tuesdays.")
        until = time.monotonic() + 300  # On a busy machine, work of the lowest priority waits long.
        while ws.stats().waiting and not marker.exists() and time.monotonic() < until:
            time.sleep(0.05)
        assert not marker.exists()
        assert ws.stats().waiting == 0


def test_the_vector_file_of_another_model_is_removed_with_its_vectors(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "_SMALL_ROWS", 8)
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project)) as ws:
        for n in range(12):
            ws.remember(f"Lamp l{n} stands in room m{n * 3}")
        ws.upkeep("embed")
        use_sizes(ws).upkeep("embed")
        assert [path.name for path in tmp_path.glob("m.db-vectors-?")] == ["m.db-vectors-2"]
        assert ws.recall("lamp l3", recipe="vector").hits[0].text.startswith("Lamp l3")


def test_the_background_process_computes_in_one_thread(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Any] = []
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    monkeypatch.setattr(background, "start", lambda *arguments: started.append(arguments))
    ws.remember("The kettle whistles")
    replace(ws.container.background, settings=replace(ws.settings, background=True)).wake()
    [(_, environment)] = started
    assert environment["OPENBLAS_NUM_THREADS"] == "1"


@pytest.mark.integration
@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's groups of processes are Linux's")
def test_background_work_has_a_low_priority_for_cpu_and_files() -> None:
    code = (
        "from holdfast.upkeep.background import lower_priority; lower_priority(); import os;"
        "print(os.getpriority(os.PRIO_PROCESS, 0), open('/proc/self/autogroup').read().split()[-1]"
        " if os.path.exists('/proc/self/autogroup') else 10)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, start_new_session=True
    )
    cpu, group = map(int, done.stdout.split())
    assert (max(10, os.getpriority(os.PRIO_PROCESS, 0)), 10) == (cpu, group)


@pytest.mark.integration
@pytest.mark.skipif(not os.path.exists("/proc/self/autogroup"), reason="the kernel's groups of processes are Linux's")
def test_background_work_does_not_slow_the_other_processes_of_its_session() -> None:
    def priority() -> str:
        return Path("/proc/self/autogroup").read_text(encoding="ascii")

    before = priority()
    code = "from holdfast.upkeep.background import lower_priority; lower_priority()"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert priority() == before


def test_embedding_stops_for_a_process_that_waits_and_other_jobs_do_not(ws: Workspace) -> None:
    store, went_on = ws.container.store, list[tuple[str, bool]]()

    def job(name: str, gives_way: bool = False) -> Job[Any]:
        def run(parts: Any, may_continue: Any) -> dict[str, Any]:
            store.jobs.take("upkeep-turn", "another-machine:1", 5)
            went_on.append((name, may_continue({"job": name})))
            return {"done": 1}

        return Job(name, run, gives_way=gives_way)

    table = [job("consolidate"), job("embed", gives_way=True)]
    background.run(table, None, "", store.reading, store.jobs, lambda: datetime.now(UTC), linger=60)

    assert went_on == [("consolidate", True), ("embed", False)]
    assert not background.is_running(store.reading, datetime.now(UTC))


def test_a_job_with_a_period_that_gave_way_is_due_again(ws: Workspace) -> None:
    store = ws.container.store

    def tidy(parts: Any, may_continue: Any) -> dict[str, Any]:
        store.jobs.take("upkeep-turn", "another-machine:1", 5)
        return {"joined": 1}

    table = [Job("tidy", tidy, timedelta(days=1), gives_way=True)]
    background.run(table, None, "", store.reading, store.jobs, lambda: datetime.now(UTC))
    assert store.reading.last_run("tidy") is None
    store.jobs.free("upkeep-turn", "another-machine:1")
    background.run([replace(table[0], gives_way=False)], None, "", store.reading, store.jobs, lambda: datetime.now(UTC))
    assert store.reading.last_run("tidy") is not None


def test_work_that_embedding_passed_by_starts_a_process_that_waits(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(background, "start", lambda command, environment: started.append(list(command)))
    store = ws.container.store
    store.jobs.take(background.LEASE, "another-machine:1", 30)
    due: Job[Any] = Job("consolidate", lambda parts, progress: {}, is_due=lambda parts: True, after=SESSIONS)
    upkeep = replace(ws.container.background, settings=replace(ws.settings, background=True), jobs=(due,))

    for done in ({"job": "consolidate"}, {"job": "embed", "gives_way": True}):
        store.jobs.keep(background.LEASE, "another-machine:1", 30, done)
        upkeep.wake(SESSIONS)
    assert [command[-3:] for command in started] == [["--background", "--patience", "60"]]

    store.jobs.take("upkeep-turn", "another-machine:2", 5)
    upkeep.wake(SESSIONS)
    assert len(started) == 1
