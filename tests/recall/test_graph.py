"""Relations on small cases: the code graph, memories found together, files used together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from holdfast.core.answer import Filters
from holdfast.core.memory import Relation
from holdfast.recall.question import Question, RecallCandidate
from holdfast.recall.recall_reasons import RecallCode
from holdfast.recall.search.relation_steps import (
    ByCoAccess,
    ByGraph,
    CausalChain,
    CodeBoost,
    NeighbourBoost,
    asked_files,
)
from holdfast.workspace import Workspace
from tests.store.conftest import passage_of


class Graph:
    """A code graph of a few edges."""

    def __init__(self, *edges: tuple[str, str]) -> None:
        self._edges = edges

    def files_near(self, project: str, files: Sequence[str], hops: int = 1) -> Mapping[str, float]:
        ends = {b: 1.0 for a, b in self._edges if a in files} | {a: 0.5 for a, b in self._edges if b in files}
        return {file: weight for file, weight in ends.items() if file not in files}

    def files_named(self, project: str, text: str) -> Sequence[str]:
        return ()


class Files:
    """The files of passages."""

    def __init__(self, files: Mapping[int, tuple[str, ...]]) -> None:
        self._files = files

    def files_of(self, passages: Sequence[int]) -> Mapping[int, tuple[str, ...]]:
        return {passage: self._files[passage] for passage in passages if passage in self._files}


def question(ws: Workspace, text: str = "what now", **filters: Any) -> Question:
    return Question(text, ws.project, Filters(**filters), 8, ws.container.now())


def kept(ws: Workspace, text: str, **fields: Any) -> int:
    """Stores a memory; returns its passage."""
    memory = ws.remember(text, **fields).memory
    assert memory is not None
    return passage_of(ws.container.store, memory.id, ws.project)


def ids(ws: Workspace, *passages: int) -> list[str]:
    rows = ws.container.reading.hydrate(passages)
    return [rows[passage][0].id for passage in passages]


def ranked(*passages: int, score: float = 0.5) -> tuple[RecallCandidate, ...]:
    return tuple(
        RecallCandidate(p, {"words": n}, {"words": 1.0}, score - n / 1000) for n, p in enumerate(passages, start=1)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("why does src/app/main.py fail?", ("src/app/main.py",)),
        (r"look at ./lib\util.py, then README.md.", ("lib/util.py", "README.md")),
        ("who made the tea in version 1.2", ()),
    ],
)
def test_the_files_a_question_names(ws: Workspace, text: str, expected: tuple[str, ...]) -> None:
    assert asked_files(question(ws, text)) == expected
    assert asked_files(question(ws, text, files=("docs/",))) == ("docs", *expected)


def test_memories_of_files_one_hop_away_are_candidates(ws: Workspace) -> None:
    called = kept(ws, "The kettle whistles at five", files=["kettle.py"])
    caller = kept(ws, "Never leave the garden gate open", files=["gate.py", "kettle.py"], confidence=0.5)
    kept(ws, "The attic floor creaks", files=["attic.py"])
    step = ByGraph(
        ws.container.reading, Graph(("main.py", "kettle.py"), ("gate.py", "main.py"), ("kettle.py", "attic.py"))
    )
    found, notes = step(question(ws, "what about main.py?"), ranked(caller))
    assert [(one.passage, dict(one.ranks)) for one in found] == [
        (caller, {"words": 1, "graph": 2}),
        (called, {"graph": 1}),
    ]
    assert notes == {"files": 2}


def test_the_graph_search_is_skipped_without_a_graph_or_a_file(ws: Workspace) -> None:
    before = ranked(1)
    no_graph, no_file = ({"skipped": code} for code in (RecallCode.NO_CODE_GRAPH, RecallCode.NO_FILE_NAMED))
    assert ByGraph(ws.container.reading, None)(question(ws, "main.py"), before) == (before, no_graph)
    assert ByGraph(ws.container.reading, Graph())(question(ws, "tea"), before) == (before, no_file)


def test_memories_often_found_with_the_best_become_candidates(ws: Workspace) -> None:
    tea, pot, once, gone = (kept(ws, text) for text in ("Tea is at four", "The pot is blue", "Cups hang", "Milk sours"))
    of = dict(zip((tea, pot, once, gone), ids(ws, tea, pot, once, gone), strict=True))
    answers = [[of[tea], of[pot]], [of[pot], of[tea], of[gone]], [of[tea], of[once]], [of[tea], of[gone]]]
    ws.container.store.usage.found(ws.project, answers, ws.container.now())
    ws.forget(of[gone])
    found, _ = ByCoAccess(ws.container.reading)(question(ws), ranked(tea))
    assert [(one.passage, dict(one.raw)) for one in found] == [(tea, {"words": 1.0}), (pot, {"co_access": 2.0})]
    assert ByCoAccess(ws.container.reading)(question(ws), ()) == ((), {"skipped": RecallCode.NOTHING_FOUND})


def test_a_neighbour_of_the_top_ten_rises_by_their_share(ws: Workspace) -> None:
    top = [kept(ws, f"shelf {n} holds the jar {n * 7919}", files=[f"a{n}.py"]) for n in range(10)]
    far, near = kept(ws, "Never leave the gate", files=["far.py"]), kept(ws, "The attic creaks", files=["near.py"])
    before = ranked(*top, far, near)
    graph = Graph(("a0.py", "near.py"), ("a1.py", "near.py"), ("near.py", "a2.py"))
    after, notes = NeighbourBoost(ws.container.reading, graph)(question(ws), before)
    boosted = next(one for one in after if one.passage == near)
    # 0.3 × 3/10 on top of 0.488, and no higher than the first
    assert (boosted.score, dict(boosted.factors)) == (before[0].score, {"neighbours": 0.3})
    assert [one.passage for one in after] == [top[0], near, *top[1:], far]
    assert notes == {"boosted": 1}


def test_a_boost_moves_only_neighbours(ws: Workspace) -> None:
    top = [kept(ws, f"shelf {n} holds the jar {n * 7919}", files=[f"a{n}.py"]) for n in range(10)]
    near = kept(ws, "The attic creaks", files=["near.py"])
    before = (*ranked(*top), RecallCandidate(near, {}, {}, 0.2))
    after, _ = NeighbourBoost(ws.container.reading, Graph(("a0.py", "near.py")))(question(ws), before)
    assert after[-1].passage == near
    assert after[-1].score == pytest.approx(0.23)
    assert NeighbourBoost(ws.container.reading, None)(question(ws), before)[0] is before
    assert NeighbourBoost(ws.container.reading, Graph())(question(ws), before)[0] is before


def bind(ws: Workspace, one: int, other: int, together: int, alone: int) -> None:
    pair = ids(ws, one, other)
    ws.container.store.usage.found(
        ws.project, [pair] * together + [[pair[0]]] * alone + [[pair[1]]] * alone, ws.container.now()
    )


@pytest.mark.parametrize(
    ("together", "alone", "weight"), [(3, 0, 1.0), (3, 1, 0.75), (6, 4, 0.6), (2, 0, None), (3, 9, 0.25)]
)
def test_the_strength_of_the_relation_of_two_files(
    ws: Workspace, together: int, alone: int, weight: float | None
) -> None:
    one, other = kept(ws, "Tea is at four", files=["tea.py"]), kept(ws, "The pot is blue", files=["pot.py"])
    bind(ws, one, other, together, alone)
    assert ws.container.reading.files_bound(ws.project, "tea.py") == (
        {} if weight is None else {"pot.py": pytest.approx(weight)}
    )
    assert ws.container.reading.files_bound(ws.project, "pot.py").keys() == (set() if weight is None else {"tea.py"})


def test_memories_of_a_related_file_are_added(ws: Workspace) -> None:
    asked = kept(ws, "Tea is at four", files=["tea.py"])
    trap = kept(ws, "The pot leaks when it is full", type="gotcha", files=["pot.py"])
    plain = kept(ws, "The pot is blue", files=["pot.py"])
    bind(ws, asked, plain, 3, 1)
    found, notes = CausalChain(ws.container.reading, ws.types.in_causal_chain)(
        question(ws, files=("tea.py",)), ranked(asked, score=0.801)
    )
    assert [one.passage for one in found] == [asked, trap]
    assert found[1].score == pytest.approx(0.5 * 0.8 * 0.75)
    assert (dict(found[1].ranks), dict(found[1].factors)) == ({"causal": 1}, {"bound": 0.75})
    assert found[1].row is not None
    assert found[1].row.type == "gotcha"
    assert notes == {"files": {"pot.py": 0.75}, "added": 1}


def test_memories_of_a_file_that_always_changes_with_the_asked_one_are_found(ws: Workspace) -> None:
    kept(
        ws, "When a/schema.py changes, b/render.py usually changes too.", type="causal_dependency",
        files=["a/schema.py", "b/render.py"], source="observer_inferred",
        fields={"when_changed": "a/schema.py", "also_touch": ["b/render.py"], "weight": 1.0},
        relations=[Relation("required_with", file="b/render.py", auto=True)],
    )  # fmt: skip
    kept(ws, "Widths are in points, not in pixels", type="gotcha", files=["b/render.py"])
    found = ws.recall("what should I know before I change the schema?", files=["a/schema.py"])
    assert "Widths are in points, not in pixels" in [hit.text for hit in found.hits]


def test_a_weak_relation_or_a_filter_by_type_adds_nothing(ws: Workspace) -> None:
    asked = kept(ws, "Tea is at four", files=["tea.py"])
    trap = kept(ws, "The pot leaks when it is full", type="gotcha", files=["pot.py"])
    bind(ws, asked, trap, 6, 4)
    before = ranked(asked)
    step = CausalChain(ws.container.reading, ws.types.in_causal_chain)
    assert step(question(ws, "tea.py"), before)[0] is before
    bind(ws, asked, trap, 9, 0)
    assert len(step(question(ws, "tea.py"), before)[0]) == 2
    assert step(question(ws, "tea.py", types=("decision",)), before)[0] is before


# -- a code graph in a workspace ------------------------------------------------------------------------------------


def shelves(ws: Workspace) -> None:
    """Twelve memories that match one query ever less, each about a file of its own."""
    for n in range(12):
        ws.remember(f"The jar stands on shelf {n * 7919} {'beside another thing ' * n}", files=[f"a{n}.py"])
    ws.upkeep("embed")


@pytest.mark.parametrize("recipe", ["default", "rrf"])
def test_a_code_graph_raises_neighbours_of_the_best_hits(ws: Workspace, recipe: str) -> None:
    shelves(ws)
    asked: dict[str, Any] = {"limit": 12, "abstain": False, "count": False, "recipe": recipe}
    before = [hit.files[0] for hit in ws.recall("jar on a shelf", **asked).hits]
    last = before[-1]
    ws.container.code_graph = Graph(*((file, last) for file in before[:10]))
    answer = ws.recall("jar on a shelf", **asked)
    after = [hit.files[0] for hit in answer.hits]
    assert after.index(last) < 11 == before.index(last)
    share = answer.hits[after.index(last)].why.factors["neighbours"]
    assert share == 1.0 if recipe == "rrf" else 0.0 < share <= 0.2
    assert {step.step: step.notes for step in answer.trace.steps}["neighbours"] == {"boosted": 1}


def test_a_code_graph_finds_memories_of_the_files_beside_a_named_one(ws: Workspace) -> None:
    ws.remember("Round half up", files=["money.rs"])
    assert ws.recall("what matters for cart.py?").hits == ()
    ws.container.code_graph = Graph(("cart.py", "money.rs"))
    (hit,) = ws.recall("what matters for cart.py?").hits
    assert (hit.text, dict(hit.why.paths)) == ("Round half up", {"graph": 1})


def test_code_close_to_the_best_hits_rises_but_not_above_other_passages(ws: Workspace) -> None:
    best, beside = kept(ws, "The kettle whistles", files=["a.py"]), kept(ws, "The attic creaks", files=["b.py"])
    code = [RecallCandidate(1000 + n, {}, {}, 0.3, type="code") for n in range(2)]
    reading = Files({best: ("a.py",), beside: ("b.py",), 1000: ("far.py",), 1001: ("near.py",)})
    memories = [RecallCandidate(best, {}, {}, 0.9, type="fact"), RecallCandidate(beside, {}, {}, 0.31, type="fact")]
    boost = CodeBoost(reading, Graph(("a.py", "near.py"), ("a.py", "b.py")), 1.0)  # type: ignore[arg-type] # all it uses
    after, notes = boost(question(ws), (*memories, *code))
    assert [(one.passage, round(one.score, 3)) for one in after] == [
        (best, 0.9),
        (beside, 0.4),
        (1001, 0.31),
        (1000, 0.3),
    ]
    assert notes == {"boosted": 2}
    alone, _ = boost(question(ws), (*code, *memories[1:]))
    assert [one.passage for one in alone] == [1000, 1001, beside]


def test_only_the_best_candidate_of_a_file_rises(ws: Workspace) -> None:
    candidates = [RecallCandidate(n, {}, {}, 0.5 - n / 100, type="code") for n in range(4)]
    reading = Files({0: ("a.py",), 1: ("x.py",), 2: ("near.py",), 3: ("near.py",)})
    after, _ = CodeBoost(reading, Graph(("a.py", "near.py")), 1.0)(question(ws), tuple(candidates))  # type: ignore[arg-type] # all it uses
    assert [one.passage for one in after] == [2, 0, 1, 3]


def test_an_empty_code_graph_changes_nothing(ws: Workspace) -> None:
    shelves(ws)
    asked: dict[str, Any] = {"limit": 12, "abstain": False, "count": False}
    before = [(hit.id, hit.score) for hit in ws.recall("jar on a shelf", **asked).hits]
    ws.container.code_graph = Graph()
    after = ws.recall("jar on a shelf", **asked)
    assert [hit[0] for hit in before] == [hit.id for hit in after.hits]
    assert all("neighbours" not in hit.why.factors for hit in after.hits)
    ws.container.code_graph = None
    assert not {"graph", "neighbours"} & {step.step for step in ws.recall("jar", **asked).trace.steps}


def test_other_settings_keep_the_code_graph(ws: Workspace) -> None:
    graph = Graph(("cart.py", "money.rs"))
    ws.container.code_graph = graph
    assert ws.container.with_settings(ws.settings).code_graph is graph
