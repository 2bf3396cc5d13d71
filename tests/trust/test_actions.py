"""Review of memories by people, and its undoing."""

from __future__ import annotations

import pytest

from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.memory import Memory
from holdfast.workspace import Workspace


def known(ws: Workspace, text: str = "Tea is at four", **fields: object) -> Memory:
    memory = ws.remember(text, **fields).memory  # type: ignore[arg-type] # fields by name
    assert memory is not None
    return memory


def verbs(ws: Workspace, id: str) -> list[str]:
    return [event.verb for event in ws.history(id)]


def test_confirm_sets_full_confidence(ws: Workspace) -> None:
    memory = known(ws, source="agent_explicit", needs_review=True)
    sure = ws.confirm(memory.id)
    assert sure == ws.get(memory.id)
    assert (sure.verified, sure.confidence, sure.needs_review) == (True, 1.0, False)
    assert verbs(ws, memory.id) == ["remember", "confirm"]


def test_flag_asks_for_review_and_confirm_takes_it_back(ws: Workspace) -> None:
    memory = known(ws)
    flagged = ws.flag(memory.id, "was it five?")
    assert (flagged.needs_review, flagged.verified) == (True, False)
    assert ws.history(memory.id)[-1].reason == "was it five?"
    assert [m.id for m in ws.list(needs_review=True)] == [memory.id]
    ws.confirm(memory.id)
    assert ws.list(needs_review=True) == ()


def test_pin_and_unpin(ws: Workspace) -> None:
    memory = known(ws)
    assert ws.pin(memory.id).pinned
    assert not ws.pin(memory.id, on=False).pinned
    assert verbs(ws, memory.id) == ["remember", "pin", "unpin"]


def test_forget_and_restore(ws: Workspace) -> None:
    memory = known(ws)
    gone = ws.forget(memory.id, "diet")
    assert gone.forgotten
    assert (ws.list(), ws.recall("tea").hits) == ((), ())
    assert ws.get(memory.id) == gone
    back, replaced = ws.restore(memory.id)
    assert (back, replaced) == (memory, ())
    assert ws.recall("tea").hits
    assert verbs(ws, memory.id) == ["remember", "forget", "restore"]


def test_restore_undoes_a_correction(ws: Workspace) -> None:
    old = known(ws, attributes={"mine": 1})
    new = ws.correct(old.id, "Tea is at five").memory
    assert new is not None
    back, replaced = ws.restore(old.id)
    assert (back, replaced) == (old, (new.id,))
    assert ws.get(new.id).forgotten
    assert [m.content for m in ws.list()] == ["Tea is at four"]
    again, _ = ws.restore(new.id)
    assert not again.forgotten


def test_restore_undoes_a_chain_of_corrections(ws: Workspace) -> None:
    first = known(ws)
    second = ws.correct(first.id, "Tea is at five").memory
    assert second is not None
    third = ws.correct(second.id, "Tea is at six").memory
    assert third is not None
    _, replaced = ws.restore(first.id)
    assert set(replaced) == {second.id, third.id}
    assert [m.content for m in ws.list()] == ["Tea is at four"]


def test_restore_in_the_middle_of_a_chain(ws: Workspace) -> None:
    first = known(ws)
    second = ws.correct(first.id, "Tea is at five").memory
    assert second is not None
    ws.correct(second.id, "Tea is at six")
    ws.restore(second.id)
    assert [m.content for m in ws.list()] == ["Tea is at five"]


def test_restore_undoes_a_merge_and_both_stand(ws: Workspace) -> None:
    old, kept = known(ws), known(ws, "We drink tea in the afternoon")
    ws.correct(old.id, kept.id, how="duplicate_of")
    assert [m.id for m in ws.list()] == [kept.id]
    back, replaced = ws.restore(old.id)
    assert (back, replaced) == (old, ())
    assert {m.id for m in ws.list()} == {old.id, kept.id}
    assert ws.successors(old.id) == ()


def test_a_current_memory_cannot_be_restored(ws: Workspace) -> None:
    memory = known(ws)
    with pytest.raises(InvalidInput, match="neither forgotten nor superseded"):
        ws.restore(memory.id)
    assert verbs(ws, memory.id) == ["remember"]


@pytest.mark.parametrize("verb", ["confirm", "flag", "pin", "forget", "restore", "history", "successors", "get"])
def test_every_action_names_the_missing_memory(ws: Workspace, verb: str) -> None:
    with pytest.raises(NotFound, match="nothing-here"):
        getattr(ws, verb)("nothing-here")


def test_a_memory_is_named_by_the_end_of_its_id(ws: Workspace) -> None:
    memory = known(ws)
    assert ws.confirm(f"#{memory.id[-8:]}").id == memory.id
