"""Taught memories among many other passages."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from holdfast.core.answer import Filters
from holdfast.intake.message_intake import IncomingMessage
from holdfast.recall.question import Question, RecallCandidate
from holdfast.recall.recall_reasons import RecallCode
from holdfast.recall.search.taught import AmongTaught, PreferTaught
from holdfast.workspace import Workspace

QUESTION = Question("how long do we keep backups", "p", Filters(), 10, datetime(2026, 1, 1, tzinfo=UTC))
TAUGHT_TEXT = "Backups are deleted after thirty days."


def step(taught: int, passages: int) -> PreferTaught:
    reading: Any = SimpleNamespace(
        count_taught=lambda project, most: min(taught, most), passages_count=lambda: passages
    )
    return PreferTaught(reading, 0.05)


def candidate(passage: int, score: float, type: str = "fact", source: str = "user_taught") -> RecallCandidate:
    row: Any = SimpleNamespace(type=type, source=source)
    return RecallCandidate(passage, {}, {}, score, row=row)


def test_a_rare_taught_memory_comes_before_a_message_that_is_a_little_nearer() -> None:
    near = (candidate(1, 0.35, type="episode"), candidate(2, 0.3))
    found, notes = step(10, 1_000)(QUESTION, near)
    assert [(each.passage, round(each.score, 3)) for each in found] == [(2, 0.4), (1, 0.35)]
    assert notes == {"bonus": 0.1}


def test_what_was_learned_or_written_is_not_raised() -> None:
    near = (candidate(1, 0.3, source="observer_inferred"), candidate(2, 0.2, type="code", source="commit_auto"))
    assert [each.score for each in step(10, 1_000)(QUESTION, near)[0]] == [0.3, 0.2]


@pytest.mark.parametrize(
    ("taught", "passages", "bonus"),
    [(10, 1_000_000, 0.1), (10, 100, 0.05), (100, 100, 0.0), (5_000, 1_000_000, 0.0), (0, 100, 0.0)],
)
def test_the_bonus_grows_with_rarity_and_ends_where_there_are_many(taught: int, passages: int, bonus: float) -> None:
    found, _ = step(taught, passages)(QUESTION, (candidate(1, 0.3),))
    assert found[0].score == pytest.approx(0.3 + bonus)


def test_nothing_is_raised_if_the_query_asks_what_was_said() -> None:
    question = Question("what did we say about backups", "p", Filters(), 10, datetime(2026, 1, 1, tzinfo=UTC))
    near = (candidate(1, 0.35, type="episode"), candidate(2, 0.3))
    assert step(10, 1_000)(question, near) == (near, {"skipped": RecallCode.NOT_NEEDED})


def test_a_taught_memory_is_found_behind_many_nearer_messages(ws: Workspace) -> None:
    kept = ws.remember(TAUGHT_TEXT).memory
    assert kept is not None
    ws.session("chat").say_all(
        IncomingMessage("user", f"How long do we keep backups of service number {number}?") for number in range(90)
    )
    ws.upkeep("embed")
    hits = ws.recall("how long do we keep backups?", limit=100, abstain=False).hits
    assert kept.id in {hit.id for hit in hits}
    assert next(hit for hit in hits if hit.id == kept.id).why.paths["taught"] == 1


def test_a_small_store_needs_no_search_of_its_own(ws: Workspace) -> None:
    ws.remember(TAUGHT_TEXT)
    ws.upkeep("embed")
    assert "taught" not in ws.recall("how long do we keep backups?", abstain=False).hits[0].why.paths


def test_with_many_taught_memories_the_other_searches_suffice() -> None:
    reading: Any = SimpleNamespace(count_taught=lambda project, most: most, passages_count=lambda: 10**6)
    embedded: Any = object()
    assert AmongTaught(reading, lambda text: embedded).search(QUESTION) == ((), {"skipped": RecallCode.NOT_NEEDED})
