"""Eight processes write and read at once: 80,000 writes, none lost, no lock error, every index in step."""

from __future__ import annotations

import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.intake.message_intake import IncomingMessage
from tests.store.state import assert_sound
from tests.torture.children import Child, Report, forks

pytestmark = [pytest.mark.torture, forks]

PROCESSES = 8
# Calls of each process: `say`, `remember`, and `remember` with a text that all processes share, each acknowledged on
# its own; and rows stored in batches of a hundred, acknowledged batch by batch.
SAID, REMEMBERED, SHARED, BATCHED, BATCH = 2_490, 100, 10, 7_400, 100


def work(db: str, project: str, number: int, report: Report) -> None:
    random.seed(number)
    calls = ["say"] * SAID + ["remember"] * REMEMBERED + ["shared"] * SHARED + ["batch"] * (BATCHED // BATCH)
    random.shuffle(calls)
    worst, reads = 0.0, 0
    with holdfast.open(db=db, project=project, embedder="none") as ws:
        session = ws.session(f"session-{number}")
        for turn, call in enumerate(calls):
            started = time.monotonic()
            ids = acknowledged(ws, session, call, number, turn)
            worst = max(worst, time.monotonic() - started)
            report(ids)
            if turn % 200 == 0:
                reads += len(ws.recall("colour of drawer", abstain=False).hits) >= 0
                reads += ws.count() > 0
        report({"worst": worst, "reads": reads})


def acknowledged(ws: holdfast.Workspace, session: Any, call: str, number: int, turn: int) -> list[str]:
    if call == "say":
        return [session.say("user", f"turn {turn} of process {number} is about topic {turn * 31 % 997}").memory.id]
    if call == "batch":
        said = [
            IncomingMessage("assistant", f"part {part} of answer {turn} by process {number}") for part in range(BATCH)
        ]
        return [answer.memory.id for answer in session.say_all(said)]
    text = f"The colour of drawer d{turn}x{number} is shade s{turn * 13}y{number}"
    answer = ws.remember(text if call == "remember" else f"Shelf number{turn % SHARED} holds the common atlas")
    assert answer.memory is not None
    return [f"{call}:{answer.memory.id}"] if call == "shared" else [answer.memory.id]


def test_eighty_thousand_writes_by_eight_processes(tmp_path: Path, project: Path, capsys: Any) -> None:
    db = str(tmp_path / "memory.db")
    holdfast.open(db=db, project=str(project)).close()
    started = time.monotonic()
    children = [Child(lambda report, n=n: work(db, str(project), n, report)) for n in range(PROCESSES)]  # type: ignore[misc] # mypy knows no default in a lambda
    with ThreadPoolExecutor(PROCESSES) as readers:
        ends = list(readers.map(Child.end, children))
    seconds = time.monotonic() - started
    assert [code for code, _ in ends] == [0] * PROCESSES
    reports = [told for _, told_by_one in ends for told in told_by_one]
    ids = [id for told in reports if isinstance(told, list) for id in told]
    own = [id for id in ids if not id.startswith("shared:")]
    common = {id.removeprefix("shared:") for id in ids if id.startswith("shared:")}
    assert len(ids) == PROCESSES * (SAID + REMEMBERED + SHARED + BATCHED) == 80_000
    assert len(set(own)) == len(own)
    with holdfast.open(db=db, project=str(project), embedder="none") as ws:
        kept = {m.id for m in ws.list(limit=100_000, include_forgotten=True)}
        assert set(own) | common == kept
        assert Counter(m.content for m in ws.list(limit=100_000, types="fact")).most_common(1)[0][1] == 1
        for number in range(PROCESSES):
            said = ws.session(f"session-{number}").episodes(limit=100_000)
            assert len(said) == SAID + BATCHED
        assert all(finding.level != "bad" for finding in ws.container.store.health.examine())
        assert ws.stats().totals["passages"] == len(kept)
    assert_sound(db)
    worst = max(told["worst"] for told in reports if isinstance(told, dict))
    calls = PROCESSES * (SAID + REMEMBERED + SHARED + BATCHED // BATCH)
    with capsys.disabled():
        print(
            f"\n80,000 writes in {seconds:.1f} s ({80_000 / seconds:,.0f}/s), {calls:,} acknowledged calls"
            f" ({calls / seconds:,.0f}/s), worst wait {worst:.2f} s"
        )
