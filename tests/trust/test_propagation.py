"""Propagation of confidence along relations: worked examples, bounds, cycles and undoing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.core.memory import RELATIONS, Memory, Relation
from holdfast.trust.propagation import DEPTH, FACTORS, MIN_CHANGE, SUPERSEDED_AT_MOST
from holdfast.workspace import Workspace

_WORDS = "anchor barnacle cuttlefish dolphin eelgrass flounder gannet halibut isopod jellyfish kelp limpet".split()


def noted(ws: Workspace, word: str, *relations: tuple[str, Memory], confidence: float = 0.5, **fields: Any) -> Memory:
    """Stores an agent's memory that differs from the others, with relations to some of them."""
    ties = tuple(Relation(kind, memory=other.id) for kind, other in relations)
    given = {"source": "agent_explicit", "confidence": confidence, "relations": ties, **fields}
    memory = ws.remember(f"The {word} belongs to shelf {word[::-1]}", **given).memory
    assert memory is not None
    return memory


def sure(ws: Workspace, *memories: Memory) -> list[float]:
    return [round(ws.get(memory.id).confidence, 3) for memory in memories]


@pytest.mark.parametrize(
    ("kind", "after"),
    # confirmed, from 0.5 to 1.0: the related memory changes by 0.5 × factor
    [("validates", 0.8), ("required_with", 0.65), ("conflicts_with", 0.3), ("supersedes", 0.1), ("derived_from", 0.75)],
)
def test_confirming_propagates_to_related_memories(ws: Workspace, kind: str, after: float) -> None:
    target = noted(ws, "anchor")
    source = noted(ws, "barnacle", (kind, target))
    ws.confirm(source.id)
    assert sure(ws, source, target) == [1.0, after]
    line = ws.history(target.id)[-1]
    assert (line.verb, line.reason) == ("propagate", f"{source.id} was confirmed")
    assert line.detail == {"from": source.id, "by": pytest.approx(0.5 * FACTORS[kind]), "confidence": 0.5}


@pytest.mark.parametrize(
    ("kind", "after"),
    [("validates", 0.5), ("required_with", 0.65), ("conflicts_with", 0.3), ("supersedes", 0.5), ("derived_from", 0.75)],
)
def test_mutual_relations_are_felt_from_the_other_end_too(ws: Workspace, kind: str, after: float) -> None:
    ground = noted(ws, "anchor")
    pointing = noted(ws, "barnacle", (kind, ground))
    ws.confirm(ground.id)
    assert sure(ws, pointing) == [after]


def test_a_relation_that_is_itself_unsure_carries_less(ws: Workspace) -> None:
    target = noted(ws, "anchor")
    tie = Relation("validates", memory=target.id, confidence=0.5)
    source = noted(ws, "barnacle", relations=(tie, Relation("required_with", file="a.py")))
    ws.confirm(source.id)
    assert sure(ws, target) == [0.65]


def test_it_fades_with_distance_and_ends_after_three_steps(ws: Workspace) -> None:
    chain = [noted(ws, _WORDS[0], confidence=0.1)]
    for word in _WORDS[1:6]:
        chain.insert(0, noted(ws, word, ("validates", chain[0]), confidence=0.1))
    ws.confirm(chain[0].id)
    # 0.9 × 0.6, × 0.6², × 0.6³, and no further
    assert sure(ws, *chain) == [1.0, 0.64, 0.424, 0.294, 0.1, 0.1]
    assert DEPTH == 3


def test_what_would_hardly_change_is_left_as_it_is(ws: Workspace) -> None:
    target = noted(ws, "anchor")
    source = noted(ws, "barnacle", ("validates", target), confidence=0.93)
    ws.confirm(source.id)
    assert sure(ws, target) == [0.5]
    assert [event.verb for event in ws.history(target.id)] == ["remember"]


def test_a_persons_word_is_not_moved(ws: Workspace) -> None:
    taught = ws.remember("The harbour closes at nine").memory
    assert taught is not None
    ws.confirm(noted(ws, "anchor", ("conflicts_with", taught)).id)
    assert ws.get(taught.id) == taught


def test_flagging_halves_it_and_confirming_takes_all_of_it_back(ws: Workspace) -> None:
    floor = noted(ws, "anchor", confidence=0.1)
    source = noted(ws, "barnacle", ("validates", floor), confidence=0.8)
    ws.flag(source.id, "seen otherwise")
    # 0.8 → 0.4; 0.1 − 0.4 × 0.6 is limited to 0
    assert sure(ws, source, floor) == [0.4, 0.0]
    ws.flag(source.id, "again")
    assert sure(ws, source, floor) == [0.4, 0.0]
    ws.confirm(source.id)
    # as if never flagged: 0.8 → 1.0 propagates as 0.2 × 0.6
    assert sure(ws, source, floor) == [1.0, 0.22]


def test_a_correction_propagates_and_restoring_undoes_it(ws: Workspace) -> None:
    conclusion_of = noted(ws, "anchor", confidence=0.9)
    conclusion = noted(ws, "barnacle", ("derived_from", conclusion_of), confidence=0.7)
    ws.correct(conclusion_of.id, "The anchor belongs to the captain")
    # 0.9 → 0.3 propagates as −0.6 × 0.5
    assert sure(ws, conclusion_of, conclusion) == [0.3, 0.4]
    ws.restore(conclusion_of.id)
    assert sure(ws, conclusion_of, conclusion) == [0.9, 0.7]
    assert ws.history(conclusion.id)[-1].reason == f"{conclusion_of.id} was restored"


def test_merging_a_duplicate_takes_nothing_from_what_it_held_up(ws: Workspace) -> None:
    ground = noted(ws, "anchor", confidence=0.9)
    conclusion = noted(ws, "barnacle", ("derived_from", ground), confidence=0.7)
    ws.correct(ground.id, noted(ws, "cuttlefish").id, how="duplicate_of")
    assert sure(ws, conclusion) == [0.7]


def test_a_superseded_memory_keeps_low_confidence(ws: Workspace) -> None:
    old = noted(ws, "anchor", confidence=0.9)
    witness = noted(ws, "barnacle", ("validates", old))
    ws.correct(old.id, "The anchor belongs to the captain")
    ws.confirm(witness.id)
    assert sure(ws, old) == [SUPERSEDED_AT_MOST]
    ws.confirm(old.id)
    assert sure(ws, old) == [SUPERSEDED_AT_MOST]


def test_a_circle_is_walked_once(ws: Workspace) -> None:
    first = noted(ws, "anchor")
    second = noted(ws, "barnacle", ("required_with", first))
    noted(ws, "cuttlefish", ("required_with", second), ("conflicts_with", first))
    ws.confirm(first.id)
    for memory in ws.list():
        assert [event.verb for event in ws.history(memory.id)].count("propagate") <= 1


ties = st.lists(st.tuples(st.sampled_from(RELATIONS), st.integers(0, 11), st.integers(0, 11)), max_size=20)


@given(ties=ties, verbs=st.lists(st.tuples(st.sampled_from(["confirm", "flag"]), st.integers(0, 11)), max_size=5))
@settings(max_examples=15)
def test_it_stays_within_bounds_on_any_graph(
    ws: Workspace, ties: list[tuple[str, int, int]], verbs: list[tuple[str, int]]
) -> None:
    memories: list[Memory] = []
    for place, word in enumerate(_WORDS):
        mine = [(kind, memories[to]) for kind, at, to in ties if at == place and to < place]
        memories.append(noted(ws, f"{word}{ws.count()}", *mine))
    for verb, at in verbs:
        getattr(ws, verb)(memories[at].id)
    for memory in memories:
        now = ws.get(memory.id)
        assert 0 <= now.confidence <= 1
        moves = [abs(e.detail["by"]) for e in ws.history(memory.id) if "from" in e.detail]
        assert all(move > MIN_CHANGE for move in moves)
