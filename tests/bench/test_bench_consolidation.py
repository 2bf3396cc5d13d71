"""Consolidating the benchmark conversations reaches its targets, if the data is available."""

from __future__ import annotations

from pathlib import Path

from bench.conversation.consolidation import figures


def test_rules_are_kept_and_amended_and_idle_talk_leaves_little(shared_data: Path) -> None:
    rows = figures(shared_data, embedder="none")
    assert [row for row in rows if row.holds is False] == []
    assert sum(row.holds is True for row in rows) == 4


def test_without_the_data_there_are_no_figures(tmp_path: Path) -> None:
    assert figures(tmp_path) == ()
