"""What callers pass by mistake: a clear error, or what they meant; never another person's memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.core.errors import InvalidFile, InvalidInput, InvalidMemory, InvalidSettings
from holdfast.core.settings import Settings
from holdfast.workspace import Workspace, salvage


@pytest.fixture
def ws(tmp_path: Path) -> Any:
    with holdfast.open(str(tmp_path / "m.db"), "shop", embedder="none", background=False) as workspace:
        yield workspace


@pytest.mark.parametrize("empty", ["", "  "])
def test_an_empty_user_or_project_does_not_open_the_memory_of_all(tmp_path: Path, empty: str) -> None:
    with pytest.raises(InvalidInput, match="user is empty"):
        holdfast.open(str(tmp_path / "m.db"), "shop", empty)
    with pytest.raises(InvalidInput, match="project is empty"):
        holdfast.open(str(tmp_path / "m.db"), empty)
    assert not (tmp_path / "m.db").exists()


def test_settings_are_a_value_or_given_by_name() -> None:
    with pytest.raises(InvalidSettings, match=r"holdfast\.open\(embedder"):
        holdfast.open(settings={"embedder": "none"})  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [5, True, object(), b"x", ["x"], {"x": 1}])
@pytest.mark.parametrize("name", ["db", "project", "user", "settings", "types", "embedder"])
def test_opening_with_a_value_of_the_wrong_type_is_an_error_of_holdfast(name: str, wrong: Any) -> None:
    with pytest.raises(InvalidInput):
        holdfast.open(**{"db": ":memory:", "embedder": "none", name: wrong})
    with pytest.raises(InvalidInput):
        holdfast.open(**{"db": ":memory:", "settings": Settings(embedder="none"), name: wrong})


def test_settings_with_a_value_of_the_wrong_type_are_refused() -> None:
    with pytest.raises(InvalidSettings, match="per_session must be a whole number, not str"):
        holdfast.open(":memory:", settings=Settings(per_session="3"))  # type: ignore[arg-type]


@pytest.mark.parametrize("text", [None, b"The pump is on.", 7])
def test_what_is_no_text_is_named(ws: Workspace, text: Any) -> None:
    for call in (ws.remember, ws.recall, ws.context, lambda text: ws.session("monday").say("assistant", text)):
        with pytest.raises(InvalidInput, match=f"must be text, not {type(text).__name__}"):
            call(text)


def test_one_text_counts_as_one_where_several_are_allowed(ws: Workspace) -> None:
    memory = ws.remember("The pump runs at night.", tags="pump", files="src/pump.py").memory
    assert memory is not None
    assert (memory.tags, memory.files) == (("pump",), ("src/pump.py",))
    assert ws.forget_all(memory.id)[0].id == memory.id
    assert ws.erase(memory.id).memories == (memory.id,)


def test_a_limit_is_a_number(ws: Workspace) -> None:
    with pytest.raises(InvalidInput, match="limit must be a whole number, not str"):
        ws.recall("pump", limit="5")  # type: ignore[arg-type]


def test_a_misspelt_argument_is_answered_with_the_known_one(ws: Workspace) -> None:
    with pytest.raises(InvalidMemory, match="Did you mean 'tags'"):
        ws.remember("The pump runs at night.", tag=["pump"])
    with pytest.raises(InvalidInput, match="Did you mean 'types'"):
        ws.recall("pump", tpyes=["fact"])


def test_a_path_instead_of_an_export_is_answered_with_the_method_for_files(ws: Workspace) -> None:
    with pytest.raises(InvalidFile, match="import_files"):
        ws.import_("backup.json")


def test_results_are_short_where_they_are_printed(ws: Workspace) -> None:
    assert "StepTrace" not in repr(ws.recall("pump"))
    assert "StepTrace" not in repr(ws.context("Repair the pump."))
    assert repr(ws.session("monday")) == f"Session(id='monday', kind='build', project='{ws.project}')"
    assert repr(ws) == f"Workspace(project='shop', db='{ws.db}')"


def test_none_instead_of_a_text_is_named(ws: Workspace) -> None:
    for call in (
        lambda: ws.get(None),  # type: ignore[arg-type]
        lambda: ws.session(None),  # type: ignore[arg-type]
        lambda: ws.remember("The pump runs at night.", type=7),  # type: ignore[arg-type]
        lambda: holdfast.open(ws.db, "shop", user=7),  # type: ignore[arg-type]
    ):
        with pytest.raises(InvalidInput, match=r"must be text, not (NoneType|int)"):
            call()


def test_a_filter_that_does_not_exist_is_answered_with_those_that_do(ws: Workspace) -> None:
    with pytest.raises(InvalidInput, match=r"unknown filter lmit.*The filters are .*min_confidence"):
        ws.recall("pump", lmit=3)


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"is a folder.*Name a file in it"):
        holdfast.open(db=str(tmp_path))


@pytest.mark.parametrize(
    "address",
    ["postgresql://me@host/memory", "sqlite:///memory.db", "mysql+pymysql://h/d", "file:memory.db", "s3://b/k"],
)
def test_an_address_is_no_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match=r"is no file.*Name a file with --db"):
        holdfast.open(db=address)
    monkeypatch.setenv("HOLDFAST_DB", address)
    for opened in (holdfast.open, salvage):
        with pytest.raises(InvalidInput, match="is no file"):
            opened()
    monkeypatch.delenv("HOLDFAST_DB")
    with pytest.raises(InvalidInput, match="is no file"):
        holdfast.open(settings=Settings(db=address))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", [r"C:\memory.db", "C:/memory.db", "notes:monday.db", "été://memory.db"])
def test_a_colon_in_a_name_is_no_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    with holdfast.open(db=name, background=False) as ws:
        assert ws.remember("The winch is short.").admitted
