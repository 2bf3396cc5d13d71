"""Undoing the latest changes of people and agents."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import holdfast
from holdfast.core.admission import Candidate
from holdfast.core.errors import NotFound
from holdfast.core.memory import Memory
from holdfast.workspace import Workspace

_TEXTS = ("Tea is at four", "Coffee is at ten", "Lunch is at noon in the yard")

Change = Callable[[Workspace], object]


def _first(ws: Workspace, *, current: bool = True) -> Memory:
    return next(m for m in ws.list(order="oldest", include_forgotten=True) if m.is_current is current)


_CHANGES: dict[str, Change] = {
    "remember": lambda ws: ws.remember("Dinner is at eight"),
    "remember_all": lambda ws: ws.remember_all([Candidate("Dinner is at eight"), Candidate("The gate shuts at dusk")]),
    "correct": lambda ws: ws.correct(_first(ws).id, "Tea is at five"),
    "merge": lambda ws: ws.correct(ws.list()[0].id, ws.list()[1].id, how="duplicate_of"),
    "confirm": lambda ws: ws.confirm(_first(ws).id),
    "flag": lambda ws: ws.flag(_first(ws).id, "is it?"),
    "pin": lambda ws: ws.pin(_first(ws).id),
    "unpin": lambda ws: ws.pin(_first(ws).id, on=False),
    "forget": lambda ws: ws.forget(_first(ws).id),
    "forget_all": lambda ws: ws.forget_all([memory.id for memory in ws.list()]),
    "restore": lambda ws: ws.restore(_first(ws, current=False).id),
}


def _current(ws: Workspace) -> list[tuple[object, ...]]:
    return sorted(
        (m.id, m.content, m.confidence, m.verified, m.needs_review, m.pinned, m.tags, m.relations)
        for m in ws.list(limit=100)
    )


@pytest.mark.parametrize("change", [name for name in _CHANGES if name != "unpin"])
def test_undo_reverses_a_change(ws: Workspace, change: str) -> None:
    for text in _TEXTS:
        ws.remember(text)
    ws.correct(ws.list()[0].id, "Lunch is at one in the yard")
    before = _current(ws)
    _CHANGES[change](ws)
    assert _current(ws) != before
    operation = ws.undo()
    assert _current(ws) == before
    assert operation.verb == {"remember_all": "remember", "forget_all": "forget"}.get(change, change)
    assert all(ws.history(memory.id)[-1].verb == "undo" for memory in operation.memories)


@settings(max_examples=40)
@given(changes=st.lists(st.sampled_from(sorted(_CHANGES)), min_size=1, max_size=6))
def test_undoing_everything_leads_back_through_every_state(changes: list[str], tmp_path_factory) -> None:
    folder = tmp_path_factory.mktemp("undo")
    with holdfast.open(db=str(folder / "m.db"), project=str(folder)) as ws:
        for text in _TEXTS:
            ws.remember(text)
        states = [_current(ws)]
        for name in changes:
            try:
                _CHANGES[name](ws)
            except (StopIteration, IndexError, holdfast.HoldfastError):
                continue
            if _current(ws) != states[-1]:
                states.append(_current(ws))
        undone = [states.pop()]
        while states:
            ws.undo()
            if _current(ws) != undone[-1]:
                assert _current(ws) == states[-1]
                undone.append(states.pop())
        while len(undone) > 1:
            ws.redo()
            if _current(ws) != undone[-1]:
                undone.pop()
                assert _current(ws) == undone[-1]


def test_nothing_to_undo(ws: Workspace) -> None:
    with pytest.raises(NotFound, match="a change to undo"):
        ws.undo()
    ws.remember(_TEXTS[0])
    ws.undo()
    with pytest.raises(NotFound):
        ws.undo()


@pytest.mark.parametrize("change", [name for name in _CHANGES if name != "unpin"])
def test_undo_and_redo_may_alternate(ws: Workspace, change: str) -> None:
    for text in _TEXTS:
        ws.remember(text)
    ws.correct(ws.list()[0].id, "Lunch is at one in the yard")
    before = _current(ws)
    _CHANGES[change](ws)
    after = _current(ws)
    for _ in range(2):
        assert _undone_state(ws) == before
        ws.redo()
        assert _current(ws) == after
    assert _undone_state(ws) == before


def _undone_state(ws: Workspace) -> list[tuple[object, ...]]:
    ws.undo()
    return _current(ws)


def test_a_dry_run_shows_what_an_undo_would_take_back_and_changes_nothing(ws: Workspace) -> None:
    ws.remember(_TEXTS[0])
    before = _current(ws)
    operation = ws.undo(dry_run=True)
    assert (operation.verb, [memory.content for memory in operation.memories]) == ("remember", [_TEXTS[0]])
    assert _current(ws) == before
    assert ws.undo() == operation


def test_nothing_is_done_again_after_another_change(ws: Workspace) -> None:
    with pytest.raises(NotFound, match="done again"):
        ws.redo()
    ws.remember(_TEXTS[0])
    ws.undo()
    ws.remember(_TEXTS[1])
    with pytest.raises(NotFound, match="done again"):
        ws.redo()


def test_a_memory_that_was_restored_since_is_not_changed_by_a_redo(ws: Workspace) -> None:
    memory = ws.remember(_TEXTS[0]).memory
    assert memory is not None
    ws.forget(memory.id)
    ws.undo()
    with ws.container.store.memories.change(durable=True) as change:  # As background work, which is no operation.
        change.note(memory.id, memory.created_at, "lapse", "the code is gone")
    with pytest.raises(NotFound, match="done again"):
        ws.redo()
    assert ws.get(memory.id).is_current


def test_the_log_lists_changes_and_which_of_them_were_undone(ws: Workspace) -> None:
    ws.remember(_TEXTS[0])
    ws.remember_all([Candidate(text) for text in _TEXTS[1:]])
    ws.undo()
    later, earlier = ws.log()
    assert (later.verb, later.memories, later.undone) == ("remember", 2, True)
    assert (earlier.verb, earlier.memories, earlier.undone, earlier.text) == ("remember", 1, False, _TEXTS[0])
    assert earlier.at is not None
    assert ws.log(limit=1) == (later,)


def test_what_was_learned_and_undone_is_learned_again_by_a_redo(ws: Workspace) -> None:
    _said(ws, _RULE, "We decided to use PostgreSQL for the billing service.")
    ws.consolidate()
    before = _current(ws)
    ws.undo()
    assert ws.count(sources="observer_inferred") == 0
    assert ws.redo().verb == "consolidate"
    assert _current(ws) == before


def test_a_duplicate_is_nothing_to_undo_but_its_tags_are(ws: Workspace) -> None:
    first = ws.remember(_TEXTS[0]).memory
    assert first is not None
    ws.remember(_TEXTS[0])
    ws.remember(_TEXTS[0], tags=["tea"])
    assert ws.undo().memories[0].id == first.id
    assert ws.get(first.id).tags == ()
    assert ws.get(first.id).is_current


def test_another_project_is_not_touched(ws: Workspace, tmp_path) -> None:
    ws.remember(_TEXTS[0])
    other = tmp_path / "other"
    other.mkdir()
    with holdfast.open(db=ws.db, project=str(other)) as second, pytest.raises(NotFound):
        second.undo()


def test_a_restored_memory_is_found_again(ws: Workspace) -> None:
    memory = ws.remember(_TEXTS[0]).memory
    assert memory is not None
    ws.forget(memory.id)
    assert not ws.recall("tea").hits
    ws.undo()
    assert [hit.id for hit in ws.recall("tea").hits] == [memory.id]


def test_a_mass_deletion_in_the_memory_file_is_one_change(ws: Workspace) -> None:
    for at in range(12):
        ws.remember(f"Rule {at}: room {at} is locked at {at + 1} o'clock", type="requirement")
    ws.sync_memory()
    with open(ws.memory_file, encoding="utf-8") as file:
        kept = [line for line in file if "Rule" not in line]
    with open(ws.memory_file, "w", encoding="utf-8") as file:
        file.writelines(kept)
    ws.sync_memory(confirm=True)
    assert ws.count() == 0
    assert len(ws.undo().memories) == 12
    assert ws.count() == 12


@pytest.mark.parametrize("part", [slice(0, 20), slice(-8, -4), slice(-6, None), slice(None)])
def test_any_unambiguous_part_of_an_id_is_enough(ws: Workspace, part: slice) -> None:
    memory = ws.remember(_TEXTS[0]).memory
    assert memory is not None
    assert ws.get(memory.id[part]).id == memory.id


def test_an_ambiguous_part_names_the_candidates(ws: Workspace) -> None:
    ids = [answer.memory.id for answer in ws.remember_all(map(Candidate, _TEXTS)) if answer.memory]
    with pytest.raises(NotFound, match=ids[0]):
        ws.get(ids[0][:10])


def test_a_memory_that_changes_twice_in_one_operation_is_as_before(ws: Workspace) -> None:
    """Forgetting a memory also removes the mark of a contradiction, in the same transaction."""
    texts = ("Rule 1 of the harbour is to moor at noon.", "Rule 1 of the harbour is to moor at dusk.")
    ids = [answer.memory.id for text in texts if (answer := ws.remember(text)).memory]
    before = _current(ws)
    ws.forget_all(ids)
    assert ws.count() == 0
    ws.undo()
    assert _current(ws) == before


def _said(ws: Workspace, *texts: str) -> None:
    with ws.session("monday") as session:
        for text in texts:
            session.say("user", text)


def _import(ws: Workspace, folder: Path, text: str) -> None:
    record = {
        "type": "user", "sessionId": "s1", "uuid": "u1", "timestamp": "2026-11-01T10:00:00Z",
        "message": {"role": "user", "content": text},
    }  # fmt: skip
    (folder / "s1.jsonl").write_text(json.dumps(record) + "\n")
    assert ws.import_transcript(str(folder / "s1.jsonl"), "claude-code").messages == 1


_RULE = "From now on the changelog is written in French."


def test_what_consolidate_learned_is_undone_at_once_and_not_learned_again(ws: Workspace) -> None:
    ws.remember(_TEXTS[0])
    _said(ws, _RULE, "We decided to use PostgreSQL for the billing service.")
    ws.consolidate()
    assert ws.count(sources="observer_inferred") == 2
    operation = ws.undo()
    assert (operation.verb, len(operation.memories)) == ("consolidate", 2)
    ws.consolidate()
    assert ws.count(sources="observer_inferred") == 0
    assert ws.undo().verb == "remember"


def test_a_memory_that_consolidate_replaced_is_back_after_undo(ws: Workspace) -> None:
    _said(ws, "We deploy on Tuesdays.", "From now on we deploy on Thursdays instead of Tuesdays.")
    before = _current(ws)
    ws.consolidate()
    assert _current(ws) != before
    ws.undo()
    assert _current(ws) == before


def test_what_the_background_learned_from_an_import_is_undone_with_it(ws: Workspace, tmp_path: Path) -> None:
    ws.remember(_TEXTS[0])
    _import(ws, tmp_path, _RULE)
    ws.upkeep("consolidate")
    assert ws.count(sources="observer_inferred") == 1
    operation = ws.undo()
    assert (operation.verb, len(operation.memories)) == ("session import", 1)
    assert ws.undo().verb == "remember"


def test_an_import_from_which_nothing_was_learned_yet_changes_nothing(ws: Workspace, tmp_path: Path) -> None:
    ws.remember(_TEXTS[0])
    _import(ws, tmp_path, _RULE)
    assert ws.undo().changes == ()
    ws.upkeep("consolidate")
    assert len(ws.undo().changes) == 1
    assert ws.undo().verb == "remember"


def test_an_import_and_what_consolidate_learned_from_it_are_one_change(ws: Workspace, tmp_path: Path) -> None:
    ws.remember(_TEXTS[0])
    _import(ws, tmp_path, _RULE)
    ws.consolidate()
    assert ws.undo().verb == "consolidate"
    assert ws.undo().verb == "remember"


def test_undo_means_the_persons_change_if_the_background_learned_since(ws: Workspace) -> None:
    ws.remember(_TEXTS[0])
    _said(ws, _RULE)
    ws.session("tuesday").say("user", "Good morning")
    ws.upkeep("consolidate")
    learned = ws.count(sources="observer_inferred")
    assert ws.undo().verb == "remember"
    assert ws.count(sources="observer_inferred") == learned
