"""One hit for what says the same."""

from __future__ import annotations

from pathlib import Path

import pytest

import holdfast
from holdfast.recall.order.distinct import Distinct
from holdfast.recall.question import RecallCandidate
from holdfast.recall.weigh.context_words import context_scores, replies_at_length
from holdfast.text.bags import bag
from holdfast.workspace import Workspace
from tests.recall.test_steps import factors, question


@pytest.fixture
def ws(tmp_path: Path, project: Path) -> Workspace:
    return holdfast.open(db=str(tmp_path / "m.db"), project=str(project), embedder="static", background=False)


def texts(answer: holdfast.Recall) -> list[str]:
    return [hit.text for hit in answer.hits]


def test_a_text_said_twice_is_one_hit(ws: Workspace) -> None:
    ws.session("a").say("user", "The harbour closes at nine.")
    ws.session("b").say("user", "the harbour closes at nine")
    assert len(ws.recall("when does the harbour close?").hits) == 1


def test_a_memory_and_its_message_are_one_hit(ws: Workspace) -> None:
    ws.session("a").say("user", "We always deploy the ferry app on Tuesdays.")
    ws.consolidate("a")
    answer = ws.recall("when do we deploy the ferry app?")
    assert len(answer.hits) == 1
    hit = answer.hits[0]
    assert hit.memory is not None
    if hit.type != "episode":
        message = ws.get(hit.memory.source_ids[0])
        assert message.content == "We always deploy the ferry app on Tuesdays."


def test_a_corrected_memory_replaces_its_outdated_message(ws: Workspace) -> None:
    ws.session("a").say("user", "I prefer tea with oat milk.")
    ws.consolidate("a")
    (fact,) = ws.list(types=["preference"])
    ws.correct(fact.id, "The user prefers tea with soy milk.")
    assert texts(ws.recall("which milk does the user prefer in tea?")) == ["The user prefers tea with soy milk."]


def test_a_memory_does_not_hide_other_messages(ws: Workspace) -> None:
    session = ws.session("a")
    session.say("user", "Never store personal data in exports.")
    session.say("user", "By the way, exports are kept for thirty days, then the bucket deletes them.")
    ws.consolidate("a")
    assert "thirty days" in ws.recall("how long are exports kept?").hits[0].text


def test_an_answer_is_found_by_the_question_before_it(ws: Workspace) -> None:
    session = ws.session("a")
    session.say("user", "What is the name of the new ferry?")
    session.say("assistant", "Marguerite.")
    for number in range(30):
        session.say("user", f"Unrelated remark number {number} about the weather in spring.")
    assert "Marguerite." in texts(ws.recall("what is the name of the new ferry?", abstain=False))


def test_replies_at_length_are_those_of_a_model() -> None:
    short, long = bag("the kettle is red"), bag("the kettle " + "and many other things " * 20)
    people = replies_at_length(["user", "assistant"] * 4, [short] * 8)
    model = replies_at_length(["user", "assistant"] * 4, [short, long] * 4)
    assert (people, model) == (0.0, 1.0)
    assert replies_at_length(["user"] * 8, [short] * 8) == 0.0


def test_context_is_that_of_the_neighbours() -> None:
    bags = [bag("a short message"), bag("word " * 140), bag("alone")]
    neighbours = {1: (7, 8), 2: (7, None)}
    bm25 = {1: 0.0, 2: 2.0, 3: 1.0, 7: 2.0, 8: 1.0}
    # message 1: 2/3 × 1 + 1/3 × ½; message 2 has twice the words that count in full: half of 2/3; 3 is no message
    assert context_scores([1, 2, 3], bags, neighbours, bm25) == pytest.approx([5 / 6, 1 / 3, 0.0])
    assert context_scores([3], bags[2:], {}, {3: 0.0}) == [0.0]


def test_the_newer_statement_stays_first(ws: Workspace) -> None:
    """The step before gives both the same score, and the older one has the lower number."""
    rows = [factors(passage=at, id=f"m{at}", type="episode", searched=f"message {at}") for at in (9, 2)]
    found = tuple(RecallCandidate(row.passage, {}, {}, 0.5, row=row) for row in rows)
    assert [c.passage for c in Distinct(ws.container.reading)(question(), found)[0]] == [9, 2]


_RECORD = """# 3. Log in with passkeys

Date: 2026-02-03

## Status

Accepted

## Decision

Staff log in with passkeys. Passwords are switched off for staff accounts in March.

## Consequences

A lost key needs two supervisors to replace.
"""


@pytest.fixture
def recorded(ws: Workspace, project: Path) -> Workspace:
    (project / "docs/adr").mkdir(parents=True)
    (project / "docs/adr/0003-passkeys.md").write_text(_RECORD, "utf-8")
    ws.index(code=False)
    ws.upkeep()
    assert [memory.type for memory in ws.list()] == ["decision"]
    return ws


def test_a_decision_and_its_record_are_one_hit(recorded: Workspace) -> None:
    answer = recorded.recall("how do staff accounts log in, with passkeys or passwords?", abstain=False)
    assert [hit.files for hit in answer.hits] == [("docs/adr/0003-passkeys.md",)]
    assert {step.step: step.notes for step in answer.trace.steps}["distinct"]["merged"] == 1


def test_a_record_that_says_more_than_its_decision_is_shown(recorded: Workspace) -> None:
    (hit,) = recorded.recall("how many supervisors replace a lost key?", abstain=False).hits
    assert hit.type == "document"


def test_a_chunk_that_says_something_else_stays_beside_the_decision(ws: Workspace, project: Path) -> None:
    (project / "docs/adr").mkdir(parents=True)
    more = "\n\n".join(
        f"## Detail {n}\n\nReaders of model {n} stand at pier {n}. " + "Ink and paper. " * 60 for n in (1, 2)
    )
    (project / "docs/adr/0003-passkeys.md").write_text(_RECORD + "\n" + more, "utf-8")
    ws.index(code=False)
    ws.upkeep()
    types = [
        hit.type for hit in ws.recall("staff log in with passkeys; readers of model 2 at pier 2", abstain=False).hits
    ]
    assert types.count("document") >= 1
    assert len(types) >= 2
