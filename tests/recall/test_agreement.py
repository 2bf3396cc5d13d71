"""The order of hits and the words about their certainty agree."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from holdfast import Workspace
from holdfast.core.answer import Filters
from holdfast.core.certainty import LEVELS
from holdfast.intake.message_intake import IncomingMessage
from holdfast.recall.evidence.agreement import MessagesGiveWay, pooled
from holdfast.recall.question import Question, RecallCandidate
from tests.recall.test_steps import factors

ASKED = Question("which agents work?", "p", Filters(), 8, datetime(2026, 11, 1, tzinfo=UTC))


def candidate(passage: int, type: str, evidence: float, **row: Any) -> RecallCandidate:
    found = RecallCandidate.found(passage, "words", passage, 1.0).with_row(factors(passage=passage, type=type, **row))
    return found.with_factors({"evidence": evidence}, 1.0 - passage / 10)


def order(*candidates: RecallCandidate) -> list[int]:
    ordered, _ = MessagesGiveWay()(ASKED, candidates)
    scores = [one.score for one in ordered]
    assert scores == sorted(scores, reverse=True)
    return [one.passage for one in ordered]


def test_messages_give_way_to_what_answers_more_certainly() -> None:
    assert order(candidate(1, "episode", 0.2), candidate(2, "document", 0.8)) == [2, 1]
    assert order(candidate(1, "episode", 0.5), candidate(2, "fact", 0.7)) == [1, 2], "both are likely"
    assert order(candidate(1, "fact", 0.2), candidate(2, "document", 0.8)) == [1, 2], "the order is right more often"
    assert order(candidate(1, "episode", 0.2), candidate(2, "episode", 0.8)) == [1, 2]


def test_messages_stay_in_front_if_the_query_asks_what_was_said() -> None:
    asked = Question("what did I say about agents?", "p", Filters(), 8, datetime(2026, 11, 1, tzinfo=UTC))
    candidates = (candidate(1, "episode", 0.2), candidate(2, "document", 0.8))
    assert MessagesGiveWay()(asked, candidates)[0] == candidates


def test_work_notes_give_way_to_everything_as_certain() -> None:
    note = candidate(1, "episode", 0.5, working=True)
    assert order(note, candidate(2, "episode", 0.6), candidate(3, "code", 0.1)) == [2, 1, 3]
    assert order(note, candidate(2, "episode", 0.9, working=True)) == [1, 2]


@given(st.lists(st.floats(0, 1)))
def test_pooled_evidence_never_increases_and_keeps_its_sum(evidence: list[float]) -> None:
    result = pooled(evidence)
    assert len(result) == len(evidence)
    assert all(one >= other - 1e-9 for one, other in pairwise(result))
    assert abs(sum(result) - sum(evidence)) < 1e-6
    if evidence == sorted(evidence, reverse=True):
        assert result == evidence


def test_no_hit_has_a_stronger_word_than_the_one_above(ws: Workspace) -> None:
    ws.session("s").say_all(
        [
            IncomingMessage("assistant", "Now let me run the harbour tests with the new lamp.", tools=("Bash",)),
            IncomingMessage("user", "how do the harbour tests run?"),
        ]
    )
    ws.remember("The harbour tests run with `make lamp`.")
    ws.add_document("docs/lamp.md", "# Lamp\n\nThe harbour lamp tests need a lamp.\n")
    hits = ws.recall("how do the harbour tests run?").hits
    levels = [LEVELS.index(hit.certainty) for hit in hits if hit.certainty]
    assert levels == sorted(levels, reverse=True)
    assert "make lamp" in hits[0].text
