"""Kills a process at any moment, 20 times per store: every acknowledged write is stored, and the store is sound."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import holdfast
from holdfast.core.admission import Candidate
from holdfast.models.contextual import memory_text
from holdfast.models.fake import FakeEmbedder
from holdfast.workspace import Workspace
from tests.store.database import stored_vectors
from tests.store.state import assert_sound, derived
from tests.torture.children import Child, Report, forks

pytestmark = [pytest.mark.torture, forks]

DATABASES, KILLS = 10, 20
Work = Callable[[Workspace, int, Report], None]


def remembering(ws: Workspace, round: int, report: Report) -> None:
    for n in range(10_000):
        answer = ws.remember(f"Drawer d{n}r{round} holds thing t{n * 7}r{round}", files=[f"src/f{n % 5}.py"])
        assert answer.memory is not None
        report(["kept", answer.memory.id])
        if n % 4 == 0:
            batch = [Candidate(f"Box b{n}r{round}k{k} holds item i{k}n{n}r{round}") for k in range(3)]
            report(["kept", *(a.memory.id for a in ws.remember_all(batch) if a.memory)])


def saying(ws: Workspace, round: int, report: Report) -> None:
    session = ws.session(f"s{round}")
    for n in range(100_000):
        answer = session.say("user", f"message {n} of round {round}")
        assert answer.memory is not None
        report(["kept", answer.memory.id])


def embedding(ws: Workspace, round: int, report: Report) -> None:
    ws.remember_all([Candidate(f"Lamp l{n}r{round} stands in room m{n * 3}r{round}") for n in range(150)])
    report(["ready"])
    while True:
        ws.upkeep("embed")
        ws.remember(f"One more lamp at {time.monotonic_ns()} in round {round}")


def correcting(ws: Workspace, round: int, report: Report) -> None:
    answer = ws.remember(f"Clock c{round} shows minute zero")
    assert answer.memory is not None
    for n in range(10_000):
        old = answer.memory.id
        answer = ws.correct(old, f"Clock c{round} shows minute m{n}")
        assert answer.memory is not None
        report(["replaced", old, answer.memory.id])
        if n % 3 == 0:
            ws.restore(old)
            report(["restored", old, answer.memory.id])
            answer = ws.correct(old, f"Clock c{round} shows again minute a{n}")
            assert answer.memory is not None
            report(["replaced", old, answer.memory.id])


def moving(ws: Workspace, round: int, report: Report) -> None:
    """Exports the project and imports it into another project of the same store, repeatedly."""
    ws.remember_all([Candidate(f"Crate k{n}r{round} weighs w{n * 9}r{round}") for n in range(20)])
    exported = ws.export()
    report(["ready"])
    for n in range(1_000):
        folder = Path(ws.root, f"copy-{round}-{n}")
        folder.mkdir()
        with holdfast.open(db=ws.db, project=str(folder)) as other:
            counts = other.import_(exported)
            report(["moved", other.project, counts["added"]])


WORKS: tuple[Work, ...] = (remembering, saying, embedding, correcting, moving)


@pytest.mark.parametrize("number", range(DATABASES))
def test_twenty_kills(tmp_path: Path, capsys: Any, number: int) -> None:
    load_modules(tmp_path / "first")
    (tmp_path / "project").mkdir()
    started = time.monotonic()
    acknowledged = torment(str(tmp_path / "memory.db"), tmp_path / "project", random.Random(20250601 + number))
    assert acknowledged > KILLS
    with capsys.disabled():
        seconds = time.monotonic() - started
        print(f"\n{KILLS} kills in {seconds:.1f} s, {acknowledged:,} acknowledged writes, none lost")


def load_modules(folder: Path) -> None:
    """Does each kind of work once: a forked child has the loaded modules, and need not import them before its work."""
    folder.mkdir()
    with holdfast.open(db=str(folder / "first.db"), project=str(folder)) as ws:
        first = ws.remember_all([Candidate("Drawer d0 holds thing t0")])[0].memory
        assert first is not None
        ws.session("s").say("user", "message 0 of round 0")
        ws.upkeep("embed")
        ws.restore(ws.correct(first.id, "Drawer d0 holds thing t1").superseded[0])
        ws.import_(ws.export())


def torment(db: str, folder: Path, dice: random.Random) -> int:
    told: list[list[Any]] = []
    for round in range(KILLS):
        work = WORKS[round % len(WORKS)]
        child = Child(lambda report, work=work, round=round: run(db, str(folder), work, round, report))  # type: ignore[misc] # mypy knows no default in a lambda
        if dice.random() < 0.9:
            child.first_report_into(told)
        time.sleep(dice.uniform(0, 0.15))
        child.kill()
        code, reports = child.end()
        assert code == -9, work
        told += reports
        check(db, str(folder), told)
    return sum(line[0] != "ready" for line in told)


def run(db: str, folder: str, work: Work, round: int, report: Report) -> None:
    with holdfast.open(db=db, project=folder) as ws:
        work(ws, round, report)


def check(db: str, folder: str, told: list[list[Any]]) -> None:
    with holdfast.open(db=db, project=folder) as ws:
        bad = [finding for finding in ws.container.store.health.examine() if finding.level == "bad"]
        assert not bad
        assert_told(ws, told)
        assert_vectors(ws)
        if len(told) % 4 == 0:
            incremental = derived(db)
            ws.container.store.health.repair()
            assert derived(db) == incremental
    assert_sound(db)


def assert_told(ws: Workspace, told: list[list[Any]]) -> None:
    state = {m.id: m for m in ws.list(limit=1_000_000, include_forgotten=True)}
    last = {ids[0]: verb for verb, *ids in told if verb in ("replaced", "restored")}
    for verb, *rest in told:
        if verb == "kept":
            assert all(id in state for id in rest)
        elif verb in ("replaced", "restored"):
            assert rest[1] in state
        elif verb == "moved":
            assert ws.container.store.reading.totals()["memories"] > 0
            with ws.container.store.transfer.start_export(rest[0]) as archive:
                assert len(tuple(archive.memories)) == rest[1]
    for old, verb in last.items():
        # The process may have been killed after it stored the next step and before it reported it.
        assert verb == "restored" or state[old].valid_until is not None or ws.history(old)[-1].verb == "restore"


def assert_vectors(ws: Workspace) -> None:
    """Every passage with a vector has that of its own text."""
    embedded = [(owner, vector) for owner, vector in stored_vectors(ws.container.store, 100) if vector][:50]
    memories = [ws.container.store.reading.memory(owner) for owner, _ in embedded]
    if not embedded:
        return
    expected = FakeEmbedder().embed([memory_text(m) for m in memories if m]).astype(np.float32)
    found = np.array([np.frombuffer(vector, np.float16) for _, vector in embedded], np.float32)
    assert np.allclose((expected * found).sum(axis=1), 1, atol=0.01)
