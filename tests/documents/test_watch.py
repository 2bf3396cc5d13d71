"""Telling when files changed: once for a burst, and not after it was told to stop."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import holdfast
from holdfast.documents import watch
from holdfast.documents.index import IndexReport


@pytest.fixture(params=["told", "looked"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the system's word, where it can be had, and by looking."""
    if request.param == "told":
        pytest.importorskip("watchfiles")
    else:
        monkeypatch.setattr(watch, "find_spec", lambda name: None)
    monkeypatch.setattr(watch, "_LOOK_SECONDS", 0.05)
    monkeypatch.setattr(watch, "_SETTLE_SECONDS", 0.1)


@pytest.mark.usefixtures("way")
def test_a_burst_of_changes_is_indexed(tmp_path: Path, project: Path) -> None:
    (project / "a.md").write_text("# One\n")
    stop, seen = threading.Event(), threading.Event()
    reports: list[IndexReport] = []

    def told(report: IndexReport) -> None:
        reports.append(report)
        if sum(one.added for one in reports) == 3:
            seen.set()

    with holdfast.open(db=str(tmp_path / "watch.db"), project=str(project)) as ws:
        ws.index()
        watcher = threading.Thread(
            target=ws.container.documents.indexer("any").follow, args=(None, IndexReport(), told, stop)
        )
        watcher.start()
        try:
            for turn in range(100):  # Why again and again: watching begins a moment after the thread does.
                for n in range(3):
                    (project / f"new{n}.md").write_text(f"# New {n}, {turn}\n")
                if seen.wait(0.5):
                    break
        finally:
            stop.set()
            watcher.join()
        assert seen.is_set()
        assert len(ws.documents()) == 4


def test_nothing_is_told_while_nothing_changes() -> None:
    stop = threading.Event()
    looks = iter(range(3))

    def look() -> str:
        if next(looks) == 2:
            stop.set()
        return "the same"

    assert list(watch._looked(look, stop)) == []
