"""A later message ranks above an earlier one about the same thing."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.core.answer import Filters
from holdfast.recall.order.newer_first import NewerFirst
from holdfast.recall.question import Embedded, Notes, Question, RecallCandidate
from tests.recall.world import MODEL, SCALES, World

NOW = datetime(2024, 3, 13, 12, tzinfo=UTC)
SAME, ALIKE, OTHER = (1.0, 0.0), (0.85, 0.527), (0.0, 1.0)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path / "memory.db", NOW)
    yield made
    made.close()


def said(
    world: World, text: str, day: int, score: float, vector: tuple[float, ...] = SAME, **fields: Any
) -> RecallCandidate:
    """A message of the user, `day` days after the first, in a session of its own."""
    usual = {"type": "episode", "source_role": "user", "session": f"s{day}", "event_time": NOW + timedelta(day)}
    return world.put(text, vector, score=score, **{**usual, **fields})


def newest(
    world: World, *found: RecallCandidate, text: str = "where do I live", embedder: bool = True
) -> tuple[Any, Notes]:
    asked = Embedded(MODEL, np.array(SAME, np.float32), SCALES) if embedder else None
    return NewerFirst(world.reading, lambda _: asked)(Question(text, "p", Filters(types=("episode",)), 8, NOW), found)


def order(candidates: tuple[RecallCandidate, ...]) -> list[str]:
    return [one.row.searched.strip() for one in candidates if one.row]


def test_the_later_of_two_similar_messages_ranks_first(world: World) -> None:
    old, new = said(world, "I live in Rome", 0, 0.9), said(world, "I live in Oslo", 5, 0.8, ALIKE)
    ranked, notes = newest(world, old, new)
    assert order(ranked) == ["I live in Oslo", "I live in Rome"]
    assert [one.score for one in ranked] == [0.9, 0.9]
    assert notes == {"moved": 1}


@pytest.mark.parametrize(("old_type", "new_type"), [("fact", "episode"), ("episode", "fact"), ("fact", "fact")])
def test_a_memory_learned_from_a_message_counts_as_a_message(world: World, old_type: str, new_type: str) -> None:
    old = said(world, "I live in Rome", 0, 0.9, type=old_type)
    new = said(world, "I live in Oslo", 5, 0.8, ALIKE, type=new_type)
    assert order(newest(world, old, new)[0]) == ["I live in Oslo", "I live in Rome"]


def test_a_later_message_that_ranks_first_stays_first(world: World) -> None:
    new, old = said(world, "I live in Oslo", 5, 0.9), said(world, "I live in Rome", 0, 0.8)
    assert newest(world, new, old) == ((new, old), {"moved": 0})


def test_the_time_of_the_event_counts_not_the_time_of_the_message(world: World) -> None:
    told_late = said(world, "I live in Rome", 0, 0.9, at=NOW + timedelta(30))
    told_early = said(world, "I live in Oslo", 5, 0.8)
    assert order(newest(world, told_late, told_early)[0]) == ["I live in Oslo", "I live in Rome"]


@pytest.mark.parametrize(
    ("vector", "score"),
    [(OTHER, 0.8), (SAME, 0.6)],
    ids=["another matter", "a worse answer"],
)
def test_no_swap_for_a_later_message_that_differs_or_scores_too_low(
    world: World, vector: tuple[float, ...], score: float
) -> None:
    old, new = said(world, "Old", 0, 0.9), said(world, "New", 5, score, vector)
    assert newest(world, old, new)[0] == (old, new)


def test_only_the_best_ten_are_compared(world: World) -> None:
    old = said(world, "Old", 0, 0.9)
    between = [said(world, f"Other {n}", 9, 0.9, OTHER) for n in range(9)]
    new = said(world, "New", 5, 0.89)
    assert newest(world, old, *between, new)[0] == (old, *between, new)
    assert order(newest(world, old, *between[1:], new)[0])[:2] == ["New", "Old"]


def test_of_several_newer_ones_the_newest_is_first(world: World) -> None:
    found = [said(world, f"I live in {town}", day, 0.9) for day, town in enumerate(("Rome", "Oslo", "Bonn"))]
    ranked, _ = newest(world, *found)
    assert order(ranked) == ["I live in Bonn", "I live in Oslo", "I live in Rome"]


def test_candidates_between_the_two_stay(world: World) -> None:
    old, other, new = said(world, "Old", 0, 0.9), said(world, "Other", 9, 0.85, OTHER), said(world, "New", 5, 0.8)
    ranked, _ = newest(world, old, other, new)
    assert order(ranked) == ["New", "Old", "Other"]


def test_the_newer_one_keeps_its_own_evidence(world: World) -> None:
    old = said(world, "I live in Rome", 0, 0.9).with_factors({"evidence": 0.9})
    new = said(world, "I live in Oslo", 5, 0.8).with_factors({"evidence": 0.3})
    assert [one.evidence for one in newest(world, old, new)[0]] == [0.3, 0.9]


def test_a_query_about_the_past_is_skipped(world: World) -> None:
    old, new = said(world, "I live in Rome", 0, 0.9), said(world, "I live in Oslo", 5, 0.8)
    passed, notes = newest(world, old, new, text="where did I live previously")
    assert (passed, "skipped" in notes) == ((old, new), True)


def test_a_change_needs_no_vectors(world: World) -> None:
    old, new = said(world, "I live in Rome", 0, 0.9), said(world, "I live in Oslo", 5, 0.8)
    assert order(newest(world, old, new, embedder=False)[0]) == ["I live in Oslo", "I live in Rome"]


def test_without_vectors_what_changes_nothing_stays_behind(world: World) -> None:
    old, new = said(world, "I live in Rome", 0, 0.9), said(world, "I bake bread on Sundays", 5, 0.8)
    assert newest(world, old, new, embedder=False)[0] == (old, new)


@pytest.mark.parametrize("change", [{"source_role": "assistant"}, {"type": "fact", "source_role": None}])
def test_only_what_the_user_said_moves(world: World, change: dict[str, Any]) -> None:
    old, new = said(world, "Old", 0, 0.9), said(world, "New", 5, 0.8, **change)
    assert newest(world, old, new)[0] == (old, new)


def test_what_the_assistant_said_before_may_be_outdated(world: World) -> None:
    old, new = said(world, "Old", 0, 0.9, source_role="assistant"), said(world, "New", 5, 0.8)
    assert order(newest(world, old, new)[0]) == ["New", "Old"]


def test_a_message_without_a_vector_stays(world: World) -> None:
    old, new = said(world, "Old", 0, 0.9), said(world, "New", 5, 0.8, ())
    assert newest(world, old, new)[0] == (old, new)


def test_no_candidates_stay_no_candidates(world: World) -> None:
    assert newest(world)[0] == ()


def test_talk_about_git_is_no_amendment(world: World) -> None:
    """A request that says "amend" is about the same project as every question, and answers none of them."""
    rule = said(world, "Sessions are linked by an id, because an amend changes the hash", 0, 0.9).with_factors(
        {"evidence": 0.9}
    )
    others = [said(world, f"Other {n}", 3, 0.5, OTHER) for n in range(4)]
    limits = "create a file KNOWN_LIMITATIONS.md and say what happens if an amend occurs; this supersedes the old one"
    near = said(world, limits, 5, 0.4)
    said(world, f"{limits} (again)", 6, 0.4)
    ranked, notes = newest(world, rule, *others, near, text="why not link by commit hash?")
    assert (ranked, notes) == ((rule, *others, near), {"moved": 0})


turns = st.tuples(
    st.sampled_from(("I live here", "from now on it is five")),
    st.integers(0, 5),
    st.sampled_from((SAME, ALIKE, OTHER, ())),
    st.sampled_from(("user", "assistant")),
    st.sampled_from(("s", "t", "u")),
)


@given(st.lists(turns, max_size=9))
@settings(max_examples=40)
def test_no_candidate_is_lost_or_doubled_and_scores_fall(given_: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder, "memory.db"), NOW)
        found = [
            said(world, text, day, 1 - place / 10, vector, source_role=role, session=session)
            for place, (text, day, vector, role, session) in enumerate(given_)
        ]
        ranked, _ = newest(world, *found)
        world.close()
    assert sorted(one.passage for one in ranked) == sorted(one.passage for one in found)
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
    assert all(0 <= one.score <= 1 for one in ranked)
