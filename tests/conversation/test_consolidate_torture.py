"""Consolidation repeated, concurrent or interrupted at any write: the same facts, none twice, none lost."""

from __future__ import annotations

import itertools
import random
import time
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.core.errors import HoldfastError
from holdfast.upkeep import background
from holdfast.workspace import Workspace
from tests.conversation.scripted import ScriptedModel, fact, page
from tests.conversation.talk import HELLO, MORNING, chatter, talk
from tests.store.sqlite.test_faults import FAULTS, World
from tests.store.state import assert_sound
from tests.torture.children import Child, Report, forks

pytestmark = [pytest.mark.torture, forks]

KILLS = 25


def converse(ws: Workspace) -> None:
    """Two sessions: one of two pages, and one that changes a fact of the first."""
    last = "user: From now on, never deploy anything on a Friday afternoon."
    talk(ws, "first", *HELLO, *chatter(28), last)
    talk(ws, "second", "user: I moved to Brest: I live in Brest now.", "assistant: Noted.", at=MORNING.replace(day=9))


def results(ws: Workspace) -> dict[str, Any]:
    """All results of consolidation, without ids and times."""
    episodes = {m.id: m.content for m in ws.list(types="episode", limit=1_000)}
    learned = [m for m in ws.list(limit=1_000, include_forgotten=True) if m.type != "episode"]
    history = ws.container.store.sessions.history(ws.project)
    return {
        "facts": sorted((m.content, m.type, m.superseded, *(episodes[id] for id in m.source_ids)) for m in learned),
        "history": [(e.session, e.text, e.how, episodes[e.first], episodes[e.last]) for e in history],
        "watermarks": {s.id: episodes[s.consolidated_to] for s in ws.sessions() if s.consolidated_to},
    }


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The results of an undisturbed run."""
    folder = tmp_path_factory.mktemp("expected")
    with holdfast.open(db=str(folder / "m.db"), project=str(folder), embedder="none", background=False) as ws:
        converse(ws)
        ws.consolidate()
        found = results(ws)
    assert len(found["facts"]) >= 3
    assert len(found["history"]) == 3
    return found


@pytest.mark.parametrize("message", FAULTS)
def test_the_nth_write_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, message: str, expected: dict[str, Any]
) -> None:
    monkeypatch.setenv("HOLDFAST_EMBEDDER", "none")
    world = World(tmp_path, monkeypatch, message)
    with world.open("before.db") as ws:
        converse(ws)
    failures = 0
    for n in itertools.count(1):
        path = world.copy(f"{n}.db")
        with world.open(path.name) as ws:
            world.fault.arm(n)
            failed = _fails(ws)
            fired = world.fault.fired
            world.fault.disarm()
            assert failed or not fired
            assert_part(results(ws), expected)
            ws.consolidate()
            assert results(ws) == expected
        assert_sound(path)
        path.unlink()
        if not fired:
            break
        failures += 1
    assert failures > 20


def _fails(ws: Workspace) -> bool:
    try:
        ws.consolidate()
    except HoldfastError:
        return True
    return False


def assert_part(found: dict[str, Any], whole: dict[str, Any]) -> None:
    """Checks that only whole pages are stored: history as far as the watermarks, and no other facts."""
    known = Counter(text for text, *_ in whole["facts"])
    assert not Counter(text for text, *_ in found["facts"]) - known
    assert all(entry in whole["history"] for entry in found["history"])
    assert {entry[0]: entry[4] for entry in found["history"]} == found["watermarks"]


def consolidate(db: str, folder: str, report: Report, **settings: Any) -> None:
    with holdfast.open(db=db, project=folder, **{"embedder": "none", **settings}) as ws:
        report("ready")
        ws.consolidate()
        report("done")


def test_killed_at_any_moment(tmp_path: Path, project: Path, expected: dict[str, Any]) -> None:
    dice = random.Random(20260302)
    cut_off = 0
    for n in range(KILLS):
        db = str(tmp_path / f"{n}.db")
        with holdfast.open(db=db, project=str(project), embedder="none") as ws:
            converse(ws)
        child = Child(lambda report, db=db: consolidate(db, str(project), report))  # type: ignore[misc] # mypy knows no default in a lambda
        child.first_report_into([])
        time.sleep(dice.uniform(0, 0.12))
        child.kill()
        _, reports = child.end()
        cut_off += "done" not in reports
        with holdfast.open(db=db, project=str(project), embedder="none") as ws:
            assert_part(results(ws), expected)
            ws.consolidate()
            assert results(ws) == expected
        assert_sound(db)
    assert cut_off > KILLS / 5


def test_several_at_once(tmp_path: Path, project: Path, expected: dict[str, Any]) -> None:
    for n in range(5):
        db = str(tmp_path / f"{n}.db")
        with holdfast.open(db=db, project=str(project), embedder="none") as ws:
            converse(ws)
        children = [Child(lambda report, db=db: consolidate(db, str(project), report)) for _ in range(4)]  # type: ignore[misc] # mypy knows no default in a lambda
        assert [child.end() for child in children] == [(0, ["ready", "done"])] * 4
        with holdfast.open(db=db, project=str(project), embedder="none") as ws:
            assert results(ws) == expected
            assert ws.consolidate().sessions == ()
        assert_sound(db)


def test_several_at_once_with_a_model(tmp_path: Path, project: Path) -> None:
    db = str(tmp_path / "m.db")
    with ScriptedModel() as model, holdfast.open(db=db, project=str(project), embedder="none") as ws:
        converse(ws)
        model.says("consolidate", page("[2026-03-02 09:00] A talk.", fact("Ada lives in Lyon.", 1)))
        settings = model.settings(http_timeout=10.0)
        children = [Child(lambda report: consolidate(db, str(project), report, **settings)) for _ in range(3)]
        assert [child.end()[0] for child in children] == [0] * 3
        assert model.count("consolidate") == 3
        assert [m.content for m in ws.list() if m.type != "episode"] == ["Ada lives in Lyon."]
        assert [entry.how for entry in ws.container.store.sessions.history(ws.project)] == ["model"] * 3
        assert ws.stats().llm.calls == len(model.asked)


def test_an_overtaken_run_stores_nothing(tmp_path: Path, project: Path) -> None:
    """Another process consolidates the page while the model is working, as if the lease had run out."""
    db = str(tmp_path / "m.db")
    with ScriptedModel() as model:
        model.says("consolidate", page("[2026-03-02 09:00] Mine.", fact("The slow one was here.", 1)))
        with holdfast.open(db=db, project=str(project), embedder="none", **model.settings()) as slow:
            talk(slow, "s", *HELLO)
            route = model.route

            def overtake(request: Any) -> Any:
                slow.container.store.jobs.take("consolidate", "x:1:1", -1)
                lease = slow.container.store.reading.lease("consolidate")
                assert lease is not None
                slow.container.store.jobs.free("consolidate", lease.holder)
                with holdfast.open(db=db, project=str(project), embedder="none") as quick:
                    quick.consolidate("s")
                return route(request)

            model.route = overtake  # type: ignore[method-assign] # for this one question
            assert slow.consolidate("s").sessions[0].pages == 0
            assert [entry.how for entry in slow.container.store.sessions.history(slow.project)] == ["extract"]
            assert all("slow one" not in m.content for m in slow.list())


def test_a_background_process_consolidates_finished_sessions(tmp_path: Path, project: Path) -> None:
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), background=True, embedder="none") as ws:
        talk(ws, "first", *HELLO, at=ws.container.now() - timedelta(minutes=10))
        assert ws.container.reading.lease(background.LEASE) is None
        ws.session("second").say("user", "Good morning.")
        until = time.monotonic() + 300  # Work of the lowest priority waits long on a busy machine.
        while not any("linter" in m.content for m in ws.list() if m.type != "episode"):
            assert time.monotonic() < until, "nothing was learned"
            time.sleep(0.05)
        while background.is_running(ws.container.reading, ws.container.now()):
            assert time.monotonic() < until, "it did not end"
            time.sleep(0.05)
        watermarks = {s.id: s.consolidated_to is not None for s in ws.sessions()}
        assert watermarks == {"first": True, "second": False}
        assert "consolidate" in {run.name for run in ws.stats().jobs}
