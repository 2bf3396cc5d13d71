"""Watching files: one run for a burst of changes, stale code at once, and nothing after stopping."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import holdfast
from holdfast.documents.document_index import IndexReport
from holdfast.indexing import project_index as indexing
from holdfast.indexing import watch
from holdfast.indexing.project_index import IndexRequest, ProjectIndexer
from holdfast.upkeep import doctor as health
from holdfast.workspace import Workspace


@pytest.fixture(params=["notified", "polled"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With watchfiles if it is installed, and by polling."""
    if request.param == "notified":
        pytest.importorskip("watchfiles")
    else:
        monkeypatch.setattr(watch, "find_spec", lambda name: None)
    monkeypatch.setattr(watch, "_POLL_SECONDS", 0.05)
    monkeypatch.setattr(watch, "QUIET_SECONDS", 0.1)


@pytest.fixture
def ws(tmp_path: Path, project: Path) -> Iterator[Workspace]:
    with holdfast.open(db=str(tmp_path / "watch.db"), project=str(project), background=False) as ws:
        yield ws


def indexer_of(ws: Workspace) -> ProjectIndexer:
    return ProjectIndexer(ws.container, lambda report: report)


@pytest.mark.usefixtures("way")
def test_a_burst_of_changes_is_indexed(ws: Workspace, project: Path) -> None:
    (project / "a.md").write_text("# One\n")
    (project / "a.py").write_text("def one(): ...\n")
    stop, seen = threading.Event(), threading.Event()
    reports: list[IndexReport] = []

    def follow() -> None:
        for report in indexer_of(ws).follow(IndexRequest(), stop):
            reports.append(report)
            if len(ws.documents()) == 4 and ws.stats().code.files == 4:
                seen.set()

    ws.index()
    watcher = threading.Thread(target=follow)
    watcher.start()
    try:
        for turn in range(100):  # Repeated, because watching begins shortly after the thread.
            for n in range(3):
                (project / f"new{n}.md").write_text(f"# New {n}, {turn}\n")
                (project / f"new{n}.py").write_text(f"from a import one\none({turn})\n")
            if seen.wait(0.5):
                break
    finally:
        stop.set()
        watcher.join()
    assert seen.is_set()
    assert ws.index().code is not None
    assert ws.stats().code.stale == 0


def test_code_is_stale_from_the_first_notice_on(ws: Workspace, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "a.py").write_text("def one(): ...\n")
    ws.index()
    assert ws.stats().code.stale == 0
    monkeypatch.setattr(indexing, "changes", lambda *_: iter([frozenset(["a.py", "b.md"])]))
    assert list(indexer_of(ws).follow(IndexRequest(), threading.Event())) == []
    assert ws.stats().code.stale == 1
    ws.index()
    assert ws.stats().code.stale == 0


@pytest.mark.usefixtures("way")
def test_what_changed_before_watching_began_is_indexed(ws: Workspace, project: Path) -> None:
    ws.index()
    (project / "early.py").write_text("def early(): ...\n")
    stop = threading.Event()
    limit = threading.Timer(20, stop.set)
    limit.start()
    for report in indexer_of(ws).follow(IndexRequest(), stop):
        assert report.code is not None
        assert report.code.added == 1
        stop.set()
    limit.cancel()
    assert ws.stats().code.files == 1


def test_a_burst_ends_when_nothing_changes_and_git_is_not_busy() -> None:
    a, b, nothing = frozenset("a"), frozenset("b"), frozenset[str]()
    times = iter([0.1, 0.2, 0.6, 0.8, 2.0])
    busy = iter([True, False])
    batches = [nothing, a, b, nothing, nothing, nothing, nothing]
    assert list(watch.settled(batches, lambda: next(busy), lambda: next(times))) == [a | b]
    assert next(times, None) is None


def test_polling_yields_changed_new_and_deleted_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "_POLL_SECONDS", 0.01)
    stop = threading.Event()
    states: list[dict[str, object]] = [{"a": 1, "b": 1}, {"a": 1, "b": 1}, {"a": 2, "c": 1}, {}]

    def snapshot() -> dict[str, object]:
        if len(states) == 2:
            stop.set()
        return states.pop(0)

    assert list(watch._polled(snapshot, stop)) == [frozenset(), frozenset("abc")]


def test_the_lock_of_git_is_noticed(project: Path) -> None:
    assert indexing._git_is_busy(None) is False
    lock = project / "index.lock"
    assert indexing._git_is_busy(str(lock)) is False
    lock.write_text("")
    assert indexing._git_is_busy(str(lock)) is True


def test_documents_or_code_alone(ws: Workspace, project: Path) -> None:
    (project / "a.md").write_text("# One\n")
    (project / "a.py").write_text("def one(): ...\n")
    report = ws.index(code=False)
    assert (report.added, report.code) == (1, None)
    report = ws.index(docs=False)
    assert (report.added, report.code and report.code.added) == (0, 1)
    assert not ws.index().changed


def test_the_background_updates_code_that_was_indexed_before(ws: Workspace, project: Path) -> None:
    (project / "a.py").write_text("def one(): ...\n")
    assert ws.upkeep("code") == {"code": {"resolved": 0}}
    ws.index()
    (project / "b.py").write_text("from a import one\n")
    assert ws.upkeep("code") == {"code": {"added": 1, "resolved": 1}}
    (project / "c.py").write_text("from a import one\n")
    assert ws.upkeep("code") == {"code": {"resolved": 0}}, "a process looks for changes once"
    ws.container.code_indexer.graph.mark_stale(ws.project, ["b.py"])
    assert ws.upkeep("code") == {"code": {"added": 1, "resolved": 2}}


def test_doctor_knows_the_code_index(ws: Workspace, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def code() -> list[tuple[str, str]]:
        return [(str(f.level), str(f.detail.code)) for f in ws.doctor().findings if f.check == "code"]

    assert code() == []
    (project / "a.py").write_text("def one(): ...\n")
    ws.index()
    assert code() == [("good", "upkeep.code_current")]
    monkeypatch.setattr(health, "_SLOWEST_WALK", 0.0)
    assert code() == [("warning", "upkeep.code_large")]
    ws.container.code_indexer.graph.mark_stale(ws.project, ["a.py"])
    assert code() == [("warning", "upkeep.code_stale")]


def test_ignored_code_is_not_indexed(tmp_path: Path, project: Path) -> None:
    for name in ("a.py", "vendor/b.py", "src/old/c.py", "src/d_gen.py", "src/top.py", "top.py", "kept_gen.py"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("x = 1\n")
    ignored = "vendor/, src/old/**, *_gen.py, !kept_gen.py, /top.py"
    with holdfast.open(db=str(tmp_path / "i.db"), project=str(project), background=False, index_ignore=ignored) as ws:
        ws.index(docs=False)
        assert [file.path for file in ws.container.reading.code_files(ws.project)] == [
            "a.py",
            "kept_gen.py",
            "src/top.py",
        ]
