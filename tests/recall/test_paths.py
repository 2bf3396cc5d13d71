"""Paths and measures are defined once, and a new path needs one value and one step; copies of candidates."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from holdfast import Workspace
from holdfast.core.answer import Filters
from holdfast.recall import pipeline
from holdfast.recall.merging import merge_path
from holdfast.recall.paths import EXEMPT_FROM_ABSTENTION, PATHS, PREDICTS_RELEVANCE, RRF_WEIGHTS, RecallPath
from holdfast.recall.question import Measured, Notes, Question, RecallCandidate
from holdfast.recall.recipes import RECIPES, build
from holdfast.recall.steps import Candidates, Filter, Fuse, Ranked, Score, Search
from holdfast.recall.weigh.measure_weights import learned
from holdfast.recall.weigh.measures import MEASURES
from tests.recall.test_graph import Graph
from tests.recall.test_steps import factors

NEAR_BY = RecallPath("near_by", "near by")


@dataclass(frozen=True, slots=True)
class NearBy:
    """A search that ranks passages 2 and 1, as a new path."""

    name: str = NEAR_BY.name

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        ranked, notes = self.search(question)
        return merge_path(candidates, self.name, ranked), notes

    def search(self, question: Question) -> tuple[Ranked, Notes]:
        return ((2, 0.9), (1, 0.4)), {}


def test_names_are_unique() -> None:
    for named in (PATHS, MEASURES):
        assert len({one.name for one in named}) == len({one.label for one in named}) == len(named)


def test_the_tables_follow_from_the_paths() -> None:
    assert {"words", "meaning"} == PREDICTS_RELEVANCE
    assert {"graph", "causal"} == EXEMPT_FROM_ABSTENTION
    assert RRF_WEIGHTS == {
        "identifier": {"words": 0.5, "graph": 0.3, "meaning": 0.2},
        "semantic": {"words": 0.25, "graph": 0.25, "meaning": 0.5},
        "structural": {"words": 0.25, "graph": 0.6, "meaning": 0.15},
    }


def test_every_weight_belongs_to_a_measure() -> None:
    assert {name for weights in learned().by_group.values() for name in weights} <= {one.name for one in MEASURES}


def test_a_new_path_needs_one_step(ws: Workspace) -> None:
    ws.remember("The kettle whistles at five")
    ws.remember("Never leave the garden gate open")
    search: Search = NearBy()
    reading = ws.container.reading
    question = Question("gate", ws.project, Filters(), 5, ws.container.now())
    answer = pipeline.ask(question, "near by", (search, Fuse(), Filter(reading), Score()), reading, None)
    assert [(hit.text.split()[0], dict(hit.why.paths)) for hit in answer.hits] == [
        ("Never", {"near_by": 1}), ("The", {"near_by": 2}),
    ]  # fmt: skip


@pytest.mark.parametrize("recipe", ["default", "rrf"])
def test_the_code_graph_adds_its_steps_only_where_there_is_one(ws: Workspace, recipe: str) -> None:
    resources = ws.container.recall_resources
    without = [step.name for step in build(RECIPES[recipe], resources)]
    assert not {"graph", "neighbours"} & set(without)
    wired = [step.name for step in build(RECIPES[recipe], replace(resources, neighbours=Graph))]
    assert [name for name in wired if name not in ("graph", "neighbours")] == without
    assert {"graph", "neighbours"} < set(wired)


def test_copies_of_a_candidate_change_only_what_they_name() -> None:
    measured = Measured({"bm25": [1.0, 1.0, 1.0]}, {"bm25": [1.0, 1.0, 1.0]})
    row, other = factors(), factors(confidence=0.5)
    found = RecallCandidate(7, {"words": 1}, {"words": 2.0}, 0.5, {"evidence": 0.4}, row, True, "fact", measured, 2)
    found = found.with_repeats([factors(id="copy")])
    assert found.with_repeats([factors(id="copy"), row]) == found
    ranks, raws = {"words": 1, "time": 3}, {"words": 2.0, "time": 0.1}
    assert found.with_rank("time", 3, 0.1) == found._replace(ranks=ranks, raw=raws)
    assert found.with_score(0.9) == found._replace(score=0.9)
    assert found.with_factors({"phase": 1.0}) == found._replace(factors={"evidence": 0.4, "phase": 1.0})
    assert found.with_factors({"evidence": 1.0}, 0.2) == found._replace(factors={"evidence": 1.0}, score=0.2)
    assert found.with_row(other) == found._replace(row=other)
    plain = RecallCandidate(7, {"words": 1}, {"words": 2.0}, 0.3, repeats=found.repeats)
    assert found.ranked_only(0.3) == plain
    assert found.with_measures(0.3, "code", measured, 1) == plain._replace(type="code", measured=measured, column=1)
