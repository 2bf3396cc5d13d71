"""What a memory names has to be there: related memories, its methodology, the lines of its chunk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast import ChunkLocation, InvalidInput, InvalidMemory, NotFound, Relation, Workspace, WorkUnit


def test_a_relation_to_an_unknown_memory_is_refused_and_nothing_is_stored(ws: Workspace) -> None:
    relations = [Relation("conflicts_with", "act_nope")]
    with pytest.raises(NotFound, match="memory act_nope of a relation"):
        ws.remember("The pump runs at night.", relations=relations)
    assert ws.list() == ()


def test_a_relation_to_a_memory_of_another_project_is_refused(ws: Workspace, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with holdfast.open(db=ws.db, project=str(tmp_path / "other")) as other:
        hidden = other.remember("The valve is blue.").memory
    assert hidden is not None
    with pytest.raises(NotFound):
        ws.remember("The pump runs at night.", relations=[Relation("derived_from", hidden.id)])


def test_a_relation_to_a_known_memory_is_stored(ws: Workspace) -> None:
    first = ws.remember("The pump runs at night.").memory
    personal = ws.remember("I work at night.", visibility="personal").memory
    assert first is not None
    assert personal is not None
    relations = (Relation("derived_from", first.id), Relation("validates", personal.id))
    memory = ws.remember("The neighbours hear the pump.", relations=relations).memory
    assert memory is not None
    assert memory.relations == relations


@pytest.mark.parametrize(("first", "last"), [(10, 2), (0, 5), (-3, None)])
def test_a_chunk_that_ends_before_it_begins_is_refused(ws: Workspace, first: int, last: int | None) -> None:
    with pytest.raises(InvalidMemory, match=f"a chunk cannot go from line {first}"):
        ws.remember("The pump runs at night.", chunk=ChunkLocation("function", first, last))


@pytest.mark.parametrize("fields", [{"methodology": "zen"}, {"work_unit": WorkUnit("zen", ("1",), "Koan 1")}])
def test_an_unknown_methodology_is_refused(ws: Workspace, fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=r"methodology 'zen'.*bmad, native, tdd"):
        ws.remember("The pump runs at night.", **fields)


def test_the_methodology_of_a_file_and_the_built_in_ones_are_known(tmp_path: Path) -> None:
    (tmp_path / "zen.toml").write_text('[phases]\nsit = "explore"\n[levels]\nkoan = "Koan"\n', "utf-8")
    with holdfast.open(":memory:", embedder="none", methodology=str(tmp_path / "zen.toml")) as ws:
        for name in ("zen", "tdd"):
            assert ws.remember(f"The pump of {name} runs at night.", methodology=name).admitted
        assert ws.record_outcome(True, {"koan": "1"})[0].admitted
