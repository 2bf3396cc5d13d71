"""Values of a wrong type: every public operation answers with an error of Holdfast, never with one of Python."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast import Candidate, HoldfastError, InvalidInput, QaFailure, Session, Workspace
from holdfast.core.arguments import check_value
from holdfast.intake.item_intake import ItemKeeper

# What callers pass by mistake: other types, values of the right type inside the wrong one, and the other way round.
WRONG: tuple[Any, ...] = (
    None, True, 3, -1, 10**30, 1.5, float("nan"), float("inf"), b"pump", "pump", "", "\0", "\ud800", [], ["pump"],
    [None], [["pump"]], {}, {"pump": 1}, {3: 4}, object(), str, datetime(2026, 3, 1), datetime(2026, 3, 1, tzinfo=UTC),
    (Candidate("x", tags=5),), [QaFailure(3, None)],  # type: ignore[arg-type]
)  # fmt: skip
# Not tried: numbers of seconds to wait, and functions, whose parameters cannot be checked before they are called.
SECONDS, FUNCTIONS = {"linger", "patience"}, {"watch", "progress", "write"}
# Arguments that a call needs besides the wrong one.
NEEDED: dict[str, Any] = {
    "text": "The pump runs at night.", "query": "pump", "prompt": "Repair the pump.", "id": "mem_1", "ids": ("mem_1",),
    "session": "monday", "role": "user", "name": "Ada", "new": "Ada Lovelace", "kept": "Ada", "merged": "Bea",
    "summary": "A person.", "path": "a.md", "paths": ("a.md",), "target": "src/a.py", "task": "Repair the pump.",
    "base": 10, "module": "src", "tool": "Read", "step": 7, "succeeded": True, "work_unit": {"spec": "1"},
    "outcome": "used", "candidates": (), "messages": (), "failures": (), "message": "epi_1", "title": "Pump",
    "space": ("a",), "key": "k", "changes": (), "write": len,
    "event": {"kind": "user", "at": 1.0, "text": "Repair the pump."},
}  # fmt: skip


def operations() -> list[tuple[type, str]]:
    """Each public operation. Downloads and the end of the workspace are left out."""
    return [
        (cls, name)
        for cls in (Workspace, Session, ItemKeeper)
        for name, _ in inspect.getmembers(cls, inspect.isfunction)
        if not name.startswith("_") and name not in ("close", "pull_model", "use_model")
    ]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("shop")
    (folder / "a.md").write_text("# Pump\n\nIt runs at night.\n", "utf-8")
    with holdfast.open(":memory:", str(folder), embedder="none") as ws:
        ws.remember("The pump runs at night.")
        yield ws


@pytest.mark.parametrize(("cls", "name"), operations())
def test_a_wrong_type_is_an_error_of_holdfast(
    opened: Workspace, cls: type, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(opened.root or "")
    owner: Any = {Workspace: opened, Session: opened.session("monday"), ItemKeeper: opened.items}[cls]
    operation = getattr(owner, name)
    parameters = inspect.signature(operation).parameters.values()
    needed = {
        one.name: NEEDED.get(one.name, "pump")
        for one in parameters
        if one.default is one.empty and one.kind != one.VAR_KEYWORD
    }
    tried = [one.name for one in parameters if one.kind != one.VAR_KEYWORD]
    if any(one.kind == one.VAR_KEYWORD for one in parameters):
        tried += list((Candidate if name == "remember" else holdfast.Filters).__dataclass_fields__)
    for parameter in dict.fromkeys(tried):
        for wrong in WRONG:
            if (parameter in SECONDS and isinstance(wrong, int | float)) or (
                parameter in FUNCTIONS and callable(wrong)
            ):
                continue
            try:
                operation(**{**needed, parameter: wrong})
            except HoldfastError:
                pass
            except Exception as error:
                pytest.fail(f"{name}({parameter}={wrong!r}) raised {error!r}")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda ws: ws.remember("The pump runs.", work_unit={}), "work_unit must be a WorkUnit, not dict"),
        (lambda ws: ws.remember("The pump runs.", taint="web"), "taint must be a Taint, not str"),
        (lambda ws: ws.remember("The pump runs.", relations=["x"]), "a value of relations must be a Relation, not str"),
        (lambda ws: ws.remember("The pump runs.", chunk=1), "chunk must be a ChunkLocation, not int"),
        (
            lambda ws: ws.remember("The pump runs.", chunk={"type": "function", "row": 1}),
            "chunk must be a ChunkLocation",
        ),
        (lambda ws: ws.remember("The pump runs.", tags=5), "tags must be a list of texts, not int"),
        (lambda ws: ws.remember_all([Candidate("The pump runs.", tags=(5,))]), "a value of tags must be text, not int"),  # type: ignore[arg-type]
        (lambda ws: ws.report_failures("s", [{"text": "x"}]), "a value of failures must be a QaFailure, not dict"),
        (lambda ws: ws.record_outcome(True, "spec 1"), "work_unit must be a mapping, not str"),
        (lambda ws: ws.record_outcome(True, {"spec": 1}), "a value of work_unit must be text, not int"),
        (lambda ws: ws.before_step("s", "x"), "step must be a whole number, not str"),
        (lambda ws: ws.recall("pump", min_confidence="high"), "min_confidence must be a number, not str"),
        (lambda ws: ws.recall("pump", temporal=5), "temporal must be text or a RecentSessions or .*, not int"),
        (lambda ws: ws.list(limit=10**30), "limit is too large"),
        (lambda ws: ws.session("s").say("user", b"x"), "text must be text, not bytes"),
        (lambda ws: ws.items.get("notes", "k"), "space must be a list of texts, not str"),
        (lambda ws: holdfast.open(db=5), "db must be text, not int"),  # type: ignore[arg-type]
    ],
)
def test_the_error_names_the_argument_and_what_it_takes(opened: Workspace, call: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as raised:
        call(opened)
    assert raised.value.hint


def test_an_iterator_is_read_once_and_arrives_whole(opened: Workspace) -> None:
    memory = opened.remember("The valve is blue.", tags=(tag for tag in ("valve", "colour"))).memory
    assert memory is not None
    assert memory.tags == ("valve", "colour")


def test_one_text_counts_as_one_value_in_every_list(opened: Workspace) -> None:
    memory = opened.remember("The tank is green.", modules="tank").memory
    assert memory is not None
    assert memory.modules == ("tank",)


def test_an_outcome_can_be_taught_by_the_name_of_its_field(opened: Workspace) -> None:
    fields: dict[str, Any] = {"work_unit": "Spec 042", "succeeded": True}
    memory = opened.remember("Spec 042 succeeded at once.", type="work_unit_outcome", **fields).memory
    assert memory is not None
    assert memory.fields == fields


def test_documents_are_filtered_by_either_name(opened: Workspace) -> None:
    assert opened.search_documents("pump", labels="spec").hits == opened.search_documents("pump", label="spec").hits


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        ("str | Iterable[str] | None", ["a"]),
        ("Mapping[str, Any]", {"a": object()}),
        ("tuple[tuple[str, str], ...]", (("a", "b"),)),
        ("Callable[[int, str], None] | None", print),
        ("float", 3),
        ("datetime | None", datetime(2026, 3, 1)),
    ],
)
def test_values_of_the_declared_type_are_allowed(annotation: str, value: object) -> None:
    assert check_value(value, annotation, "it") is value


def test_where_files_are_named_a_path_counts_as_its_text(opened: Workspace) -> None:
    file = Path(opened.root or "") / "a.md"
    for paths in (file, [file], (path for path in [file])):
        opened.index(paths)  # type: ignore[arg-type]
    assert "a.md" in {document.path for document in opened.documents()}
    memory = opened.remember("The note is about the pump.", files=[Path("a.md")]).memory  # type: ignore[list-item]
    assert memory is not None
    assert memory.files == ("a.md",)
    with pytest.raises(InvalidInput, match=r"text must be text, not .*Path"):
        opened.remember(file)  # type: ignore[arg-type]
