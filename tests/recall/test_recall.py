"""Recall through a workspace: hits, paths, abstention and explanations."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.core.clock import FixedClock
from holdfast.core.errors import InvalidInput, UnknownType
from holdfast.core.memory import Memory
from holdfast.recall.query.recent_tools import recent_tools
from holdfast.recall.recall_reasons import RecallCode
from holdfast.workspace import Workspace
from tests.journals import journals

NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
def house(ws: Workspace) -> Workspace:
    ws.remember("The kettle whistles at five", type="fact", tags=["kitchen"], files=["src/kitchen/kettle.py"])
    ws.remember("Never leave the garden gate open", type="decision", files=["src/garden/gate.py"])
    ws.remember("The attic floor creaks", type="gotcha", source="agent_explicit")
    return ws


def texts(answer: holdfast.Recall) -> list[str]:
    return [hit.text for hit in answer.hits]


def test_words_answer_before_any_vector_exists(house: Workspace) -> None:
    answer = house.recall("when does the kettle whistle?")
    assert texts(answer)[0] == "The kettle whistles at five"
    assert list(answer.hits[0].why.paths) == ["words"]
    assert not answer.abstained


def test_words_and_meaning_answer_when_vectors_exist(house: Workspace) -> None:
    house.upkeep("embed")
    hit = house.recall("when does the kettle whistle?").hits[0]
    assert dict(hit.why.paths) == {"words": 1, "meaning": 1}
    assert sorted(hit.why.sentence().split(", ")) == ["meaning 1", "words 1"]


def test_meaning_alone_and_words_alone(house: Workspace) -> None:
    house.upkeep("embed")
    assert list(house.recall("kettle whistles", recipe="vector", abstain=False).hits[0].why.paths) == ["meaning"]
    assert list(house.recall("kettle whistles", recipe="keyword").hits[0].why.paths) == ["words"]


def test_a_literal_match_is_the_last_resort(ws: Workspace) -> None:
    ws.remember("The code on the box reads qx99zz-7b")
    hit = ws.recall("x99z").hits[0]
    assert (list(hit.why.paths), hit.why.factors["evidence"]) == (["substring"], 1.0)


@pytest.mark.parametrize("query", ["attachm", "kalifragil", "A77B2C", "the kalifragil"])
def test_a_part_of_a_word_is_found_although_vectors_are_near(ws: Workspace, query: str) -> None:
    ws.remember("The gateway refuses attachments above 20 MB")
    ws.remember("Superkalifragilistik is the codename of the autumn release")
    ws.remember("The release key fingerprint is 9F3A77B2C0DE4411")
    ws.remember("The canteen serves soup at noon")
    ws.upkeep("embed")
    answer = ws.recall(query)
    assert [query.removeprefix("the ").lower() in hit.text.lower() for hit in answer.hits] == [True]
    assert "substring" in answer.hits[0].why.paths
    assert answer.hits[0].why.factors["evidence"] >= 0.5


@pytest.mark.parametrize("query", ["hi", "eve", "q7", "one two three four"])
def test_short_parts_and_long_queries_are_not_looked_for(ws: Workspace, query: str) -> None:
    ws.remember("This chimney is swept every seven years")
    steps = {step.step: step.notes for step in ws.recall(query).trace.steps}
    assert steps["substring"] == {"skipped": RecallCode.NOT_NEEDED}


@pytest.mark.parametrize("model", ["none", "bundled"])
def test_a_single_word_in_another_sense_is_no_confident_hit(tmp_path: Path, model: str) -> None:
    settings = holdfast.Settings(background=False, embedder=model)
    with holdfast.open(str(tmp_path / "m.db"), str(tmp_path), settings=settings) as ws:
        ws.remember("Maxime reviews all pull requests that touch billing.")
        ws.remember("Pull requests stay under 400 changed lines.")
        ws.remember("Customer support answers within four hours on weekdays.")
        ws.upkeep("embed")
        for query in ("may I pip install requests?", "pip install requests"):
            assert {hit.certainty for hit in ws.recall(query).hits} <= {"maybe"}
        assert len(ws.recall("who reviews pull requests?").hits) >= 1


def test_recall_abstains_when_evidence_is_weak(house: Workspace) -> None:
    house.upkeep("embed")
    weak = house.recall("who won the chess championship in Reykjavik?")
    assert (weak.hits, weak.abstained) == ((), True)
    assert house.recall("who won the chess championship in Reykjavik?", abstain=False).hits


@pytest.mark.parametrize("query", ["", "   ", "\n\t", "\u200b\u00a0"])
def test_an_empty_query_is_refused(house: Workspace, query: str) -> None:
    for verb in (house.recall, house.search_documents):
        with pytest.raises(InvalidInput, match=r"the query is empty\. Ask"):
            verb(query)
    assert house.context(query).text == ""  # A prompt may be empty, for example an image without text.


def test_a_query_of_signs_alone_is_not_empty(house: Workspace) -> None:
    assert house.recall("???").hits == house.recall("🐙").hits == ()


def test_an_empty_store_has_nothing_to_abstain_from(ws: Workspace) -> None:
    answer = ws.recall("anything")
    assert (answer.hits, answer.abstained) == ((), False)


def test_messages_and_memories_are_in_one_ranking(house: Workspace) -> None:
    house.session("s").say("user", "the boiler was serviced in May")
    house.remember("The boiler is a Victor 200")
    assert texts(house.recall("when was the boiler serviced?"))[0] == "the boiler was serviced in May"
    assert texts(house.recall("boiler Victor"))[0] == "The boiler is a Victor 200"
    assert texts(house.recall("boiler Victor", types=["episode"])) == ["the boiler was serviced in May"]


def test_a_setting_limits_the_messages_of_one_chat(ws: Workspace) -> None:
    for n in range(6):
        ws.session("long").say("user", f"boiler remark number {n}")
    ws.session("short").say("user", "boiler remark elsewhere")
    assert len(ws.recall("boiler remark").hits) == 7
    ws.container = ws.container.with_settings(replace(ws.settings, per_session=3))
    found = ws.recall("boiler remark").hits
    assert [hit.memory.session for hit in found if hit.memory].count("long") == 3
    assert len(found) == 4
    assert len(ws.recall("boiler remark", session="long").hits) == 6


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"types": ["decision"]}, ["Never leave the garden gate open"]),
        ({"types": "decision"}, ["Never leave the garden gate open"]),
        ({"files": ["src/garden"]}, ["Never leave the garden gate open"]),
        ({"tags": ["kitchen"]}, ["The kettle whistles at five"]),
        ({"sources": ["agent_explicit"]}, ["The attic floor creaks"]),
        ({"min_confidence": 0.9, "types": ["gotcha"]}, []),
    ],
)
def test_filters_narrow(house: Workspace, filters: dict[str, Any], expected: list[str]) -> None:
    assert texts(house.recall("kettle gate attic", abstain=False, **filters)) == expected


def test_as_of_returns_past_beliefs(tmp_path: Path, project: Path) -> None:
    clock: Any = FixedClock(NOW)
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), clock=clock) as ws:
        old = ws.remember("Tea is at four").memory
        assert old is not None
        clock.advance(86_400)
        ws.correct(old.id, "Tea is at five", how="outdated")
        clock.advance(86_400)
        assert texts(ws.recall("tea")) == ["Tea is at five"]
        assert texts(ws.recall("tea", as_of=NOW + timedelta(hours=1))) == ["Tea is at four"]
        assert texts(ws.recall("tea", as_of=NOW + timedelta(days=1, hours=1))) == ["Tea is at five"]
        assert ws.recall("tea", as_of=NOW - timedelta(hours=1)).hits == ()


def test_messages_from_after_the_day_of_the_query_are_left_out(tmp_path: Path, project: Path) -> None:
    clock: Any = FixedClock(NOW)
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), clock=clock) as ws:
        ws.remember("Tea is at four on Friday", when=NOW + timedelta(days=5))
        clock.advance(3_600)
        ws.remember("Tea is at five today")
        clock.advance(86_400)
        ws.remember("Tea comes with scones")
        clock.advance(-86_400 - 1_800)
        assert sorted(texts(ws.recall("tea"))) == ["Tea is at five today", "Tea is at four on Friday"]


def test_forgotten_and_replaced_memories_are_not_found(house: Workspace) -> None:
    house.upkeep("embed")
    ids: dict[str, Memory] = {m.content: m for m in house.list()}
    house.forget(ids["The attic floor creaks"].id)
    house.correct(ids["The kettle whistles at five"].id, "The kettle whistles at six")
    assert house.recall("attic floor creaks").hits == ()
    assert texts(house.recall("kettle whistles")) == ["The kettle whistles at six"]
    shown = house.recall("attic floor creaks", include_forgotten=True)
    assert texts(shown) == ["The attic floor creaks"]


def test_every_hit_says_why_and_every_step_is_traced(house: Workspace) -> None:
    house.upkeep("embed")
    answer = house.recall("kettle whistles garden", recipe="rrf")
    for hit in answer.hits:
        assert hit.memory is not None
        assert hit.text == hit.memory.content
        assert 0 <= hit.score <= 1
        assert set(hit.why.factors) == {
            "relevance", "recency", "frequency", "phase", "trust", "confidence", "evidence", "task", "certainty",
        }  # fmt: skip
        factors = hit.why.factors
        base = 0.6 * factors["relevance"] + 0.25 * factors["recency"] + 0.15 * factors["frequency"]
        expected = base * factors["phase"] * factors["trust"] * factors["confidence"]
        assert hit.score == pytest.approx(expected, abs=1e-4)
    assert [hit.score for hit in answer.hits] == sorted((hit.score for hit in answer.hits), reverse=True)
    assert answer.trace.recipe == "rrf"
    assert [step.step for step in answer.trace.steps] == [
        "entity", "words", "meaning", "co_access", "substring", "fuse", "weigh", "filter", "causal", "rerank",
        "fading", "judge", "code", "score", "documents", "distinct", "cap", "read",
    ]  # fmt: skip
    assert answer.trace.milliseconds == pytest.approx(sum(step.milliseconds for step in answer.trace.steps))
    assert all(step.outgoing >= 0 for step in answer.trace.steps)


def test_the_default_recipe_scores_by_weighted_measures(house: Workspace) -> None:
    house.upkeep("embed")
    answer = house.recall("kettle whistles garden", abstain=False)
    notes = {step.step: step.notes for step in answer.trace.steps}
    weights, shares = notes["weigh"]["weights"]["memory"], notes["score"]["shares"]
    assert len(answer.hits) == 3
    for hit in answer.hits:
        told = hit.why.factors
        measured = {name: weight for name, weight in weights.items() if name in told}
        relevance = sum(weight * told[name] for name, weight in measured.items()) / sum(measured.values())
        odds = math.log(told["answer"] / (1 - told["answer"])) if "answer" in told else 0.0
        assert told["relevance"] == pytest.approx(max(0.0, relevance + 0.02 * odds), abs=1e-5)
        base = sum(share * told[name] for name, share in shares.items())
        factor = 1 - notes["score"]["temper"] * (1 - told["phase"] * told["trust"] * told["confidence"])
        assert hit.score == pytest.approx(base * factor, abs=1e-4)


def test_relevance_does_not_depend_on_worse_candidates(ws: Workspace) -> None:
    def relevance() -> float:
        hit = ws.recall("kettle", recipe="keyword").hits[0]
        assert hit.text == "The kettle whistles at five"
        return hit.why.factors["share"]

    ws.remember("The kettle whistles at five")
    alone = relevance()
    ws.remember("A kettle of fish, and another long story about the harbour, its boats and its cats")
    assert relevance() == pytest.approx(alone)


def test_hits_are_counted(house: Workspace) -> None:
    first = house.recall("kettle whistles").hits[0].memory
    assert first is not None
    assert first.access_count == 0
    assert house.get(first.id).access_count == 1
    assert house.list(order="used")[0].id == first.id


def test_the_limit_is_kept_and_must_be_positive(house: Workspace) -> None:
    assert len(house.recall("kettle gate attic", limit=1, abstain=False).hits) == 1
    for wrong in (0, -1):
        with pytest.raises(InvalidInput, match="at least 1"):
            house.recall("kettle", limit=wrong)


def test_invalid_queries_are_refused(house: Workspace) -> None:
    with pytest.raises(UnknownType):
        house.recall("kettle", types=["rumour"])
    with pytest.raises(InvalidInput, match="filter colour"):
        house.recall("kettle", colour="red")
    with pytest.raises(InvalidInput, match="recipe"):
        house.recall("kettle", recipe="soup")


@pytest.mark.parametrize("odd", ['"', "a OR b*", "🫖", "x" * 5_000, "NEAR(", "\x01a", "%", "a\nb", "' or 1=1 --"])
def test_recall_accepts_any_text(house: Workspace, odd: str) -> None:
    house.upkeep("embed")
    house.recall(odd)
    house.context(odd)


def test_tags_are_filtered_in_any_case(house: Workspace) -> None:
    house.remember("The attic is cold.", tags=["Étage", "Cold"])
    for tag in ("étage", "ÉTAGE", "cold"):
        assert [memory.content for memory in house.list(tags=[tag])] == ["The attic is cold."]
    assert house.list(tags=["etage", "col"]) == ()


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("analyze_impact", {"target": "a.py"}),
        ("mcp__holdfast__get_dependencies", {"target": "a.py"}),
        ("Bash", {"command": "cd src && holdfast impact a.py"}),
    ],
)
def test_a_query_after_a_call_about_the_structure_of_code_is_structural(
    house: Workspace, tool: str, args: dict[str, str]
) -> None:
    def kind() -> str:
        notes = (step.notes for step in house.recall("what is with the boiler", recipe="rrf").trace.steps)
        return next(str(note["query type"]) for note in notes if "query type" in note)

    assert kind() == "semantic"
    house.after_tool("s", tool, args)
    assert kind() == "structural"
    for n in range(5):
        house.after_tool("s", "Read", {"file_path": f"{n}.py"})
    assert kind() == "semantic"


def test_the_tools_of_a_session_at_rest_do_not_count(house: Workspace) -> None:
    house.after_tool("s", "analyze_impact", {"target": "a.py"})
    folder = journals(house)
    assert recent_tools(folder, time.time()) == ("analyze_impact",)
    assert recent_tools(folder, time.time() + 3_600) == ()
    assert recent_tools(f"{folder}/none", time.time()) == ()
