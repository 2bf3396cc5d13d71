"""Sentences that are learned because they change something that was said before."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from holdfast.core.conversation import Learned, Message
from holdfast.core.errors import ModelDamaged
from holdfast.learn.changes.read_changes import earlier_statements, overlooked
from holdfast.learn.keep.kept_statements import PossibleStatement
from holdfast.statements import odds
from holdfast.workspace import Workspace
from tests.conversation.test_follow_ups import believed

INSURER, CHANGED = "My household insurance is with Allianz.", "It's Helvetia, I left Allianz in January."


MOVED, NEW_DAYS = "The lift company just moved us.", "The work is from Thursday to Saturday."
OLD_DAYS = "The lift will be out of service from Monday to Wednesday."


def possible(text: str, context: str = "") -> PossibleStatement:
    said = Message("m1", "user", f"{context} {text}".strip(), datetime(2026, 1, 6, tzinfo=UTC))
    return PossibleStatement(text, said, context)


def found(text: str, *earlier: str, learned: tuple[Learned, ...] = (), context: str = "") -> list[str]:
    return [fact.text for fact in overlooked([possible(text, context)], learned, lambda *_: earlier)]


def test_an_unclear_sentence_follows_what_it_changes() -> None:
    (fact,) = overlooked([possible(CHANGED)], (), lambda *_: [INSURER])
    assert fact.text == f"{INSURER} — {CHANGED}"
    assert (fact.quote, fact.changes, fact.read) == (CHANGED, INSURER, True)


def test_a_clear_sentence_stays_alone() -> None:
    new = "Pen test result: the session tokens have to expire after 45 minutes."
    assert found(new, "Our session tokens expire after 12 hours.") == [new]


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("My car insurance is with Helvetia.", INSURER),  # another thing
        (f"Should we leave, if {CHANGED}", INSURER),  # a doubt
        ("Are we with Helvetia now?", INSURER),
        ("Let's go with A.", "Let's go with B."),  # says nothing alone
        ("With Allianz.", INSURER),  # repeats a part
    ],
)
def test_what_changes_nothing_is_left_out(new: str, old: str) -> None:
    assert found(new, old) == []


def test_what_was_learned_is_left_out() -> None:
    fact = Learned(CHANGED, "fact", ("m1",), CHANGED, 0.7)
    assert found(CHANGED, INSURER, learned=(fact,)) == []


def test_a_sentence_is_read_after_the_one_before_it() -> None:
    assert found(NEW_DAYS, OLD_DAYS) == []
    (fact,) = overlooked([possible(NEW_DAYS, MOVED)], (), lambda *_: [OLD_DAYS])
    assert (fact.quote, fact.changes) == (f"{MOVED} {NEW_DAYS}", OLD_DAYS)
    assert fact.text.endswith(f"{MOVED} {NEW_DAYS}")


def test_an_answer_is_read_after_its_question() -> None:
    question, answer = "What are you compiling with?", "Clang 17 for everything."
    old = "We build with CMake and the compiler is GCC 11."
    assert found(answer, old) == []
    assert found(answer, old, context=question) == [f"{old} — {question} {answer}"]


def test_what_was_learned_becomes_a_change_by_the_sentence_before_it() -> None:
    fact = Learned(NEW_DAYS, "fact", ("m1",), NEW_DAYS, 0.7)
    (changed,) = overlooked([possible(NEW_DAYS, MOVED)], (fact,), lambda *_: [OLD_DAYS])
    assert (changed.text, changed.changes, changed.read) == (NEW_DAYS, OLD_DAYS, True)


def test_its_own_message_is_not_what_a_sentence_changes() -> None:
    assert found(NEW_DAYS, f"{MOVED} {NEW_DAYS}", context=MOVED) == []


def test_a_denial_changes_what_it_repeats() -> None:
    assert found("We're not going to Valencia after all.", "We're flying to Valencia on the 3rd.")


def test_without_a_model_nothing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> float:
        raise ModelDamaged("relations.onnx")

    monkeypatch.setattr(odds, "overheard_odds", fail)
    assert found(CHANGED, INSURER) == []


def test_earlier_statements_are_understood_alone() -> None:
    assert earlier_statements("I use fish. It's in iTerm. Why is it slow?") == ("I use fish.",)
    assert earlier_statements("We deploy with Ansible, could you write a playbook?") == ("We deploy with Ansible.",)
    assert earlier_statements("Show me the logs of today.") == ()
    assert earlier_statements("We ship on Mondays. " * 20) == ()


def test_the_older_statement_is_retired(ws: Workspace) -> None:
    ws.session("a").say("user", INSURER)
    ws.consolidate("a")
    ws.session("b").say("user", f"Can you write a letter to my insurer? {CHANGED}")
    ws.consolidate("b")
    assert believed(ws) == [f"{INSURER} — {CHANGED}"]
