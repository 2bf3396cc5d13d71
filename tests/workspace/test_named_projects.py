"""Projects without a folder, people kept apart within a project, and databases that are deleted when closed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import holdfast
from holdfast import InvalidInput, NotFound


@pytest.fixture
def db(tmp_path: Path) -> str:
    return str(tmp_path / "memory.db")


def test_a_name_becomes_a_project_on_first_use_and_is_found_again(db, tmp_path):
    with holdfast.open(db, "support-bot") as ws:
        ws.remember("Refunds take three days")
        first = ws.project
        assert ws.project_name == "support-bot"
    with holdfast.open(db, "support-bot", create_project=False) as ws:
        assert (ws.project, ws.recall("how long do refunds take?").hits[0].text) == (first, "Refunds take three days")
    assert Path(ws.root).is_relative_to(tmp_path / "projects")
    with holdfast.open(db, "Support-Bot") as other:
        assert other.project != first
        assert other.count() == 0


@pytest.mark.parametrize("name", ["missing/folder", "./x", "~/x", "x" * 101, "a:b", "-x", "a\nb"])
def test_a_path_that_does_not_exist_is_no_name(db, name):
    with pytest.raises(NotFound, match="project"):
        holdfast.open(db, name)
    assert not os.path.exists(os.path.join(os.path.dirname(db), "projects"))


def test_an_unknown_name_can_be_refused(db):
    with pytest.raises(NotFound, match="support-bot"):
        holdfast.open(db, "support-bot", create_project=False)


def test_people_are_isolated_like_projects(db):
    with holdfast.open(db, "support-bot", "ada") as ada, holdfast.open(db, "support-bot", user="bob") as bob:
        secret = ada.remember("The door code of my house is the year of the moon landing").memory
        assert secret is not None
        bob.remember("I moved to Lyon in May")
        ada.add_entity("Grace", aliases=["G"])
        with ada.session("s1") as session:
            session.say("user", "From now on always answer in French.")
        ada.consolidate()
        assert bob.recall("door code of the house").hits == ()
        assert "moon" not in bob.context("the door code of the house").text
        assert [memory.content for memory in bob.list()] == ["I moved to Lyon in May"]
        assert bob.sessions() == ()
        assert "moon" not in bob.export() + bob.memory_page()
        for refused in (lambda: bob.get(secret.id), lambda: bob.forget(secret.id), lambda: bob.entity("Grace")):
            with pytest.raises(NotFound):
                refused()
        with holdfast.open(db, "support-bot") as everyone:
            assert everyone.count() == 0
            assert everyone.recall("door code of the house").hits == ()
    with holdfast.open(db, "support-bot", "ada") as ada:
        assert [hit.id for hit in ada.recall("door code of the house").hits] == [secret.id]
        assert ada.project_name == "support-bot:ada"


def test_a_person_in_a_folder_project_sees_its_files_but_leaves_none_there(db, project):
    (project / "app.py").write_text("x = 1\n", "utf-8")
    with holdfast.open(db, str(project), "ada") as ada:
        ada.remember("The app starts in app.py", files=["app.py"])
        assert ada.root == str(project)
        with ada.session("s1") as session:
            session.say("user", "From now on always answer in French.")
        ada.consolidate()
    assert [path.name for path in project.iterdir()] == ["app.py"]
    with holdfast.open(db, "project:ada", create_project=False) as again:
        assert (again.count() > 0, again.root) == (True, str(project))


@pytest.mark.parametrize("user", ["a/b", "a:b", "x" * 101, " "])
def test_an_odd_user_is_refused(db, user):
    with pytest.raises(InvalidInput, match="user"):
        holdfast.open(db, "support-bot", user)


def test_background_work_reaches_every_person(db):
    with holdfast.open(db, "support-bot", "ada", embedder="fake") as ada:
        ada.remember("Tea is at four")
        assert ada.upkeep("embed")["embed"]
        assert ada.stats().waiting == 0


def test_a_temporary_database_is_deleted_when_it_is_closed(tmp_path, monkeypatch, project):
    monkeypatch.chdir(tmp_path)
    with holdfast.open(":memory:", str(project)) as ws:
        ws.remember("Gone soon")
        file = ws.db
        assert os.path.exists(file)
        assert ws.count() == 1
    assert not os.path.exists(os.path.dirname(file))
    assert not os.path.exists(":memory:")
    with holdfast.open(db=":memory:", project="support-bot", user="ada") as ws:
        assert ws.count() == 0


def test_a_name_is_the_same_however_its_accents_are_written(db):
    with holdfast.open(db, "cafe\u0301", "jose\u0301") as ws:
        ws.remember("Tea is at four")
        first = ws.project
    with holdfast.open(db, "caf\u00e9", "jos\u00e9") as ws:
        assert (ws.project, ws.count(), ws.project_name) == (first, 1, "caf\u00e9:jos\u00e9")


def test_what_other_people_store_is_not_counted(db):
    with holdfast.open(db, "support-bot", "ada") as ada, holdfast.open(db, "support-bot", "bob") as bob:
        ada.remember("Tea is at four")
        ada.remember("I prefer tea to coffee", "preference", visibility="personal")
        with holdfast.open(db, "other", "ada") as elsewhere:
            elsewhere.session("s").say("user", "The kettle whistles")
        counts = {"memories": 3, "passages": 3, "messages": 1, "projects": 2}
        assert counts.items() <= ada.stats().totals.items()
        assert set(bob.stats().totals.values()) == {0, 1}
        assert bob.stats().totals["projects"] == 1
    with holdfast.open(db, "support-bot") as everyone:
        assert everyone.stats().totals["memories"] == 3
