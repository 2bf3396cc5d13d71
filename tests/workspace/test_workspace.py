"""The façade: opening, finding the project, background work."""

from __future__ import annotations

import os
import subprocess
import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

import holdfast
from holdfast.core.errors import InvalidInput, NotFound, StoreForeign
from holdfast.core.reason import Reason
from holdfast.core.settings import Settings
from holdfast.store.store_reasons import StoreCode
from holdfast.workspace import Workspace
from tests.store.database import is_durable


def test_by_default_it_opens_in_the_users_data_folder(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    with holdfast.open() as ws:
        assert ws.db == os.path.join(os.environ["HOME"], ".local", "share", "holdfast", "holdfast.db")
        assert (ws.root, ws.project_name) == (str(project), "project")


def test_environment_arguments_and_settings_choose(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_DB", str(tmp_path / "a.db"))
    monkeypatch.setenv("HOLDFAST_PROJECT", str(project))
    with holdfast.open() as ws:
        assert (ws.db, ws.root) == (str(tmp_path / "a.db"), str(project))
    with holdfast.open(db=str(tmp_path / "b.db"), per_session=1) as ws:
        assert (ws.db, ws.settings.per_session, ws.settings.embedder) == (str(tmp_path / "b.db"), 1, "fake")
    with holdfast.open(project=str(project), settings=Settings(db=str(tmp_path / "c.db"), background=False)) as ws:
        assert ws.db == str(tmp_path / "c.db")


def test_a_project_is_named_by_folder_id_or_name(ws: Workspace, tmp_path: Path) -> None:
    memory = ws.remember("Tea is at four").memory
    assert memory is not None
    for name in (ws.project, "project", ws.root):
        with holdfast.open(db=ws.db, project=name) as other:
            assert (other.project, other.get(memory.id)) == (ws.project, memory)
    with pytest.raises(NotFound, match="project 'no/where'"):
        holdfast.open(db=ws.db, project="no/where")


def test_projects_in_one_file_are_apart(ws: Workspace, tmp_path: Path) -> None:
    memory = ws.remember("Tea is at four").memory
    assert memory is not None
    (tmp_path / "other").mkdir()
    with holdfast.open(db=ws.db, project=str(tmp_path / "other")) as other:
        assert (other.list(), other.recall("tea").hits) == ((), ())
        assert other.remember("Tea is at four").outcome == "stored"
        for verb in (other.get, other.forget, other.confirm):
            with pytest.raises(NotFound):
                verb(memory.id)
        with pytest.raises(NotFound):
            other.correct(memory.id, "Tea is at five")
    assert ws.get(memory.id) == memory


def test_the_commit_is_noted(tmp_path: Path, project: Path) -> None:
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "x"]):
        subprocess.run(["git", *words], cwd=project, check=True)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=project, check=True, capture_output=True, text=True).stdout
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project)) as ws:
        memory = ws.remember("Tea is at four").memory
        assert memory is not None
        assert memory.commit == head.strip()
        given = ws.remember("Cake is at five", commit="abc").memory
        assert given is not None
        assert given.commit == "abc"
        assert ws.init().marker is None


def test_init_marks_a_folder_so_that_it_may_move(ws: Workspace, project: Path, tmp_path: Path) -> None:
    ws.remember("Tea is at four")
    marker = ws.init().marker
    assert marker is not None
    assert Path(marker).read_text().strip() == ws.project
    project.rename(tmp_path / "moved")
    with holdfast.open(db=ws.db, project=str(tmp_path / "moved")) as moved:
        assert moved.recall("tea").hits
        assert moved.init().marker is None


def test_a_failed_opening_leaves_nothing_open(tmp_path: Path, project: Path) -> None:
    (tmp_path / "letter").write_text("dear reader " * 99)
    with pytest.raises(StoreForeign):
        holdfast.open(db=str(tmp_path / "letter"), project=str(project))
    with pytest.raises(NotFound):
        holdfast.open(db=str(tmp_path / "m.db"), project="no/where")
    assert not list(tmp_path.glob("m.db-*"))


@pytest.mark.integration
def test_threads_share_a_workspace(ws: Workspace) -> None:
    failed: list[BaseException] = []

    def teach(number: int) -> None:
        try:
            for n in range(10):
                assert ws.remember(f"Lamp l{n}t{number} stands in room m{n}t{number}").outcome == "stored"
                assert ws.recall(f"l{n}t{number}").hits
        except BaseException as error:  # Otherwise the thread would end and the test would pass.
            failed.append(error)

    threads = [threading.Thread(target=teach, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert ws.count() == 40


def test_stats_and_doctor_report_the_state(ws: Workspace) -> None:
    ws.remember("Tea is at four", type="decision")
    stats = ws.stats()
    assert (stats.project, stats.db, stats.embedder, stats.waiting) == (ws.project, ws.db, "fake@1:256", 1)
    assert stats.bytes > 0
    assert [(count.type, count.believed) for count in stats.by_type] == [("decision", 1)]
    health = ws.doctor()
    assert health.sound
    assert {finding.check for finding in health.findings} >= {"integrity", "full text", "findable", "vectors", "model"}
    assert [f.check for f in health.findings if f.level == "warning"] == ["model"]
    ws.upkeep()
    assert all(finding.level == "good" for finding in ws.doctor().findings)


def test_doctor_sees_others_permissions(ws: Workspace) -> None:
    os.chmod(ws.db, 0o644)
    finding = next(f for f in ws.doctor().findings if f.check == "permissions")
    assert finding.level == "warning"
    assert finding.hint == Reason.of(StoreCode.CHANGE_MODE, path=ws.db)


def test_lists_that_cannot_be(ws: Workspace) -> None:
    with pytest.raises(InvalidInput, match="order"):
        ws.list(order="colour")
    with pytest.raises(InvalidInput, match="filter"):
        ws.count(colour="red")


def test_everything_can_be_made_durable(tmp_path: Path, project: Path) -> None:
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), durability="everything") as ws:
        ws.session("s").say("user", "hello")
        assert is_durable(ws.container.store)


def test_what_is_acknowledged_is_durable_what_streams_is_not(ws: Workspace) -> None:
    ws.session("s").say("user", "hello")
    assert not is_durable(ws.container.store)
    ws.remember("Tea is at four")
    assert is_durable(ws.container.store)


def test_describe_shows_history_successors_and_related_memories(ws: Workspace) -> None:
    old = ws.remember("The harbour office opens at six").memory
    other = ws.remember("Ferries leave from the north pier").memory
    assert old is not None
    assert other is not None
    new = ws.correct(old.id, "The harbour office opens at seven").memory
    assert new is not None
    described = ws.describe(old.id[-8:])
    assert described.memory.id == old.id
    assert [memory.id for memory in described.successors] == [new.id]
    assert described.history == ws.history(old.id)
    assert {memory.id for memory in ws.describe(new.id).related} <= {old.id, other.id}


def test_identity_says_how_a_project_is_recognised(tmp_path: Path) -> None:
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(tmp_path)) as ws:
        ws.remember("The harbour office opens at six")
        before, after = ws.identity(), ws.init()
    assert (before.recognised_by.code, before.marker, before.memories) == ("core.folder", None, 1)
    assert (after.recognised_by.code, after.marker) == ("core.marker", str(tmp_path / ".holdfast" / "project"))
    assert (after.project, after.root, after.db) == (before.project, str(tmp_path), str(tmp_path / "m.db"))


@pytest.mark.parametrize("zone", [None, UTC, timezone(timedelta(hours=14)), timezone(timedelta(hours=-14))], ids=str)
@pytest.mark.parametrize("limit", [datetime.min, datetime.max], ids=["first", "last"])
def test_the_first_and_last_times_are_accepted_everywhere(
    ws: Workspace, limit: datetime, zone: timezone | None
) -> None:
    at = limit.replace(tzinfo=zone)
    assert ws.remember("The harbour opens at seven", when=at).memory is not None
    ws.session("s").say("user", "When does the harbour open?", when=at)
    assert len(ws.list(since=datetime.min, until=datetime.max)) == 2
    ws.list(since=at)
    ws.list(until=at)
    ws.recall("harbour", as_of=at)
    ws.recall("harbour", since=at, until=at)
    ws.consolidate()
    ws.reflect()
    assert ws.import_(ws.export())["added"] == 0
    assert "harbour" in ws.context("harbour").text
