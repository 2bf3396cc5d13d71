"""The figures of extraction on real conversations reach their targets."""

from __future__ import annotations

from pathlib import Path

from bench.conversation import extract as bench
from bench.recall.pool import read_lines


def test_rules_are_kept_and_not_invented(shared_data: Path) -> None:
    folder = shared_data / bench.SDE
    tasks = [bench.chats(task) for task in read_lines(folder / "tasks.jsonl.gz")]
    decoys = [bench.chat(decoy["turns"], f"d{n}") for n, decoy in enumerate(read_lines(folder / "decoys.jsonl.gz"))]
    figures = [*bench.rules_kept(tasks), *bench.junk(decoys)]
    assert [figure for figure in figures if figure.holds is False] == []
