"""Other wordings of a query find what the query itself does not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

import holdfast
from holdfast.core.answer import Filters
from holdfast.core.errors import InvalidInput
from holdfast.recall.question import Question, RecallCandidate
from holdfast.recall.wordings import merged
from holdfast.workspace import Workspace

NOW = datetime(2026, 5, 4, tzinfo=UTC)
JUDGES = "Relevance judgments are collected by a panel of 14 librarians."
QUERY = "who decides whether results are good?"


def question(text: str) -> Question:
    return Question(text, "p", Filters(), 8, NOW)


def candidate(passage: int, score: float, evidence: float) -> RecallCandidate:
    return RecallCandidate(passage, {}, {}, score, {"evidence": evidence})


def test_each_candidate_has_its_highest_score_and_the_mean_evidence() -> None:
    query = (question("a"), (candidate(1, 0.5, 0.4), candidate(2, 0.3, 0.1)))
    other = (question("b"), (candidate(2, 0.9, 0.8),))
    found = merged((query, other))
    assert [(each.passage, each.score) for each in found] == [(2, 0.9), (1, 0.5)]
    assert [round(each.factors["evidence"], 3) for each in found] == [0.333, 0.267]  # the query counts double


def test_a_memory_and_its_message_found_by_different_wordings_are_one_hit(ws: Workspace) -> None:
    with ws.session("monday") as session:
        session.say("user", "From now on we deploy on Thursdays.")
    ws.consolidate()
    wordings = ["deploy on Thursdays from now on", "the day of deployments", "when are new versions released?"]
    hits = ws.recall("when do we deploy?", also=wordings, abstain=False).hits
    assert len(hits) == 1
    assert hits[0].type != "episode"


@pytest.fixture
def told(ws: Workspace) -> Workspace:
    for text in (JUDGES, "The gateway refuses attachments above 20 MB.", "Mail is fetched every five minutes."):
        ws.remember(text)
    return ws


def test_another_wording_finds_what_shares_no_word_with_the_query(told: Workspace) -> None:
    assert not told.recall(QUERY).hits
    answer = told.recall(QUERY, also=["relevance judgments, panel", "relevance judgments are collected by whom?"])
    assert [hit.text for hit in answer.hits] == [JUDGES]
    [step] = [step for step in answer.trace.steps if step.step == "wordings"]
    assert set(step.notes["also"]) == {"relevance judgments, panel", "relevance judgments are collected by whom?"}


def test_the_query_itself_is_no_other_wording(told: Workspace) -> None:
    answer = told.recall("attachments", also=["attachments"])
    assert answer.hits
    assert "wordings" not in [step.step for step in answer.trace.steps]


def test_a_mode_of_time_orders_what_all_wordings_found(tmp_path) -> None:
    with holdfast.open(db=str(tmp_path / "m.db"), project="p", embedder="none", background=False) as ws:
        for day, text in enumerate(("The harbour tour had forty guests.", "The pier excursion had sixty guests."), 1):
            with ws.session(f"s{day}") as session:
                session.say("user", text, when=datetime(2026, 5, day, tzinfo=UTC))
        found = ws.recall("harbour tour", also=["pier excursion"], temporal="recent:5", abstain=False).hits
    assert [hit.conversation for hit in found[:2]] == ["s2", "s1"]


@pytest.mark.parametrize("also", [["a", "b", "c", "d", "e"], [""], [3]])
def test_bad_wordings_are_refused(told: Workspace, also: list[str]) -> None:
    with pytest.raises(InvalidInput):
        told.recall("attachments", also=also)
