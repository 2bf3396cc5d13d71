"""Contradictions between memories: reported with the old text, queued for review, marked on both, settled."""

from __future__ import annotations

import pytest

from holdfast import Memory, Workspace
from holdfast.core.memory import Taint
from holdfast.interfaces.messages import text_of

OLD, NEW = "Two-factor login is enabled for admins", "Two-factor login is disabled for admins"


def contrary(ws: Workspace) -> tuple[Memory, Memory]:
    """Two memories that contradict each other, as stored."""
    first = ws.remember(OLD).memory
    second = ws.remember(NEW).memory
    assert first is not None
    assert second is not None
    return ws.get(first.id), ws.get(second.id)


def test_the_answer_has_the_old_text_and_the_next_step(ws: Workspace) -> None:
    old = ws.remember(OLD).memory
    answer = ws.remember(NEW)
    assert old is not None
    assert answer.memory is not None
    (warning,) = answer.warnings
    told = text_of(warning)
    assert OLD in told
    assert "enabled ↔ disabled" in told
    assert f"`holdfast forget {old.id}`" in told
    assert f"`holdfast confirm {answer.memory.id}`" in told


def test_both_are_queued_and_marked(ws: Workspace) -> None:
    old, new = contrary(ws)
    assert (old.contradicts, new.contradicts) == ((new.id,), (old.id,))
    assert {memory.id for memory in ws.list(needs_review=True)} == {old.id, new.id}
    assert sum(row.to_review for row in ws.stats().by_type) == 2
    text = ws.context("two-factor login for admins").text
    assert text.count("contradicts #") == 2


@pytest.mark.parametrize("verb", ["forget", "confirm", "correct"])
def test_a_decision_settles_it(ws: Workspace, verb: str) -> None:
    old, new = contrary(ws)
    if verb == "forget":
        ws.forget(old.id)
    elif verb == "confirm":
        ws.confirm(new.id)
    else:
        ws.correct(old.id, "Admins log in with a hardware key")
    assert not ws.get(new.id).contradicts
    assert ws.list(needs_review=True) == ()
    if verb == "forget":
        ws.restore(old.id)
        assert ws.get(new.id).contradicts == (old.id,)
        ws.forget(old.id)
        ws.undo()
        assert ws.get(new.id).contradicts == (old.id,)


def test_a_statement_that_names_the_old_value_replaces_it(ws: Workspace) -> None:
    old = ws.remember("We deploy on Tuesdays").memory
    answer = ws.remember("From now on we deploy on Thursdays instead of Tuesdays")
    assert old is not None
    assert answer.outcome == "superseded"
    assert answer.superseded == (old.id,)
    assert ws.get(old.id).superseded
    assert ws.list(needs_review=True) == ()


def test_a_program_replaces_no_memory_of_a_person(ws: Workspace) -> None:
    old = ws.remember("We deploy on Tuesdays").memory
    answer = ws.remember("From now on we deploy on Thursdays instead of Tuesdays", source="agent_explicit")
    assert old is not None
    assert answer.superseded == ()
    assert ws.get(old.id).is_current
    assert len(answer.warnings) == 1


def test_an_untrusted_text_does_not_mark_a_persons_memory(ws: Workspace) -> None:
    old = ws.remember(OLD).memory
    answer = ws.remember(NEW, source="agent_explicit", taint=Taint("web_fetch"))
    assert old is not None
    assert answer.memory is not None
    assert answer.memory.contradicts == (old.id,)
    assert ws.get(old.id).contradicts == ()


def test_a_persons_memory_names_no_untrusted_text_that_was_there_before(ws: Workspace) -> None:
    before = ws.remember(NEW, source="agent_explicit", taint=Taint("web_fetch")).memory
    answer = ws.remember(OLD)
    assert before is not None
    assert answer.memory is not None
    assert (answer.memory.contradicts, answer.warnings) == ((), ())
    assert ws.get(before.id).contradicts == (answer.memory.id,)


def test_different_things_are_not_queued(ws: Workspace) -> None:
    for text in ("Tier 1 tickets get an answer within 4 hours", "Tier 2 tickets get an answer within 24 hours"):
        assert ws.remember(text).warnings == ()
    assert ws.list(needs_review=True) == ()
