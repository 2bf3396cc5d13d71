"""The reflection on a week of memories, without a model."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.memory import Memory, Relation
from holdfast.learn.keep.reflection import reflect

NOW = datetime(2026, 11, 13, 12, tzinfo=UTC)


def memory(number: int, content: str, type: str = "fact", **more: Any) -> Memory:
    return Memory(f"mem_{number}", type, content, "p", NOW - timedelta(days=5, minutes=-number), **more)


WEEK = [
    memory(1, "The export job writes Parquet files.", session="a"),
    memory(2, "The export job must finish before six.", "requirement", session="b"),
    memory(3, "Ada prefers short commit messages.", "preference", session="b"),
    memory(4, "The export job runs on the small pool.", valid_until=NOW, session="a"),
    memory(
        5, "The export job runs on the large pool.", relations=(Relation("supersedes", memory="mem_4"),), session="b"
    ),
    memory(6, "I'll send the report by Friday.", tags=("commitment",), attributes={"date": "2026-11-20"}),
    memory(7, "I'll call the bank.", tags=("commitment",), attributes={"date": "2026-11-10"}),
]


def test_it_says_what_was_decided_changed_and_is_open() -> None:
    text = reflect(WEEK, NOW)
    assert text is not None
    assert text.split("\n") == [
        "Decided: The export job must finish before six; Ada prefers short commit messages.",
        "Changed: The export job runs on the large pool (before: The export job runs on the small pool).",
        "Open: I'll call the bank (was due 2026-11-10); I'll send the report by Friday.",
    ]


def test_what_changed_is_quoted_once() -> None:
    small = "The export job runs on the small pool."
    quoting = replace(WEEK[4], content=f"The export job runs on the large pool. (Before: {small})")
    text = reflect([*WEEK[:4], quoting], NOW)
    assert text is not None
    assert f"Changed: The export job runs on the large pool (before: {small[:-1]})." in text.split("\n")


def test_facts_alone_give_no_reflection() -> None:
    assert reflect([memory(n, f"Pier {n} is painted.") for n in range(9)], NOW) is None


def test_too_few_memories_give_no_reflection() -> None:
    assert reflect(WEEK[:2], NOW) is None
    assert reflect([], NOW) is None
    assert reflect([memory(n, "hello there", "episode") for n in range(9)], NOW) is None


def test_forgotten_memories_are_left_out() -> None:
    text = reflect([*WEEK, memory(8, "The export password is kept at home.", forgotten_at=NOW)], NOW)
    assert text is not None
    assert "password" not in text


def test_the_order_of_the_memories_does_not_matter() -> None:
    shuffled = list(WEEK)
    Random(3).shuffle(shuffled)
    assert reflect(shuffled, NOW) == reflect(WEEK, NOW)


@given(st.lists(st.text(min_size=1, max_size=200), min_size=3, max_size=12))
def test_any_memory_stays_on_its_line(texts: list[str]) -> None:
    text = reflect([memory(n, f"export {content}", "decision") for n, content in enumerate(texts)], NOW)
    assert text is not None
    assert text.startswith("Decided: export")
    assert text.isprintable()
