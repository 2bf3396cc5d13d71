"""Memories, relations and types check their values."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.citation import CITATION_LENGTH, cite
from holdfast.core.errors import InvalidMemory, UnknownType
from holdfast.core.memory import ChunkLocation, Memory, Relation
from holdfast.core.memory_types import BUILT_IN, MemoryType, TypeRegistry

NOW = datetime(2025, 6, 1, tzinfo=UTC)


def memory(**fields: Any) -> Memory:
    return Memory(**{"id": "mem_1", "type": "fact", "content": "x", "project": "p", "created_at": NOW, **fields})


def test_belief_has_a_beginning_and_an_end() -> None:
    day = timedelta(days=1)
    held = memory(valid_until=NOW + day)
    assert [held.believed(NOW + n * day) for n in (-1, 0, 1)] == [False, True, False]
    assert not memory(event_time=NOW - day).believed(NOW - day)
    assert memory(event_time=NOW - day, source="observer_inferred").believed(NOW - day)
    assert memory(event_time=NOW - day, type="episode").believed(NOW - day)
    assert memory(event_time=NOW + day).believed(NOW)
    assert not memory(forgotten_at=NOW + day).believed(NOW)


@pytest.mark.parametrize(
    "fields",
    [
        {"confidence": -0.1}, {"confidence": "1"}, {"source": "x"}, {"scope": "x"}, {"visibility": "x"}, {"phase": "x"},
        {"citation": "x" * 41}, {"half_life_days": 0}, {"half_life_days": -1},
    ],
)  # fmt: skip
def test_a_memory_that_cannot_be(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidMemory):
        memory(**fields)


@pytest.mark.parametrize(
    "fields",
    [{"kind": "likes", "memory": "x"}, {"kind": "validates"}, {"kind": "validates", "memory": "x", "file": "y"}],
)
def test_a_relation_that_cannot_be(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidMemory):
        Relation(**fields)
    with pytest.raises(InvalidMemory):
        ChunkLocation("poem")


@given(st.text())
def test_a_citation_is_short_and_on_one_line(text: str) -> None:
    cited = cite(text)
    assert len(cited) <= CITATION_LENGTH
    assert cited == " ".join(cited.split())


def test_a_citation_keeps_whole_words() -> None:
    assert cite("Deploys go out on Tuesdays, never on Fridays.") == "Deploys go out on Tuesdays, never on…"
    assert cite("short") == "short"


def test_types_are_found_and_unknown_ones_named() -> None:
    types = TypeRegistry()
    assert types.names() == tuple(kind.name for kind in BUILT_IN) == tuple(kind.name for kind in types)
    with pytest.raises(UnknownType, match="Use one of: episode, fact"):
        types.get("rumour")
    with pytest.raises(UnknownType, match="Did you mean 'requirement'"):
        types.get("requirments")


@pytest.mark.parametrize(
    ("said", "meant"),
    [("Rule", "requirement"), ("règle", "requirement"), ("note", "fact"), ("todo", "fact"), ("bug", "error_pattern"),
     ("warning", "gotcha"), ("Decision", "decision")],
)  # fmt: skip
def test_types_are_found_by_what_people_call_them(said: str, meant: str) -> None:
    assert TypeRegistry().get(said).name == meant


def test_a_type_of_a_plug_in_comes_before_what_people_call_another() -> None:
    types = TypeRegistry()
    types.register(MemoryType("rule", "a rule of a game"))
    assert types.get("rule").name == "rule"


@pytest.mark.parametrize("kind", BUILT_IN, ids=lambda kind: kind.name)
def test_every_type_has_help_and_takes_no_strange_field(kind: Any) -> None:
    assert kind.help
    assert dict(kind.validate({})) == {}
    with pytest.raises(InvalidMemory):
        kind.validate({"strange": 1})
    for field in kind.fields:
        assert not field.check(object())
