"""Sentences that are learned because they change something that was said before."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from holdfast.conversation.extract.statements import PossibleStatement
from holdfast.conversation.overlooked import earlier_statements, overlooked
from holdfast.core.conversation import Learned, Message
from holdfast.core.errors import ModelDamaged
from holdfast.models import overheard
from holdfast.workspace import Workspace
from tests.conversation.test_follow_ups import believed

INSURER, CHANGED = "My household insurance is with Allianz.", "It's Helvetia, I left Allianz in January."


def possible(text: str) -> PossibleStatement:
    return PossibleStatement(text, Message("m1", "user", text, datetime(2026, 1, 6, tzinfo=UTC)))


def found(text: str, *earlier: str, learned: tuple[Learned, ...] = ()) -> list[str]:
    return [fact.text for fact in overlooked([possible(text)], learned, lambda *_: earlier)]


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


def test_without_a_model_nothing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> float:
        raise ModelDamaged("relations.onnx")

    monkeypatch.setattr(overheard, "overheard_change", fail)
    assert found(CHANGED, INSURER) == []


def test_earlier_statements_are_understood_alone() -> None:
    said = ["I use fish. It's in iTerm. Why is it slow?", "Show me the logs of today.", "We ship on Mondays. " * 20]
    assert list(earlier_statements(said)) == ["I use fish."]


def test_the_older_statement_is_retired(ws: Workspace) -> None:
    ws.session("a").say("user", INSURER)
    ws.consolidate("a")
    ws.session("b").say("user", f"Can you write a letter to my insurer? {CHANGED}")
    ws.consolidate("b")
    assert believed(ws) == [f"{INSURER} — {CHANGED}"]
