"""Watching files: one notice for a burst of changes, and none after stopping."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import holdfast
from holdfast.documents import watch
from holdfast.documents.index import IndexReport


@pytest.fixture(params=["notified", "polled"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With watchfiles if it is installed, and by polling."""
    if request.param == "notified":
        pytest.importorskip("watchfiles")
    else:
        monkeypatch.setattr(watch, "find_spec", lambda name: None)
    monkeypatch.setattr(watch, "_POLL_SECONDS", 0.05)
    monkeypatch.setattr(watch, "_SETTLE_SECONDS", 0.1)


@pytest.mark.usefixtures("way")
def test_a_burst_of_changes_is_indexed(tmp_path: Path, project: Path) -> None:
    (project / "a.md").write_text("# One\n")
    stop, seen = threading.Event(), threading.Event()
    reports: list[IndexReport] = []

    def collect(report: IndexReport) -> None:
        reports.append(report)
        if sum(report.added for report in reports) == 3:
            seen.set()

    with holdfast.open(db=str(tmp_path / "watch.db"), project=str(project)) as ws:
        ws.index()
        watcher = threading.Thread(
            target=ws.container.documents.indexer("any").follow, args=(None, IndexReport(), collect, stop)
        )
        watcher.start()
        try:
            for turn in range(100):  # Repeated, because watching begins shortly after the thread.
                for n in range(3):
                    (project / f"new{n}.md").write_text(f"# New {n}, {turn}\n")
                if seen.wait(0.5):
                    break
        finally:
            stop.set()
            watcher.join()
        assert seen.is_set()
        assert len(ws.documents()) == 4


def test_polling_yields_nothing_without_changes() -> None:
    stop = threading.Event()
    polls = iter(range(3))

    def snapshot() -> str:
        if next(polls) == 2:
            stop.set()
        return "the same"

    assert list(watch._polled(snapshot, stop)) == []
